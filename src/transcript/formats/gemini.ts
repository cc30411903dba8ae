import { objectsOf } from '../read/json-document.ts';
import { isObject, type LineRecord, parsed, recordsOf } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, timeOf, valueAt, withoutElements } from './parts.ts';

/** The first line of a file that isn't one document is never longer, in bytes. */
const LONGEST_FIRST_LINE = 64 * 1024;

/** So much text can be changed by later lines; what is older than that is given out as it is, in UTF-16 units. */
export const MOST_TEXT = 8 * 1024 * 1024;
/** A message takes up so much besides its text. */
const OVERHEAD = 256;

/** What Gemini CLI writes into a user's message by itself. */
const INJECTED = /^(?:<state_snapshot>|This is the Gemini CLI\. We are setting up the context for our chat)/;
const CONTEXTS = ['session_context', 'hook_context'];
const FILES = /(?:^|\n)--- Content from referenced files ---[\s\S]*$/;

/**
 * Sessions of Gemini CLI in `~/.gemini/tmp/PROJECT/chats`. Older ones are one object (`session-*.json`):
 * `{sessionId, projectHash, messages: […]}`. Newer ones are JSON Lines (`session-*.jsonl`): such an object without messages,
 * then a message in each line, or a change: a message with an `id` that was there before takes its place,
 * `{$set: {messages: […]}}` takes the place of all, `{$rewindTo: ID}` removes that one and all after it, or all there are if
 * it isn't there.
 */
export const gemini: Format = {
  name: 'Gemini CLI',

  recognises: ({ keys, isList }) => keys.has('sessionId') && keys.has('projectHash') && !isList,

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const replay = new Replay(tally);
    for await (const { line, record } of await recordsIn(source, tally)) {
      replay.apply(record, line);
      yield* replay.settled();
    }
    yield* replay.rest();
  },
};

/** The records of a file that has one in each line, or is one document. */
async function recordsIn(source: Source, tally: Tally): Promise<AsyncIterable<LineRecord>> {
  const [first = ''] = (await headOf(source, LONGEST_FIRST_LINE)).toString().trimStart().split('\n', 1);
  return isObject(parsed(first)) ? recordsOf(source, tally) : objectsOf(source, tally);
}

/** What a message says, and what of it is left out. */
interface Message {
  readonly line: number;
  readonly turns: readonly Turn[];
  readonly leftOut: readonly (readonly ['other' | 'injected' | 'empty' | 'unknown', string])[];
}

/** Applies changes to messages. */
class Replay {
  readonly #tally: Tally;
  readonly #messages = new Map<string, Message>();
  #length = 0;
  #isAgents = false;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  apply(record: JsonObject, line: number): void {
    const changes = objectAt(record, '$set') ?? record;
    const rewindTo = textAt(record, '$rewindTo');
    const messages = listAt(changes, 'messages');
    if (rewindTo !== undefined) this.#rewind(rewindTo);
    else if (textAt(record, 'id') !== undefined) this.#put(record, line);
    else {
      if (textAt(changes, 'kind') === 'subagent') this.#isAgents = true;
      if (messages) this.#replace(messages, line);
      else this.#tally.add('other', 'metadata', line);
    }
  }

  /** The oldest turns, if there is more text than can be kept. */
  *settled(): Generator<Turn> {
    for (const [id, message] of this.#messages) {
      if (this.#length <= MOST_TEXT) return;
      this.#remove(id);
      yield* this.#told(message);
    }
  }

  *rest(): Generator<Turn> {
    for (const message of this.#messages.values()) yield* this.#told(message);
  }

  *#told({ turns, leftOut, line }: Message): Generator<Turn> {
    for (const [reason, what] of leftOut) this.#tally.add(reason, what, line);
    yield* turns;
  }

  #put(record: unknown, line: number): void {
    const id = textAt(record, 'id');
    if (id === undefined) {
      this.#tally.add('unreadable', 'message', line);
      return;
    }
    const message = messageOf(record, id, line, this.#isAgents);
    this.#length += lengthOf(message) - lengthOf(this.#messages.get(id));
    this.#messages.set(id, message);
  }

  #replace(messages: readonly unknown[], line: number): void {
    const before = new Map(this.#messages);
    this.#messages.clear();
    this.#length = 0;
    for (const message of messages) this.#put(message, line);
    for (const [id, { line }] of before) {
      if (!this.#messages.has(id)) this.#tally.add('hidden', 'message that was taken out', line);
    }
  }

  #rewind(to: string): void {
    const ids = [...this.#messages.keys()];
    for (const id of ids.slice(Math.max(ids.indexOf(to), 0))) {
      this.#tally.add('hidden', 'message that was taken back', this.#messages.get(id)?.line ?? 1);
      this.#remove(id);
    }
  }

  #remove(id: string): void {
    this.#length -= lengthOf(this.#messages.get(id));
    this.#messages.delete(id);
  }
}

function messageOf(record: unknown, id: string, line: number, isAgents: boolean): Message {
  const type = textAt(record, 'type') ?? '';
  if (type !== 'user' && type !== 'gemini') {
    const reason = ['info', 'error', 'warning'].includes(type) ? 'other' : 'unknown';
    return { line, turns: [], leftOut: [[reason, type]] };
  }
  const leftOut: ['other' | 'injected' | 'empty', string][] = [];
  const content = partsOf(valueAt(record, 'content'));
  const shown = type === 'user' ? partsOf(valueAt(record, 'displayContent')) : [];
  for (const part of content) {
    const other = otherIn(part);
    if (other !== undefined) leftOut.push(['other', other]);
  }
  leftOut.push(...(listAt(record, 'toolCalls') ?? []).map(() => ['other', 'tool call'] as ['other', string]));
  leftOut.push(...(listAt(record, 'thoughts') ?? []).map(() => ['other', 'thought'] as ['other', string]));

  const written = joined(content.map(saidIn));
  const said = joined(shown.map(saidIn)) || written;
  const text = type === 'user' ? typedIn(said) : said;
  if (text !== written) leftOut.push(['injected', 'text of the client']);
  const results = (listAt(record, 'toolCalls') ?? []).flatMap((call) => partsOf(valueAt(call, 'result')));
  const told = joined([...content, ...results].map(toldIn));

  const role: Role = type === 'user' && !isAgents ? 'person' : 'assistant';
  const time = timeOf(valueAt(record, 'timestamp'));
  const turns: Turn[] = [
    { role, text, line, id, time },
    { role: 'tool', text: told, line, id: `${id} tool`, time },
  ];
  if (text === '' && told === '' && leftOut.length === 0) leftOut.push(['empty', type]);
  return { line, turns: turns.filter(({ text }) => text !== ''), leftOut };
}

/** What a message takes up, in UTF-16 units. */
function lengthOf(message: Message | undefined): number {
  return message ? message.turns.reduce((sum, { text }) => sum + text.length, OVERHEAD) : 0;
}

/** What a user typed, without what the client put in. */
function typedIn(text: string): string {
  return INJECTED.test(text) ? '' : withoutElements(text, CONTEXTS).replace(FILES, '').trim();
}

/** A content is a text, a part or a list of both. */
function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function saidIn(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return valueAt(part, 'thought') === true ? undefined : textAt(part, 'text');
}

function toldIn(part: unknown): string | undefined {
  const response = valueAt(objectAt(part, 'functionResponse'), 'response');
  return textAt(response, 'output') ?? textAt(response, 'error');
}

/** What a part is that nobody said; `undefined` for one that somebody did. */
function otherIn(part: unknown): string | undefined {
  if (valueAt(part, 'thought') === true) return 'thought';
  if (saidIn(part) !== undefined || toldIn(part) !== undefined) return undefined;
  return isObject(part) ? (Object.keys(part)[0] ?? 'part') : 'part';
}
