import { recordsOf } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { Gatherer, textLinesOf } from './gather.ts';
import { joined, objectAt, textAt, textIn, timeOf, valueAt, withoutElements } from './parts.ts';

const QUERY = '<user_query>';
const QUERY_END = '</user_query>';
const HEAD = 64;

/**
 * What an agent of Cursor did, in `~/.cursor/projects/FOLDER/agent-transcripts`: text in `ID.txt`, or JSON Lines in
 * `ID/ID.jsonl`. Only what stands within `<user_query>` is the user's; the client adds the rest.
 */
export const cursorAgent: Format = {
  name: 'Cursor agent',

  recognises: ({ text, records }) => isText(text) || records.some(isMessage),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const isLog = (await headOf(source, HEAD)).toString().trimStart().startsWith('{');
    yield* isLog ? turnsOfLog(source, tally) : turnsOfText(source, tally);
  },
};

const isText = (text: string) => /^\s*user:[ \t]*\r?\n/.test(text) && /^<user_query>/m.test(text);

/** What the assistant does between its words, with what belongs to it in the lines below, indented. */
const STEP = /^\[(Thinking|Tool call|Tool result)\]/;

/** `user:` and `assistant:` in lines of their own begin turns. */
async function* turnsOfText(source: Source, tally: Tally): AsyncGenerator<Turn> {
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
}

/** What of a line is the user's, given whether the query has begun before it; and whether it goes on below. */
function queryIn(line: string, isWithin: boolean): { said: string | undefined; isOpen: boolean } {
  const begin = line.indexOf(QUERY);
  if (!isWithin && begin < 0) return { said: undefined, isOpen: false };
  const said = isWithin ? line : line.slice(begin + QUERY.length);
  const end = said.indexOf(QUERY_END);
  return { said: end < 0 ? said : said.slice(0, end), isOpen: end < 0 };
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'person'],
  ['assistant', 'assistant'],
]);

function isMessage(record: JsonObject): boolean {
  const isSpoken = ROLES.has(textAt(record, 'role') ?? '') && textAt(record, 'type') === undefined;
  return isSpoken && valueAt(objectAt(record, 'message'), 'content') !== undefined;
}

/** Agents of an agent have their files here. What they are told to do is the assistant's own. */
const OF_AGENT = /[\\/]subagents[\\/][^\\/]*$/;
/** Takes the place of what the assistant thought. */
const THOUGHT = /(?:^|\n\n)\[REDACTED\](?=\n\n|$)/g;

/**
 * Each line is `{role, message: {content}}`, or tells how the agent ended. Only a user's message has a time, to the
 * minute; what follows has no other.
 */
async function* turnsOfLog(source: Source, tally: Tally): AsyncGenerator<Turn> {
  const isOfAgent = OF_AGENT.test(source.path);
  let time: string | undefined;
  for await (const { line, record } of recordsOf(source, tally)) {
    const name = textAt(record, 'role') ?? '';
    const role = ROLES.get(name);
    if (!role) {
      if (name === '') tally.add('other', textAt(record, 'type') ?? '', line);
      else tally.add('unknown', name, line);
      continue;
    }
    const content = valueAt(objectAt(record, 'message'), 'content');
    const blocks = Array.isArray(content) ? content : [];
    const written = textIn(content);
    if (role === 'person') time = timeIn(written) ?? time;
    const { said, leftOut } = role === 'person' ? typedIn(written) : answeredIn(written);
    const told = joined(blocks.map(resultIn));
    if (said !== '') yield { role: isOfAgent ? 'assistant' : role, text: said, line, time };
    if (told !== '') yield { role: 'tool', text: told, line, time };
    const others = blocks.filter(
      (block) => textAt(block, 'text') === undefined && resultIn(block) === undefined,
    );
    if (leftOut) tally.add(...leftOut, line);
    for (const block of others) tally.add('other', textAt(block, 'type') ?? 'block', line);
    if (written + told === '' && others.length === 0) tally.add('empty', name, line);
  }
}

function resultIn(block: unknown): string | undefined {
  return textAt(block, 'type') === 'tool_result' ? textIn(valueAt(block, 'content')) : undefined;
}

/** What of a text somebody said, and why the rest is left out. */
interface Said {
  readonly said: string;
  readonly leftOut?: readonly ['injected' | 'other', string] | undefined;
}

function answeredIn(text: string): Said {
  const said = text.replace(THOUGHT, '').trim();
  return { said, leftOut: said === text ? undefined : ['other', 'thinking'] };
}

/** What the client asks for in a user's name when an agent of the agent has ended. */
const ASKED_BY_CLIENT =
  /^(?:The (?:beginning of the )?above subagent result is already visible|Briefly inform the user about the task result)/;

/** A query ends where it last may: the user may have pasted one. Without any, what begins with a tag is the client's. */
function typedIn(text: string): Said {
  const rest = withoutElements(text, ['timestamp']).trim();
  const begin = rest.indexOf(QUERY);
  const end = rest.lastIndexOf(QUERY_END);
  const query = rest.slice(begin + QUERY.length, end > begin ? end : undefined).trim();
  const said = begin < 0 ? rest : query;
  const isClients = ASKED_BY_CLIENT.test(said) || (begin < 0 && said.startsWith('<'));
  const isWhole = begin <= 0 && (end < 0 || end + QUERY_END.length === rest.length);
  const leftOut = isClients || !isWhole ? (['injected', 'text of the client'] as const) : undefined;
  return { said: isClients ? '' : said, leftOut };
}

/** `Friday, May 8, 2026, 6:05 AM (UTC+5:30)`; without a zone it is local time. */
const TIMESTAMP =
  /<timestamp>\s*(?:\p{L}+,? )?([^<(]{1,40})(?:\(UTC(?:([+-])(\d{1,2})(?::?(\d\d))?)?\))?\s*<\/timestamp>/u;

function timeIn(text: string): string | undefined {
  const [zone, moment = '', sign, hours = '', minutes = '00'] = TIMESTAMP.exec(text) ?? [];
  if (zone === undefined) return undefined;
  if (!zone.includes('(UTC')) return timeOf(moment);
  return timeOf(`${moment} GMT${sign ? `${sign}${hours.padStart(2, '0')}${minutes}` : ''}`);
}
