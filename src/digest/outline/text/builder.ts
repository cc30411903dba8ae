import { lineOfWords } from '../doc.ts';
import type { Definition, Lines, Outline } from '../outline.ts';

/** What a reader of lines knows of a definition. */
export interface Found {
  readonly name: string;
  readonly signature: Lines;
  readonly end: number;
  readonly body?: Lines | undefined;
  readonly depth: number;
  /** The line where what is said about it starts: comments above it. */
  readonly from?: number;
  readonly doc?: number | undefined;
}

/** Collects what is read line by line, for languages that need no grammar. All they define is for others. */
export class Builder {
  readonly #lines: readonly string[];
  readonly #imports: Lines[] = [];
  readonly #definitions: Definition[] = [];
  /** Of each depth, the line after what was defined last. */
  readonly #ends: number[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Notes an import of one line or more. */
  import(start: number, end: number): void {
    this.#imports.push({ start, end });
  }

  /** Notes a definition. */
  define({ name, signature, end, body, depth, from = signature.start, doc }: Found): void {
    // A comment in what precedes it, or in what it stands in, is about that.
    const above = this.#ends[depth] ?? (depth === 0 ? 0 : (this.#definitions.at(-1)?.signature.end ?? 0));
    const start = Math.min(Math.max(from, above), signature.start);
    this.#ends.length = depth;
    this.#ends[depth] = end;
    const said = doc ?? lineOfWords(this.#lines, start, signature.start);
    this.#definitions.push({
      name,
      signature,
      ...(said !== undefined && { doc: said }),
      whole: { start, end },
      ...(body && body.end > body.start && { body }),
      depth,
      exported: true,
    });
  }

  /** The line where the comments directly above a line start. */
  commentsAbove(row: number, comment: RegExp): number {
    let from = row;
    while (from > 0 && comment.test(this.#lines[from - 1] ?? '')) from--;
    return from;
  }

  /** What was found. */
  outline(): Outline {
    return { imports: this.#imports, definitions: this.#definitions };
  }
}

/** Where lines end that aren't blank, from the last on. */
export function withoutBlanks(lines: readonly string[], start: number, end: number): number {
  let last = end;
  while (last > start + 1 && (lines[last - 1] ?? '').trim() === '') last--;
  return last;
}

/** Where an entry of a list with depths ends: where the next that isn't in it starts. */
export function endOf(
  entries: readonly { start: number; depth: number }[],
  index: number,
  last: number,
): number {
  const depth = entries[index]?.depth ?? 0;
  for (let next = index + 1; next < entries.length; next++) {
    const entry = entries[next];
    if (entry && entry.depth <= depth) return entry.start;
  }
  return last;
}
