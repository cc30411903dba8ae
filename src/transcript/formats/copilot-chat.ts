import { documentOf } from '../read/json-document.ts';
import { isObject, recordsOf } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, textIn, timeOf, valueAt } from './parts.ts';

const LOG = /^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/;
const SESSION = /"(?:creationDate|requests)"\s*:/;
const HEAD = 256;

/**
 * Chats of Copilot in VS Code: `workspaceStorage/ID/chatSessions/SESSION.json`, an object with `requests`, each with what
 * the user wrote in `message` and a list of parts in `response`; or `SESSION.jsonl`, a log of the changes to such an object:
 *
 *     {"kind": 0, "v": {"version": 3, "requests": []}}                        the whole object
 *     {"kind": 1, "k": ["requests", 0, "message"], "v": {"text": "Hi"}}       sets a value
 *     {"kind": 2, "k": ["requests", 0, "response"], "i": 1, "v": [{}]}        cuts a list to `i` items, and adds some
 *     {"kind": 3, "k": ["requests", 0, "response"]}                           removes a value
 */
export const copilotChat: Format = {
  name: 'Copilot Chat',

  recognises({ text, keys, isList }) {
    if (LOG.test(text)) return SESSION.test(text);
    return keys.has('requests') && (keys.has('sessionId') || keys.has('responderUsername')) && !isList;
  },

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const chat = new Chat(tally);
    if (LOG.test((await headOf(source, HEAD)).toString())) {
      for await (const { line, record } of recordsOf(source, tally)) chat.apply(record, line);
    } else {
      const session = await documentOf(source, tally);
      if (session) chat.apply({ kind: 0, v: session }, 1);
    }
    yield* chat.turns();
  },
};

/** What a request has that is needed here. What a client keeps of it besides is most of the file. */
const FIELDS = ['requestId', 'timestamp', 'message', 'response', 'isSystemInitiated'];
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
/** Changes after so much are passed over, in UTF-16 units of JSON. */
const MOST_TEXT = 256 * 1024 * 1024;

type Path = readonly (string | number)[];

class Chat {
  readonly #tally: Tally;
  #session: JsonObject = {};
  /** In which line of the file requests and parts of responses came. */
  readonly #lines = new WeakMap<object, number>();
  /** The lines of all requests there ever were, by id. */
  readonly #asked = new Map<string, number>();
  #length = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  apply(change: JsonObject, line: number): void {
    const { kind, i: cut } = change;
    const path = pathOf(change.k);
    if (kind === 0 && isObject(change.v)) {
      this.#session = { requests: this.#kept(['requests'], valueAt(change.v, 'requests'), line) };
    } else if (typeof kind === 'number' && kind > 3) {
      this.#tally.add('unknown', `change ${kind}`, line);
    } else if (!path) {
      this.#tally.add('unreadable', 'change', line);
    } else if (path[0] !== 'requests' || (path.length > 2 && !FIELDS.includes(String(path[2])))) {
      this.#tally.add('other', `change of ${path[path.length > 2 ? 2 : 0]}`, line);
    } else {
      const value = this.#kept(path, change.v, line);
      this.#length += JSON.stringify(value ?? null).length;
      if (this.#length > MOST_TEXT) this.#tally.add('too long', 'change', line);
      else if (!this.#change(kind, path, value, cut)) this.#tally.add('unreadable', 'change', line);
    }
  }

  /** Whether the change could be made. */
  #change(kind: unknown, path: Path, value: unknown, cut: unknown): boolean {
    if (kind === 1 || kind === 3) return this.#set(path, value);
    if (kind !== 2) return false;
    const list = this.#at(path) ?? [];
    if (!Array.isArray(list)) return false;
    const length = typeof cut === 'number' ? cut : list.length;
    return this.#set(path, [...list.slice(0, length), ...(Array.isArray(value) ? value : [])]);
  }

  #set(path: Path, value: unknown): boolean {
    const parent = this.#at(path.slice(0, -1));
    const key = path.at(-1);
    const isPlace = Array.isArray(parent)
      ? typeof key === 'number' && key <= parent.length
      : isObject(parent) && typeof key === 'string';
    if (isPlace) (parent as Record<string | number, unknown>)[key as string | number] = value;
    return isPlace;
  }

  #at(path: Path): unknown {
    return path.reduce<unknown>(
      (value, key) =>
        typeof key === 'string' ? valueAt(value, key) : Array.isArray(value) ? value[key] : undefined,
      this.#session,
    );
  }

  /** What is kept of a value that a change brings. */
  #kept(path: Path, value: unknown, line: number): unknown {
    if (path.length === 1 && Array.isArray(value)) {
      return value.map((request) => this.#kept([...path, 0], request, line));
    }
    if (path.length === 2 && isObject(value)) {
      const id = textAt(value, 'requestId');
      if (id !== undefined && !this.#asked.has(id)) this.#asked.set(id, line);
      const fields = FIELDS.map((field) => [field, valueAt(value, field)] as const);
      const request = Object.fromEntries(fields);
      this.#mark([request, ...(listAt(request, 'response') ?? [])], line);
      return request;
    }
    if (path[2] === 'response') this.#mark(Array.isArray(value) ? value : [value], line);
    return value;
  }

  #mark(values: readonly unknown[], line: number): void {
    for (const value of values) if (isObject(value)) this.#lines.set(value, line);
  }

  *turns(): Generator<Turn> {
    const requests = listAt(this.#session, 'requests') ?? [];
    for (const request of requests) {
      this.#asked.delete(textAt(request, 'requestId') ?? '');
      if (isObject(request)) yield* this.#turnsOf(request);
      else this.#tally.add('unreadable', 'request', 1);
    }
    for (const line of this.#asked.values()) this.#tally.add('hidden', 'request that was taken back', line);
  }

  *#turnsOf(request: JsonObject): Generator<Turn> {
    const line = this.#lines.get(request) ?? 1;
    const id = textAt(request, 'requestId');
    const time = timeOf(valueAt(request, 'timestamp'));
    const text = writtenIn(valueAt(request, 'message'));
    if (valueAt(request, 'isSystemInitiated') === true) this.#tally.add('injected', 'request', line);
    else if (text === '') this.#tally.add('empty', 'message', line);
    else yield { role: 'person', text, line, id, time };

    const said: { text: string; line: number }[] = [];
    const told: string[] = [];
    let isParagraph = true;
    for (const part of listAt(request, 'response') ?? []) {
      const at = (isObject(part) && this.#lines.get(part)) || line;
      const text = saidIn(part);
      const last = said.at(-1);
      if (text !== undefined && last && !isParagraph) last.text += text;
      else if (text !== undefined) said.push({ text, line: at });
      isParagraph = text === undefined;
      const output = toldIn(part);
      if (output !== '') told.push(output);
      else if (text === undefined) this.#tally.add('other', textAt(part, 'kind') ?? 'part', at);
    }
    const turns: Turn[] = [
      { role: 'assistant', text: joined(said.map(({ text }) => text)), line: said[0]?.line ?? line },
      { role: 'tool', text: joined(told), line },
    ];
    for (const turn of turns) {
      if (turn.text !== '') yield { ...turn, id: id && `${id} ${turn.role}`, time };
    }
  }
}

/** A path of names and indexes; `undefined` for what is none, or leads out of the object. */
function pathOf(value: unknown): Path | undefined {
  const isPath =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((key) =>
      typeof key === 'string' ? !FORBIDDEN.has(key) : Number.isSafeInteger(key) && key >= 0,
    );
  return isPath ? value : undefined;
}

function writtenIn(message: unknown): string {
  return textIn(
    typeof message === 'string' ? message : (textAt(message, 'text') ?? listAt(message, 'parts')),
  );
}

/** What a part of a response says: Markdown in pieces, with the names of files and symbols between them. */
function saidIn(part: unknown): string | undefined {
  const kind = textAt(part, 'kind');
  if (kind === undefined) return textAt(part, 'value');
  if (kind === 'markdownContent') {
    return textAt(part, 'content') ?? textAt(objectAt(part, 'content'), 'value');
  }
  return kind === 'inlineReference' ? referenceIn(part) : undefined;
}

function referenceIn(part: unknown): string | undefined {
  const to = objectAt(part, 'inlineReference');
  const path = textAt(to, 'path') ?? textAt(objectAt(to, 'uri'), 'path');
  return textAt(part, 'name') ?? textAt(to, 'name') ?? path?.split('/').at(-1);
}

function toldIn(part: unknown): string {
  const results = listAt(objectAt(part, 'resultDetails'), 'output') ?? [];
  const terminal = objectAt(objectAt(part, 'toolSpecificData'), 'terminalCommandOutput');
  const texts = results.map((result) =>
    valueAt(result, 'isText') === true ? textAt(result, 'value') : undefined,
  );
  return joined([...texts, textAt(terminal, 'text')]);
}
