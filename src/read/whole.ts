import { type JsonEvents, JsonWalk, type Place as Token } from '../json/walk.ts';
import { standInKey } from '../spool/envelope.ts';
import type { Kept, Part } from '../spool/types.ts';
import { decodeText, wholeLength } from '../text/wtf8.ts';
import { standsAsText } from './parts.ts';
import { after, mended, type Place, START } from './place.ts';
import { FileSource, type Source } from './source.ts';

/** What is read at once, in bytes: whole groups of base64. */
const CHUNK = 48 * 1024;

/** Where the stretches of so many results come from is remembered: pages are mostly read one after the other. */
const MOST_KNOWN = 8;

/** By the envelope's path, the one that was asked for last at the end. What is kept doesn't change. */
const known = new Map<string, Promise<WholeResult>>();

/**
 * The JSON of a whole result: the envelope, with what its parts say in the places of what stands for them. Nothing is
 * held but where each stretch of it comes from; to know that, all parts are read once.
 *
 * Throws `NOT_IN_SPOOL` if a file has been deleted or can't be read.
 */
export async function wholeOf(kept: Kept, envelope: Part): Promise<Source> {
  const whole = known.get(envelope.path) ?? WholeResult.of(kept, envelope);
  known.delete(envelope.path);
  known.set(envelope.path, whole);
  for (const path of [...known.keys()].slice(0, -MOST_KNOWN)) known.delete(path);
  try {
    return await whole;
  } catch (error) {
    known.delete(envelope.path);
    throw error;
  }
}

/** A stretch of the whole that is read at once. */
interface Stretch {
  readonly start: Place;
  /** In bytes. */
  readonly length: number;
  readonly load: () => Promise<Buffer>;
}

class WholeResult implements Source {
  readonly #stretches: Stretch[] = [];
  #end = START;
  /** The one that was read last. */
  #loaded: { readonly stretch: Stretch; readonly bytes: Buffer } | undefined;

  static async of(kept: Kept, envelope: Part): Promise<WholeResult> {
    const whole = new WholeResult();
    const file = await FileSource.open(envelope);
    try {
      let at = 0;
      for (const { from, to, part } of await standInsIn(file, kept)) {
        await whole.#addFile(envelope, file, { from: at, to: from, coding: PLAIN });
        await whole.#addPart(part);
        at = to;
      }
      await whole.#addFile(envelope, file, { from: at, to: file.bytes, coding: PLAIN });
      return whole;
    } finally {
      await file.close();
    }
  }

  get bytes(): number {
    return this.#end.bytes;
  }

  get chars(): number {
    return this.#end.chars;
  }

  get lines(): number {
    return this.#end.lines;
  }

  get checkpoints(): Place[] {
    return this.#stretches.map(({ start }) => start);
  }

  async read(from: number, length: number): Promise<Buffer> {
    const to = Math.min(from + length, this.bytes);
    const pieces: Buffer[] = [];
    let at = from;
    let index = this.#stretches.findLastIndex(({ start }) => start.bytes <= from);
    while (at < to) {
      const stretch = this.#stretches[index++] as Stretch;
      const bytes = (await this.#load(stretch)).subarray(at - stretch.start.bytes, to - stretch.start.bytes);
      pieces.push(bytes);
      at = stretch.start.bytes + stretch.length;
    }
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {}

  async #load(stretch: Stretch): Promise<Buffer> {
    if (this.#loaded?.stretch !== stretch) this.#loaded = { stretch, bytes: await stretch.load() };
    return this.#loaded.bytes;
  }

  async #addPart(part: Part): Promise<void> {
    const coding = codingOf(part);
    const path = part.encoded ?? part.path;
    const file = await FileSource.open(part, path);
    try {
      if (part.key !== undefined) this.#addWords(`{${JSON.stringify(part.key)}:`);
      if (coding.isQuoted) this.#addWords('"');
      await this.#addFile(part, file, { from: 0, to: file.bytes, coding, path });
      if (coding.isQuoted) this.#addWords('"');
      if (part.key !== undefined) this.#addWords('}');
    } finally {
      await file.close();
    }
  }

  #addWords(words: string): void {
    const bytes = Buffer.from(words);
    this.#add(bytes, async () => bytes);
  }

  async #addFile(
    part: Part,
    file: Source,
    { from, to, coding, path }: { from: number; to: number; coding: Coding; path?: string },
  ): Promise<void> {
    for (let at = from; at < to; ) {
      const bytes = await file.read(at, Math.min(CHUNK, to - at));
      const length = (at + bytes.length < to && coding.whole(bytes)) || bytes.length;
      if (length === 0) return;
      const start = at;
      this.#add(coding.encode(bytes.subarray(0, length)), async () => {
        const source = await FileSource.open(part, path);
        try {
          return coding.encode(await source.read(start, length));
        } finally {
          await source.close();
        }
      });
      at += length;
    }
  }

  #add(bytes: Buffer, load: () => Promise<Buffer>): void {
    if (bytes.length === 0) return;
    this.#stretches.push({ start: this.#end, length: bytes.length, load });
    this.#end = after(this.#end, mended(bytes).toString());
  }
}

/** How the bytes of a file stand in JSON. */
interface Coding {
  readonly isQuoted: boolean;
  /** How many of the bytes can be encoded without those that follow. */
  whole(bytes: Uint8Array): number;
  encode(bytes: Buffer): Buffer;
}

const PLAIN: Coding = { isQuoted: false, whole: wholeLength, encode: (bytes) => bytes };
const QUOTED: Coding = {
  isQuoted: true,
  whole: wholeLength,
  encode: (bytes) => Buffer.from(JSON.stringify(decodeText(bytes)).slice(1, -1)),
};
const BASE64: Coding = {
  isQuoted: true,
  whole: ({ length }) => length - (length % 3),
  encode: (bytes) => Buffer.from(bytes.toString('base64')),
};

function codingOf(part: Part): Coding {
  if (part.kind === 'media' && part.encoded === undefined) return BASE64;
  return standsAsText(part) ? QUOTED : PLAIN;
}

/** What stands in the envelope for a part: from its bracket that opens to behind the one that closes, in bytes. */
interface StandIn {
  readonly from: number;
  readonly to: number;
  readonly part: Part;
}

async function standInsIn(file: Source, kept: Kept): Promise<StandIn[]> {
  const finder = new StandInFinder(kept);
  const walk = new JsonWalk(finder);
  for (let at = 0; at < file.bytes; ) {
    const bytes = await file.read(at, CHUNK);
    if (bytes.length === 0) break;
    walk.write(bytes);
    at += bytes.length;
  }
  walk.finish();
  return finder.found;
}

/** Finds the objects whose one key is that of stand-ins, and whose value is the name of a part. */
class StandInFinder implements JsonEvents {
  readonly found: StandIn[] = [];
  readonly #kept: Kept;
  readonly #key: string;
  /** What has come of one, if all that has come may be one. */
  #open: { readonly from: number; hasKey: boolean; name: string | undefined } | undefined;

  constructor(kept: Kept) {
    this.#kept = kept;
    this.#key = standInKey(kept.handle);
  }

  openObject(at: Token): void {
    this.#open = { from: at.start, hasKey: false, name: undefined };
  }

  key(key: string): void {
    if (key === this.#key && this.#open && !this.#open.hasKey) this.#open.hasKey = true;
    else this.#open = undefined;
  }

  openText(): void {
    if (this.#open?.hasKey) this.#open.name = '';
    else this.#open = undefined;
  }

  text(piece: string): void {
    if (this.#open) this.#open.name += piece;
  }

  closeText(): void {}

  closeObject(at: Token): void {
    const name = this.#open?.name;
    const part = name === undefined ? undefined : this.#kept.parts.find((other) => other.name === name);
    if (this.#open && part) this.found.push({ from: this.#open.from, to: at.end, part });
    this.#open = undefined;
  }

  openArray(): void {
    this.#open = undefined;
  }

  closeArray(): void {
    this.#open = undefined;
  }

  value(): void {
    this.#open = undefined;
  }
}
