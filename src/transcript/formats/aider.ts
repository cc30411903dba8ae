import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { Gatherer, textLinesOf } from './gather.ts';
import { timeOf } from './parts.ts';

const STARTED = /^# aider chat started at (.+)$/;
const PERSON = '#### ';
const TOOL = '> ';
/** What aider writes when the user enters nothing. */
const NOTHING = '<blank>';
const LINE_BREAK = '  ';
/** What aider asks for in the user's name when a linter has found something. */
const INJECTED = /^# Fix any errors below, if possible\./;

/**
 * The history of aider: Markdown in `.aider.chat.history.md` of a project's folder, all its sessions one after another.
 *
 *     # aider chat started at 2026-03-01 10:00:00
 *
 *     > Aider v0.86.0
 *
 *     #### each line that the user writes
 *
 *     What the model answers.
 *
 *     > Applied edit to src/hull.ts
 *
 * What aider itself tells is quoted; of a text in several lines only the first. Times are local ones, and tell only when
 * the session began. The user's lines end in a line break, two spaces, and headings in answers don't; an editor may have
 * removed them all. When one model plans and another edits, the plan is written once more, as if the user had.
 */
export const aider: Format = {
  name: 'aider',

  recognises: ({ text }) => /^\s*# aider chat started at \d/.test(text),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const isOwn = ownTurns(tally);
    for await (const turn of allTurns(source, tally)) if (isOwn(turn)) yield turn;
  },
};

async function* allTurns(source: Source, tally: Tally): AsyncGenerator<Turn> {
  const turns = new Gatherer(tally);
  const isPersons = personsLines();
  let session: { conversation?: string; time?: string | undefined } = {};
  let count = 0;
  let hasAsked = false;
  let isAfterBlank = true;
  const begin = (role: Role, line: number) =>
    turns.begin({ role, line, id: `${session.conversation} ${count++}`, ...session });

  for await (const { line, text } of textLinesOf(source, tally)) {
    const started = STARTED.exec(text)?.[1]?.trim();
    const role = turns.opening?.role;
    const isBlank = text.trim() === '';
    if (started !== undefined) {
      yield* turns.end();
      session = { conversation: started, time: timeOf(started) };
      count = 0;
      hasAsked = false;
    } else if (isPersons(text)) {
      if (role !== 'person' || isAfterBlank) yield* begin('person', line);
      const said = text.slice(PERSON.length).trimEnd();
      if (said !== NOTHING) turns.add({ line, text: said });
      hasAsked = true;
    } else if (text.startsWith(TOOL)) {
      if (role !== 'tool') yield* begin('tool', line);
      turns.add({ line, text: text.slice(TOOL.length).trimEnd() });
    } else {
      const isAnswer = hasAsked && !isBlank && (role === 'person' || isAfterBlank);
      if (role !== 'assistant' && isAnswer) yield* begin('assistant', line);
      turns.add({ line, text });
    }
    isAfterBlank = isBlank;
  }
  yield* turns.end();
}

/** Tells turns from those of the user that aider wrote. */
function ownTurns(tally: Tally): (turn: Turn) => boolean {
  let plan = '';
  return ({ role, text, line }) => {
    const words = text.replace(/\s+/g, '');
    if (role === 'assistant') plan = words;
    if (role !== 'person') return true;
    if (INJECTED.test(text)) tally.add('injected', 'errors to mend', line);
    else if (words === plan) tally.add('copy', 'plan of the assistant', line);
    else return true;
    return false;
  };
}

/** Tells lines that the user wrote from headings in answers. The first line of the kind in a file is the user's. */
function personsLines(): (line: string) => boolean {
  let hasBreaks: boolean | undefined;
  return (line) => {
    if (!line.startsWith(PERSON)) return false;
    hasBreaks ??= line.endsWith(LINE_BREAK);
    return !hasBreaks || line.endsWith(LINE_BREAK);
  };
}
