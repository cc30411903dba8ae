import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { Gatherer, textLinesOf } from './gather.ts';

/** In the second line of an export. What comes before `from Cursor` is a date in the user's own language. */
const EXPORTED = /^_Exported on .*from Cursor(?: \([^)]*\))?_$/;
const SPEAKERS: ReadonlyMap<string, Role> = new Map([
  ['**User**', 'person'],
  ['**Cursor**', 'assistant'],
]);

/**
 * A chat that was exported from Cursor as Markdown:
 *
 *     # Title
 *     _Exported on 5/15/2025 at 17:47:04 PDT from Cursor (0.50.4)_
 *
 *     ---
 *
 *     **User**
 *
 *     …
 *
 * A break alone begins no turn, since there may be one within what was said; nor does a speaker without a break before.
 */
export const cursorExport: Format = {
  name: 'Cursor export',

  recognises: ({ text }) => text.slice(0, MOST_HEADING).split(/\r?\n/).slice(0, 3).some(isExported),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const turns = new Gatherer(tally);
    let conversation: string | undefined;
    let before = ['', ''];
    for await (const { line, text } of textLinesOf(source, tally)) {
      const role = before[0] === '---' && before[1] === '' ? SPEAKERS.get(text.trim()) : undefined;
      if (role) yield* turns.begin({ role, line, conversation });
      else if (turns.opening) turns.add({ line, text });
      else if (text.startsWith('# ')) conversation ??= text.slice(2).trim();
      else if (text !== '---' && !isExported(text)) turns.add({ line, text });
      before = [before[1] as string, text.trim()];
    }
    yield* turns.end();
  },
};

const MOST_HEADING = 4096;

const isExported = (line: string) => EXPORTED.test(line.trim());

/** What the assistant does between its words, with what belongs to it in the lines below, indented. */
const STEP = /^\[(Thinking|Tool call|Tool result)\]/;
const QUERY = '<user_query>';
const QUERY_END = '</user_query>';

/**
 * What an agent of Cursor did: text in `~/.cursor/projects/FOLDER/agent-transcripts/ID.txt`. `user:` and `assistant:` in
 * lines of their own begin turns. Only what stands within `<user_query>` is the user's; the client adds the rest.
 */
export const cursorAgent: Format = {
  name: 'Cursor agent',

  recognises: ({ text }) => /^\s*user:[ \t]*\r?\n/.test(text) && /^<user_query>/m.test(text),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const turns = new Gatherer(tally);
    let isQuery = false;
    let isStep = false;
    for await (const { line, text } of textLinesOf(source, tally)) {
      const mark = text.trimEnd();
      const step = STEP.exec(text)?.[1];
      if (!isQuery && (mark === 'user:' || mark === 'assistant:')) {
        isStep = false;
        yield* turns.begin({ role: mark === 'user:' ? 'person' : 'assistant', line });
      } else if (turns.opening?.role === 'person') {
        const { said, isOpen } = queryIn(text, isQuery);
        if (said !== undefined) turns.add({ line, text: said });
        else if (mark !== '') tally.add('injected', 'text of the client', line);
        isQuery = isOpen;
      } else if (step) {
        isStep = true;
        tally.add('other', step, line);
      } else {
        isStep &&= /^\s|^$/.test(text);
        if (!isStep) turns.add({ line, text });
      }
    }
    yield* turns.end();
  },
};

/** What of a line is the user's, given whether the query has begun before it; and whether it goes on below. */
function queryIn(line: string, isWithin: boolean): { said: string | undefined; isOpen: boolean } {
  const begin = line.indexOf(QUERY);
  if (!isWithin && begin < 0) return { said: undefined, isOpen: false };
  const said = isWithin ? line : line.slice(begin + QUERY.length);
  const end = said.indexOf(QUERY_END);
  return { said: end < 0 ? said : said.slice(0, end), isOpen: end < 0 };
}
