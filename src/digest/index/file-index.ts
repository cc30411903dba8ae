import { createHash } from 'node:crypto';
import type { Definition, Lines, Outline } from '../outline/outline.ts';

/** The most that is kept of one source, in UTF-16 code units of its text form. */
const MOST_KEPT = 32 * 1024 * 1024;

/** What files import and define, found out before: by what names their contents, so that it holds for as long as those do. */
export class FileIndex {
  readonly #version: string;
  /** Used last comes last. */
  readonly #imports: Map<string, readonly string[]>;
  readonly #outlines: Map<string, PackedOutline>;
  #hasGrown = false;

  /**
   * @param version of what found out; what another version found does not count
   * @param text what `text` gave an earlier time
   */
  constructor(version: string, text?: string) {
    this.#version = version;
    const { imports, outlines } = parse(text, version);
    this.#imports = new Map(imports);
    this.#outlines = new Map(outlines);
  }

  /** Whether there is more than there was in the text that it was made of. */
  get hasGrown(): boolean {
    return this.#hasGrown;
  }

  /** What a file imports, as `GraphBuilder` reads it. `id` is what names its contents. */
  importsOf(id: string, language: string): readonly string[] | undefined {
    return renewed(this.#imports, keyOf(id, language));
  }

  keepImports(id: string, language: string, imports: readonly string[]): void {
    this.#imports.set(keyOf(id, language), imports);
    this.#hasGrown = true;
  }

  /** What a text defines. */
  outlineOf(text: string, language: string): Outline | undefined {
    const packed = renewed(this.#outlines, keyOf(idOf(text), language));
    return packed && unpacked(packed);
  }

  keepOutline(text: string, language: string, outline: Outline): void {
    this.#outlines.set(keyOf(idOf(text), language), packed(outline));
    this.#hasGrown = true;
  }

  /** All of it as a text, except for what was used longest ago if that is too much. */
  text(): string {
    const records = [
      ...latestOf(this.#imports, MOST_KEPT / 2).map((record) => `[0,${record}]`),
      ...latestOf(this.#outlines, MOST_KEPT / 2).map((record) => `[1,${record}]`),
    ];
    return `[${[JSON.stringify(this.#version), ...records].join(',\n')}]\n`;
  }
}

type Record<T> = readonly [kind: number, key: string, value: T];

function parse(text: string | undefined, version: string) {
  const imports: [string, readonly string[]][] = [];
  const outlines: [string, PackedOutline][] = [];
  const [written, ...records]: unknown[] = text === undefined ? [] : JSON.parse(text);
  if (written === version) {
    for (const [kind, key, value] of records as Record<never>[]) {
      if (kind === 0) imports.push([key, value]);
      else outlines.push([key, value]);
    }
  }
  return { imports, outlines };
}

function keyOf(id: string, language: string): string {
  return `${language} ${id}`;
}

function idOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

function renewed<T>(known: Map<string, T>, key: string): T | undefined {
  const value = known.get(key);
  if (value === undefined) return undefined;
  known.delete(key);
  known.set(key, value);
  return value;
}

/** The records of what was used last, oldest first, as far as they fit. */
function latestOf(known: ReadonlyMap<string, unknown>, room: number): string[] {
  const records: string[] = [];
  let left = room;
  for (const [key, value] of [...known].reverse()) {
    const record = JSON.stringify([key, value]).slice(1, -1);
    left -= record.length;
    if (left < 0) break;
    records.push(record);
  }
  return records.reverse();
}

/** Imports as starts and ends, and definitions: an outline without the names of its parts. */
type PackedOutline = readonly [imports: readonly number[], definitions: readonly PackedDefinition[]];

type PackedDefinition = readonly [
  name: string,
  depth: number,
  exported: 0 | 1,
  signatureStart: number,
  signatureEnd: number,
  wholeStart: number,
  wholeEnd: number,
  /** -1 for none, as below. */
  doc: number,
  bodyStart: number,
  bodyEnd: number,
];

function packed({ imports, definitions }: Outline): PackedOutline {
  return [
    imports.flatMap(({ start, end }) => [start, end]),
    definitions.map(({ name, depth, exported, signature, whole, doc = -1, body }) => [
      name,
      depth,
      exported ? 1 : 0,
      signature.start,
      signature.end,
      whole.start,
      whole.end,
      doc,
      body?.start ?? -1,
      body?.end ?? -1,
    ]),
  ];
}

function unpacked([imports, definitions]: PackedOutline): Outline {
  return { imports: linesIn(imports), definitions: definitions.map(unpackedDefinition) };
}

function unpackedDefinition(packed: PackedDefinition): Definition {
  const [name, depth, exported, signatureStart, signatureEnd, start, end, doc, bodyStart, bodyEnd] = packed;
  return {
    name,
    depth,
    exported: exported === 1,
    signature: { start: signatureStart, end: signatureEnd },
    whole: { start, end },
    ...(doc >= 0 && { doc }),
    ...(bodyStart >= 0 && { body: { start: bodyStart, end: bodyEnd } }),
  };
}

function linesIn(numbers: readonly number[]): Lines[] {
  const lines: Lines[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    lines.push({ start: numbers[at] as number, end: numbers[at + 1] as number });
  }
  return lines;
}
