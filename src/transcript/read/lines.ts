import type { JsonObject } from '../formats/format.ts';
import type { Source } from './source.ts';
import type { Tally } from './tally.ts';

/** Longer lines are passed over, in bytes. Clients write images and whole files into one line. */
export const LONGEST_LINE = 64 * 1024 * 1024;

const LINE_END = 0x0a;
const RETURN = 0x0d;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line end. */
  readonly bytes: Buffer;
  /** Whether the file ends without a line end behind it. */
  readonly isOpen: boolean;
}

/** The lines of a source. One that is too long is counted and passed over. */
export async function* linesOf(source: Source, tally: Tally): AsyncGenerator<Line> {
  let number = 1;
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (isOpen: boolean): Line | undefined => {
    const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    const isTooLong = length > LONGEST_LINE;
    pieces = [];
    length = 0;
    if (isTooLong) {
      tally.add('too long', 'line', number);
      return undefined;
    }
    return { number, bytes: bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes, isOpen };
  };
  const push = (piece: Buffer) => {
    length += piece.length;
    if (length <= LONGEST_LINE) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of source.chunks()) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      push(chunk.subarray(from, end));
      const line = take(false);
      if (line) yield line;
      number++;
      from = end + 1;
    }
    if (from < chunk.length) push(chunk.subarray(from));
  }
  if (length === 0) return;
  const line = take(true);
  if (line) yield line;
}

/** A JSON object in a line of its own. */
export interface LineRecord {
  readonly line: number;
  readonly record: JsonObject;
}

/** The JSON objects of a file that has one in each line (JSON Lines). Lines that hold none are counted, and empty ones not. */
export async function* recordsOf(source: Source, tally: Tally): AsyncGenerator<LineRecord> {
  for await (const { number, bytes, isOpen } of linesOf(source, tally)) {
    const text = bytes.toString();
    if (text.trim() === '') continue;
    const value = parsed(text);
    if (isObject(value)) yield { line: number, record: value };
    else if (value === undefined && isOpen) tally.add('unfinished', 'the last line', number);
    else tally.add('unreadable', 'line', number);
  }
}

/** What a JSON text says; `undefined` if it isn't one. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
