import { phraseOf } from '../../json/problem.ts';
import { JsonError, type JsonEvents, JsonWalk, type Place } from '../../json/walk.ts';
import { type Damage, damageAt } from './damage.ts';

/** The root, as a member. */
export const ROOT = 0;

/** Deeper ones are refused, as RFC 8259, section 9, allows: paths take time and memory by their length. */
const MOST_SECTIONS = 1000;

/** In sections of more bytes keys are looked up in a map. */
const SMALL_SECTION = 512;

const BRACE = 0x7b;
const BOM = Buffer.from('\ufeff');

/** Where the members of a JSON text stand, at the same index in each list; bytes are counted from 0. */
interface Spans {
  /** What the text of the key stands for. */
  readonly keys: string[];
  /** The quote that opens the key, and the byte after the one that closes it. */
  readonly keyStarts: number[];
  readonly keyEnds: number[];
  /** The first byte of the value, and the one after its last. */
  readonly starts: number[];
  readonly ends: number[];
  /** The member that follows this one and all that is in it. */
  readonly nexts: number[];
}

/**
 * The members of the objects in a JSON text, which are called sections. A member is a number: the root is 0, and each
 * section is followed by what is in it, in the order of the text. Arrays are not looked into.
 */
export class Members implements Readonly<Spans> {
  readonly bytes: Buffer;
  readonly keys: string[];
  readonly keyStarts: number[];
  readonly keyEnds: number[];
  readonly starts: number[];
  readonly ends: number[];
  readonly nexts: number[];
  readonly #maps = new Map<number, ReadonlyMap<string, number>>();

  /** Throws `Damage` for what isn't one JSON object in UTF-8 (RFC 8259). A byte order mark before it is skipped. */
  constructor(bytes: Buffer) {
    const spans = spansOf(bytes);
    this.bytes = bytes;
    this.keys = spans.keys;
    this.keyStarts = spans.keyStarts;
    this.keyEnds = spans.keyEnds;
    this.starts = spans.starts;
    this.ends = spans.ends;
    this.nexts = spans.nexts;
  }

  isSection(member: number): boolean {
    return this.bytes[this.starts[member] as number] === BRACE;
  }

  /** What is directly in a section; a key that stands there twice is two members. */
  of(section: number): number[] {
    const members: number[] = [];
    const end = this.nexts[section] as number;
    for (let at = section + 1; at < end; at = this.nexts[at] as number) members.push(at);
    return members;
  }

  /** The member with that key in a section: of several the last, as `JSON.parse` takes it. */
  find(section: number, key: string): number | undefined {
    const size = (this.ends[section] as number) - (this.starts[section] as number);
    if (size > SMALL_SECTION) return this.#mapOf(section).get(key);
    let found: number | undefined;
    const end = this.nexts[section] as number;
    for (let at = section + 1; at < end; at = this.nexts[at] as number) {
      if (this.keys[at] === key) found = at;
    }
    return found;
  }

  /** A value or section as it is written. */
  jsonOf(member: number): string {
    return this.text(this.starts[member] as number, this.ends[member] as number);
  }

  /** The text between two bytes. */
  text(from: number, to: number): string {
    return this.bytes.toString('utf8', from, to);
  }

  #mapOf(section: number): ReadonlyMap<string, number> {
    const known = this.#maps.get(section);
    if (known) return known;
    const map = new Map(this.of(section).map((member) => [this.keys[member] as string, member]));
    this.#maps.set(section, map);
    return map;
  }
}

function spansOf(bytes: Buffer): Spans {
  const finder = new SpanFinder(bytes);
  const walk = new JsonWalk(finder);
  try {
    if (bytes.subarray(0, BOM.length).equals(BOM)) {
      walk.write(Buffer.alloc(BOM.length, ' '));
      walk.write(bytes.subarray(BOM.length));
    } else {
      walk.write(bytes);
    }
    walk.finish();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const problem = finder.isDone ? 'there is something after the end' : phraseOf(bytes, error);
    throw damageAt(bytes, error.offset, problem);
  }
  return finder;
}

class SpanFinder implements Spans, JsonEvents {
  readonly keys = [''];
  readonly keyStarts = [0];
  readonly keyEnds = [0];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly nexts: number[] = [];
  /** The sections that are open, from the root on. */
  readonly #open: number[] = [];
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether the root is closed. */
  get isDone(): boolean {
    return this.starts.length > 0 && this.#open.length === 0;
  }

  openObject(at: Place): void {
    if (this.#open.length === MOST_SECTIONS) {
      throw this.#damage(at, `more than ${MOST_SECTIONS} sections within one another`);
    }
    this.#open.push(this.starts.length);
    this.#begin(at);
  }

  closeObject(at: Place): void {
    this.#end(this.#open.pop() as number, at);
  }

  key(key: string, at: Place): void {
    this.keys.push(key);
    this.keyStarts.push(at.start);
    this.keyEnds.push(at.end);
  }

  openArray(at: Place): void {
    this.#beginValue(at);
    at.skip();
  }

  closeArray(at: Place): void {
    this.#endValue(at);
  }

  openText(at: Place): void {
    this.#beginValue(at);
    at.skip();
  }

  text(): void {}

  closeText(at: Place): void {
    this.#endValue(at);
  }

  value(_: unknown, at: Place): void {
    this.#beginValue(at);
    this.#endValue(at);
  }

  #beginValue(at: Place): void {
    if (this.#open.length === 0) throw this.#damage(at, 'the whole must be an object, {…}');
    this.#begin(at);
  }

  #begin({ start }: Place): void {
    this.starts.push(start);
    this.ends.push(0);
    this.nexts.push(0);
  }

  #endValue(at: Place): void {
    this.#end(this.starts.length - 1, at);
  }

  #end(member: number, { end }: Place): void {
    this.ends[member] = end;
    this.nexts[member] = this.starts.length;
  }

  #damage({ start }: Place, problem: string): Damage {
    return damageAt(this.#bytes, start, problem);
  }
}
