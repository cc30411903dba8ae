import { tmpdir } from 'node:os';
import { JsonError, JsonWalk } from '../json/walk.ts';
import { type Head, HeadFinder, headOf } from './head.ts';
import { placesIn } from './places.ts';
import { RawBytes } from './raw.ts';
import type { Frame } from './types.ts';

export interface FrameOptions {
  /** Where large frames are kept while they are dealt with; by default among the system's temporary files. */
  readonly folder?: string | undefined;
}

/** Up to this size a frame is held in memory and parsed at once, in bytes. */
const SMALL = 512 * 1024;

/** Large frames are worked on in pieces of so many bytes, with other work between. */
const SLICE = 64 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const BLANKS = new Set([0x20, 0x09, RETURN]);

const DONE: Promise<void> = Promise.resolve();

/**
 * Reads JSON-RPC messages, one a line, of any size. Frames up to 512 KB are parsed. Larger ones are never held in
 * memory: their bytes wait in a file that has no name, from which they can be read while others come; but batches are
 * held, for their messages. Lines of white space are passed over, and so is a byte order mark before a message, which
 * RFC 8259 lets a parser ignore. What stands after the last line end is a frame if it is JSON, and a torn one if it
 * isn't.
 */
export async function* readFrames(
  source: AsyncIterable<Uint8Array>,
  options: FrameOptions = {},
): AsyncGenerator<Frame> {
  const line = new Gatherer(options);
  try {
    for await (const bytes of source) {
      const chunk = bufferOf(bytes);
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const added = line.add(chunk.subarray(from, end));
        if (added) await added;
        if (!line.isBlank) yield await line.finish(false);
        line.clear();
        from = end + 1;
      }
      const added = line.add(chunk.subarray(from));
      if (added) await added;
    }
    if (!line.isBlank) yield await line.finish(true);
    line.clear();
  } finally {
    await line.drop();
  }
}

/** Reads one message of any size, which is all there is. It needn't be on one line. */
export async function readFrame(
  source: AsyncIterable<Uint8Array>,
  options: FrameOptions = {},
): Promise<Frame> {
  const body = new Gatherer(options);
  try {
    for await (const bytes of source) await body.add(bufferOf(bytes));
    const frame = await body.finish(false);
    body.clear();
    return frame;
  } finally {
    await body.drop();
  }
}

/** The message that bytes are, which is parsed whatever its size. */
export function frameOf(bytes: Buffer): Frame {
  return new SmallFrame(bytes, false);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}

/** Gathers one frame. */
class Gatherer {
  readonly #options: FrameOptions;
  #pieces: Buffer[] = [];
  #size = 0;
  #large: LargeReader | undefined;

  constructor(options: FrameOptions) {
    this.#options = options;
  }

  get isBlank(): boolean {
    if (this.#large) return false;
    return this.#pieces.every((piece) => piece.every((byte) => BLANKS.has(byte)));
  }

  /** Adds the next bytes. A promise is to be waited for. */
  add(piece: Buffer): Promise<void> | undefined {
    if (piece.length === 0) return undefined;
    if (this.#large) return this.#large.write([piece]);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= SMALL) return undefined;
    this.#large = new LargeReader(this.#options);
    return this.#large.write([withoutMark(Buffer.concat(this.#pieces.splice(0)))]);
  }

  /** The frame. If it isn't JSON it may be torn. */
  finish(mayBeTorn: boolean): Frame | Promise<Frame> {
    if (this.#large) return this.#large.finish(mayBeTorn);
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#size);
    return new SmallFrame(bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes, mayBeTorn);
  }

  /** Begins anew: the frame is somebody else's. */
  clear(): void {
    this.#pieces = [];
    this.#size = 0;
    this.#large = undefined;
  }

  /** Gives up what has been gathered. */
  async drop(): Promise<void> {
    await this.#large?.drop();
    this.clear();
  }
}

class SmallFrame implements Frame {
  readonly size: number;
  readonly message: unknown;
  readonly isJson: boolean;
  readonly torn: boolean;
  readonly id: Frame['id'];
  readonly idText: string | undefined;
  readonly method: string | undefined;
  readonly answers: Frame['answers'];
  about?: Frame['about'];
  readonly #bytes: Buffer;

  constructor(given: Buffer, mayBeTorn: boolean) {
    const bytes = withoutMark(given);
    this.#bytes = bytes;
    this.size = bytes.length;
    this.message = parsed(bytes);
    this.isJson = this.message !== undefined;
    this.torn = mayBeTorn && !this.isJson;
    const { id, method, answers } = headOf(this.message);
    this.id = id;
    this.idText = typeof id === 'number' && !Number.isSafeInteger(id) ? idTextIn(bytes) : undefined;
    this.method = method;
    this.answers = answers;
  }

  bytes(from?: number, to?: number): Buffer {
    return from === undefined ? this.#bytes : this.#bytes.subarray(from, to);
  }

  release(): Promise<void> {
    return DONE;
  }
}

function idTextIn(json: Buffer): string | undefined {
  const place = placesIn(json, (path) => path.length === 1 && path[0] === 'id').at(-1);
  return place && json.toString('utf8', place.from, place.to);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Reads a frame that isn't held in memory. */
class LargeReader {
  readonly #raw: RawBytes;
  readonly #finder = new HeadFinder();
  #walk: JsonWalk | undefined = new JsonWalk(this.#finder);
  #last: number | undefined;

  constructor(options: FrameOptions) {
    this.#raw = new RawBytes(options.folder ?? tmpdir());
  }

  async write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; from += SLICE) {
        const slice = piece.subarray(from, from + SLICE);
        const written = this.#raw.write(slice);
        this.#try((walk) => walk.write(slice));
        await written;
      }
      this.#last = piece.at(-1);
    }
  }

  finish(mayBeTorn: boolean): Frame | Promise<Frame> {
    this.#try((walk) => walk.finish());
    const size = this.#last === RETURN ? this.#raw.size - 1 : this.#raw.size;
    if (!this.#walk) return new LargeFrame(this.#raw, { ...NO_HEAD, size, isJson: false, torn: mayBeTorn });
    const { head, isBatch } = this.#finder;
    if (isBatch) return this.#whole();
    return new LargeFrame(this.#raw, { ...head, size, isJson: true, torn: false });
  }

  /** A batch, in memory: each of its messages is looked at. */
  async #whole(): Promise<Frame> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#raw.read()) pieces.push(piece);
    await this.#raw.close();
    return new SmallFrame(Buffer.concat(pieces), false);
  }

  drop(): Promise<void> {
    return this.#raw.close();
  }

  #try(step: (walk: JsonWalk) => void): void {
    if (this.#walk && !isGoodJson(this.#walk, step)) this.#walk = undefined;
  }
}

const NO_HEAD: Head = { id: undefined, method: undefined, answers: undefined };

function isGoodJson(walk: JsonWalk, step: (walk: JsonWalk) => void): boolean {
  try {
    step(walk);
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

class LargeFrame implements Frame {
  readonly size: number;
  readonly message = undefined;
  readonly isJson: boolean;
  readonly torn: boolean;
  readonly id: Frame['id'];
  readonly idText: string | undefined;
  readonly method: string | undefined;
  readonly answers: Frame['answers'];
  about?: Frame['about'];
  readonly #raw: RawBytes;

  constructor(raw: RawBytes, facts: Head & Pick<Frame, 'size' | 'isJson' | 'torn'>) {
    this.#raw = raw;
    this.size = facts.size;
    this.isJson = facts.isJson;
    this.torn = facts.torn;
    this.id = facts.id;
    this.idText = facts.idText;
    this.method = facts.method;
    this.answers = facts.answers;
  }

  bytes(from = 0, to = this.size): AsyncIterable<Uint8Array> {
    return this.#raw.read(from, to);
  }

  release(): Promise<void> {
    return this.#raw.close();
  }
}
