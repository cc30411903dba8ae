import { type JsonEvents, JsonWalk, type Place } from '../../json/walk.ts';
import type { Payload } from './events.ts';
import { bufferOf } from './one-line.ts';

/** Gives the JSON that takes a value's place, if another one does. `raw` is the value as it is written. */
export type Replace = (raw: string) => string | undefined;

/** Which numbers and texts may be replaced, by the keys that lead to them, parted by spaces. */
export type Replacements = Readonly<Record<string, Replace>>;

/** No more of a value that may be replaced is held: no id is that long. In bytes. */
const LONGEST = 4096;

/**
 * The JSON with values replaced, whole or as it comes; all else is as it was. Throws a `JsonError` for what is no JSON.
 */
export function rewrite(json: Buffer, replacements: Replacements): Buffer;
export function rewrite(json: AsyncIterable<Uint8Array>, replacements: Replacements): AsyncGenerator<Buffer>;
export function rewrite(json: Payload, replacements: Replacements): Payload;
export function rewrite(json: Payload, replacements: Replacements): Payload {
  const rewriter = new Rewriter(replacements);
  if (!Buffer.isBuffer(json)) return rewritten(json, rewriter);
  return Buffer.concat([rewriter.write(json), rewriter.finish()]);
}

async function* rewritten(source: AsyncIterable<Uint8Array>, rewriter: Rewriter): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield rewriter.write(bufferOf(chunk));
  yield rewriter.finish();
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly replace: Replace;
}

class Rewriter implements JsonEvents {
  readonly #replacements: Replacements;
  readonly #prefixes: ReadonlySet<string>;
  readonly #walk = new JsonWalk(this);
  /** The keys of the objects that are open, and of the value at hand. */
  readonly #path: string[] = [];
  readonly #edits: Edit[] = [];
  /** Whether the object at hand has nothing to replace. */
  #isSkipped = false;
  #textFrom = 0;
  /** What hasn't been given out yet, and where it starts. */
  #held: Buffer = Buffer.alloc(0);
  #base = 0;

  constructor(replacements: Replacements) {
    this.#replacements = replacements;
    this.#prefixes = new Set(Object.keys(replacements).flatMap(prefixesOf));
  }

  write(chunk: Buffer): Buffer {
    this.#walk.write(chunk);
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return this.#upTo(this.#walk.offset - LONGEST);
  }

  finish(): Buffer {
    this.#walk.finish();
    return this.#upTo(this.#walk.offset);
  }

  openObject(at: Place): void {
    this.#isSkipped = !this.#prefixes.has(this.#path.join(' '));
    if (this.#isSkipped) at.skip();
    else this.#path.push('');
  }

  closeObject(): void {
    if (this.#isSkipped) this.#isSkipped = false;
    else this.#path.pop();
  }

  openArray(at: Place): void {
    at.skip();
  }

  closeArray(): void {}

  key(key: string): void {
    this.#path[this.#path.length - 1] = key;
  }

  value(value: unknown, at: Place): void {
    if (value !== null && typeof value !== 'boolean') this.#found(at.start, at.end);
  }

  openText(at: Place): void {
    this.#textFrom = at.start;
    at.skip();
  }

  text(): void {}

  closeText(at: Place): void {
    this.#found(this.#textFrom, at.end);
  }

  #found(from: number, to: number): void {
    const replace = this.#replacements[this.#path.join(' ')];
    if (replace && to - from <= LONGEST) this.#edits.push({ from, to, replace });
  }

  /** Gives out what is before a byte, or before the edit it is in. */
  #upTo(end: number): Buffer {
    const pieces: Buffer[] = [];
    for (let edit = this.#edits.shift(); edit; edit = this.#edits.shift()) {
      pieces.push(this.#cut(edit.from));
      const raw = this.#cut(edit.to);
      const text = edit.replace(raw.toString('utf8'));
      pieces.push(text === undefined ? raw : Buffer.from(text));
    }
    pieces.push(this.#cut(end));
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  #cut(end: number): Buffer {
    const length = Math.max(0, end - this.#base);
    const cut = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    this.#base += cut.length;
    return cut;
  }
}

/** What leads to a value: nothing, its first key, its first two. */
function prefixesOf(path: string): string[] {
  const keys = path.split(' ');
  return keys.map((_, length) => keys.slice(0, length).join(' '));
}
