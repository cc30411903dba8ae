import { isUtf8 } from 'node:buffer';
import { wholeLength } from '../../text/wtf8.ts';
import { Damage, damageAt } from './damage.ts';
import { writeSegment } from './keys.ts';
import { Members, ROOT } from './members.ts';

/** What a file holds that isn't there. */
const NO_FILE = Buffer.from('{}\n');

const START = { line: 1, column: 1 };
const SPACES: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** A section on the way to a value. */
interface Section {
  readonly path: readonly string[];
  /** What the keys of all that is in it begin with. */
  readonly prefix: string;
}

/** A value in the file, and where it is. */
export class Fact {
  /** The section that the value is in. */
  readonly section: Section;
  readonly #members: Members;
  readonly #member: number;

  constructor(members: Members, member: number, section: Section) {
    this.section = section;
    this.#members = members;
    this.#member = member;
  }

  /** The last segment of the path. */
  get name(): string {
    return this.#members.keys[this.#member] as string;
  }

  get path(): readonly string[] {
    return [...this.section.path, this.name];
  }

  /** The path as a user writes it. */
  get key(): string {
    return this.section.prefix + writeSegment(this.name);
  }

  /** The value as it is written in the file. */
  get json(): string {
    return this.#members.jsonOf(this.#member);
  }
}

/** A value or a section (an object) in a document, where it is and what it is. */
export class Found {
  /** The keys that lead to it, as they stand in the file. */
  readonly path: readonly string[];
  readonly kind: 'value' | 'section';
  /** The first byte of its key and the one after its last, from 0; of the root both are 0. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The first byte of the value or section and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** The path of something else that is written with the same key, since dots in its own keys count as well. */
  readonly alsoLiteral: readonly string[] | undefined;
  readonly #members: Members;
  readonly #member: number;

  constructor(members: Members, member: number, path: readonly string[], alsoLiteral?: readonly string[]) {
    this.path = path;
    this.kind = members.isSection(member) ? 'section' : 'value';
    this.keyStart = members.keyStarts[member] as number;
    this.keyEnd = members.keyEnds[member] as number;
    this.start = members.starts[member] as number;
    this.end = members.ends[member] as number;
    this.alsoLiteral = alsoLiteral;
    this.#members = members;
    this.#member = member;
  }

  /** It as it is written in the file. */
  json(): string {
    return this.#members.jsonOf(this.#member);
  }

  /**
   * The values in a section, however deep, in the order of the file; of a value itself. With `empty`, the sections in it
   * that hold nothing as well.
   */
  *facts({ empty = false } = {}): Generator<Fact> {
    const members = this.#members;
    if (this.kind === 'value') {
      yield new Fact(members, this.#member, sectionAt(this.path.slice(0, -1)));
      return;
    }
    const sections = [sectionAt(this.path)];
    for (const { member, depth } of inside(members, this.#member)) {
      const fact = new Fact(members, member, sections[depth] as Section);
      const isSection = members.isSection(member);
      if (isSection) sections[depth + 1] = { path: fact.path, prefix: `${fact.key}.` };
      if (!isSection || (empty && members.nexts[member] === member + 1)) yield fact;
    }
  }

  /** How many values `facts` gives. */
  count(): number {
    if (this.kind === 'value') return 1;
    let count = 0;
    for (const { member } of inside(this.#members, this.#member)) {
      if (!this.#members.isSection(member)) count++;
    }
    return count;
  }

  /** What is directly in a section, in the order of the file; in a value nothing. */
  children(): Found[] {
    if (this.kind === 'value') return [];
    const members = this.#members;
    return members
      .of(this.#member)
      .filter((member) => isInForce(members, this.#member, member))
      .map((member) => new Found(members, member, [...this.path, members.keys[member] as string]));
  }
}

function sectionAt(path: readonly string[]): Section {
  return { path, prefix: path.map((segment) => `${writeSegment(segment)}.`).join('') };
}

/** Goes through all that is in a section and is in force; a section's own depth is 0, that of what is in it too. */
function* inside(members: Members, section: number): Generator<{ member: number; depth: number }> {
  const open = [section];
  for (let at = section + 1; at < (members.nexts[section] as number); ) {
    while (at >= (members.nexts[open.at(-1) as number] as number)) open.pop();
    if (!isInForce(members, open.at(-1) as number, at)) {
      at = members.nexts[at] as number;
      continue;
    }
    yield { member: at, depth: open.length - 1 };
    if (members.isSection(at)) open.push(at);
    at++;
  }
}

/** Whether no later member of the section has the same key. */
function isInForce(members: Members, section: number, member: number): boolean {
  return members.find(section, members.keys[member] as string) === member;
}

/** A `context.json` as it is written. Where a key stands twice in an object, the last one counts. */
export class Document {
  readonly bytes: Buffer;
  readonly members: Members;
  readonly root: Found;

  constructor(members: Members) {
    this.bytes = members.bytes;
    this.members = members;
    this.root = new Found(members, ROOT, []);
  }

  /**
   * What stands at the segments of a key. Where each segment is a key of its own, that is it. Failing that, with
   * `literal`, neighbouring segments together may be one key with dots in it: `v1.2`.
   */
  find(segments: readonly string[], { literal }: { readonly literal: boolean }): Found | undefined {
    if (segments.length === 0) return this.root;
    const [first, second] = this.#matches(ROOT, [], segments, literal);
    return first && new Found(this.members, first.member, first.path, second?.path);
  }

  /**
   * The path at which a value for a key is set: that of what is there, `literal`ly or not, or else of what goes into
   * the innermost section that is.
   */
  resolve(segments: readonly string[]): readonly string[] {
    for (let length = segments.length; length > 0; length--) {
      const found = this.find(segments.slice(0, length), { literal: true });
      if (found) return [...found.path, ...segments.slice(length)];
    }
    return segments;
  }

  /** All values, in the order of the file. An array is one value, an empty section none. */
  facts(): Iterable<Fact> {
    return this.root.facts();
  }

  *#matches(
    section: number,
    path: readonly string[],
    segments: readonly string[],
    literal: boolean,
  ): Generator<{ member: number; path: readonly string[] }> {
    const most = literal ? segments.length : 1;
    for (let count = 1; count <= most; count++) {
      const key = segments.slice(0, count).join('.');
      const member = this.members.find(section, key);
      if (member === undefined) continue;
      const to = [...path, key];
      if (count === segments.length) yield { member, path: to };
      else if (this.members.isSection(member)) {
        yield* this.#matches(member, to, segments.slice(count), literal);
      }
    }
  }
}

/**
 * Reads a `context.json`; none is read as one without facts. Throws `Damage` for what isn't one JSON object in UTF-8,
 * with a byte order mark or without, or has more than 1,000 sections within one another.
 */
export function readDocument(bytes: Uint8Array | undefined): Document {
  const file = bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : NO_FILE;
  if (file.every((byte) => SPACES.includes(byte))) throw new Damage(START, 'the file is empty');
  if (isUtf16(file)) throw new Damage(START, 'the file is in UTF-16; it must be in UTF-8');
  if (!isUtf8(file)) throw notUtf8(file);
  return new Document(new Members(file));
}

/** Told by a byte order mark, or by zero bytes: the first two characters of a JSON object are of ASCII. */
function isUtf16(file: Buffer): boolean {
  const head = file.subarray(0, 4).toString('latin1');
  return /^(?:\xff\xfe|\xfe\xff|\0[^\0]\0[^\0]|[^\0]\0[^\0]\0)/.test(head);
}

function notUtf8(file: Buffer): Damage {
  let good = 0;
  let bad = file.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUtf8(wholePart(file.subarray(0, middle)))) good = middle;
    else bad = middle;
  }
  const { length } = wholePart(file.subarray(0, good));
  const isCut = length === wholePart(file).length;
  return damageAt(file, length, isCut ? 'it ends in the middle' : 'this is not UTF-8');
}

/** Bytes of UTF-8 without a character that they don't finish. */
function wholePart(bytes: Buffer): Buffer {
  return bytes.subarray(0, wholeLength(bytes));
}
