import { lengthOutsideEscapes, unescaped } from '../json/escapes.ts';
import type { Place } from './place.ts';
import type { TextFile } from './text-file.ts';

/** An escape of JSON takes at most so many characters. */
const LONGEST_ESCAPE = 6;

/** A stretch of a file as it reads: in JSON, escapes are what they stand for. */
export class Passage {
  /** As it is written. */
  readonly raw: string;
  readonly text: string;
  /** Whether the file goes on where the passage was cut off. */
  readonly isCut: boolean;
  /** Where escapes end, in `raw` and in `text`. */
  readonly #rawEnds: number[] = [];
  readonly #ends: number[] = [];

  constructor(raw: string, { isJson, isCut }: { isJson: boolean; isCut: boolean }) {
    this.raw = raw;
    this.isCut = isCut;
    this.text = isJson
      ? unescaped(raw, (rawEnd, end) => {
          this.#rawEnds.push(rawEnd);
          this.#ends.push(end);
        })
      : raw;
  }

  /** Where the character at `index` of `text` starts in `raw`. */
  rawIndex(index: number): number {
    const last = lastUpTo(this.#ends, index);
    return index + (this.#rawEnds[last] ?? 0) - (this.#ends[last] ?? 0);
  }

  /** Which character of `text` is the first that starts at `rawIndex` of `raw`, or behind it. */
  index(rawIndex: number): number {
    const last = lastUpTo(this.#rawEnds, rawIndex);
    const index = rawIndex - (this.#rawEnds[last] ?? 0) + (this.#ends[last] ?? 0);
    return Math.min(index, this.#ends[last + 1] ?? this.text.length);
  }
}

/** The passage from a place on, of about so many bytes. It ends between two characters of what is read. */
export function passageFrom(file: TextFile, { bytes: from }: Place, length: number): Promise<Passage> {
  return passage(file, length, async (length, isJson) => {
    const bytes = await file.read(from, length);
    const isCut = bytes.length > 0 && from + bytes.length < file.count('bytes');
    const raw = bytes.toString();
    return { raw: isJson && isCut ? raw.slice(0, lengthOutsideEscapes(raw)) : raw, isCut };
  });
}

/** The passage that ends at a place, of about so many bytes. */
export function passageBefore(file: TextFile, { bytes: to }: Place, length: number): Promise<Passage> {
  return passage(file, length, async (length, isJson) => {
    const raw = (await file.readBefore(to, length)).toString();
    const isCut = to > length;
    return { raw: isJson && isCut ? raw.slice(startOutsideEscapes(raw)) : raw, isCut };
  });
}

async function passage(
  file: TextFile,
  length: number,
  read: (length: number, isJson: boolean) => Promise<{ raw: string; isCut: boolean }>,
): Promise<Passage> {
  const isJson = file.part.kind === 'json';
  const load = async (length: number) => {
    const { raw, isCut } = await read(length, isJson);
    return new Passage(raw, { isJson, isCut });
  };
  const loaded = await load(length);
  const isMostlyEscapes = loaded.text.length < loaded.raw.length / (LONGEST_ESCAPE / 2);
  return isMostlyEscapes ? await load(LONGEST_ESCAPE * length) : loaded;
}

/** What follows a character that is no backslash is outside of escapes, or the digits of one: these say themselves. */
function startOutsideEscapes(raw: string): number {
  return raw.search(/[^\\]/) + 1;
}

/** The index of the last of the numbers, which ascend, that is at most `most`; -1 if there is none. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
