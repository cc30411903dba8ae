import { PlimsollError } from '../errors.ts';
import type { Kept } from '../spool/types.ts';
import { textPartOf } from './parts.ts';
import { after, type Place, type Unit } from './place.ts';
import { fitted } from './room.ts';
import { lengthUntil, TextFile } from './text-file.ts';

export interface PageAsked {
  /** The name of a part; the first one if none is given. */
  readonly part?: string | undefined;
  readonly unit?: Unit | undefined;
  /** The first character or byte, from 0, or the first line, from 1; the start if it isn't given. */
  readonly from?: number | undefined;
  /** How many of the unit, rounded up to a whole character. */
  readonly count?: number | undefined;
}

/** A stretch of a text. */
export interface Page {
  /** The part's name. */
  readonly part: string;
  readonly unit: Unit;
  readonly text: string;
  /** What is shown, in `unit`: characters and bytes from 0, lines from 1; `to` isn't included. */
  readonly from: number;
  readonly to: number;
  /** How many there are in all. */
  readonly of: number;
  /** Where to read on in the same unit; absent at the end, and where a line is not finished. */
  readonly next?: number;
  /** Where to read on in characters, if the last line is not finished. */
  readonly nextChars?: number;
  /** Whether it ends before what was asked for, since there is no room. */
  readonly isCut: boolean;
}

/**
 * A page of a kept text that takes at most `room` within a JSON string; of at least one character (twelve of room
 * are enough for it) but at the end, so that whoever reads on by `next` or `nextChars` comes to the end. Where room
 * is what ends it, it ends at a line end if one is near. It starts and ends between characters, so `from` may be later
 * than was asked for.
 *
 * Throws `NOT_IN_SPOOL`, and `BAD_USAGE` for a medium and for a start behind the end.
 */
export async function readPage(kept: Kept, asked: PageAsked, room: number): Promise<Page> {
  const { unit = 'chars', count = Number.POSITIVE_INFINITY } = asked;
  const part = textPartOf(kept, asked.part);
  const file = await TextFile.open(kept, part);
  try {
    const start = await startOf(file, unit, asked.from ?? firstOf(unit));
    const bytes = await file.read(start.bytes, mostBytes(unit, count, room));
    const length = lengthUntil(bytes, unit, count);
    const wanted = bytes.toString('utf8', 0, length);
    const text = fitted(wanted, room);
    const end = after(start, text);
    const isEnd = end.bytes >= file.count('bytes');
    const isInLine = unit === 'lines' && text !== '' && !text.endsWith('\n');
    return {
      part: part.name,
      unit,
      text,
      from: start[unit],
      to: isInLine ? end.lines + 1 : end[unit],
      of: file.count(unit),
      ...(!isEnd && (isInLine ? { nextChars: end.chars } : { next: end[unit] })),
      isCut: !isEnd && (length === undefined || text.length < wanted.length),
    };
  } finally {
    await file.close();
  }
}

/** How many bytes can be shown at most: a character takes three bytes and one of room, or four and two. */
function mostBytes(unit: Unit, count: number, room: number): number {
  const most = unit === 'lines' ? room * 3 : Math.min(unit === 'bytes' ? count : count * 3, room * 3);
  return most + 4;
}

/** The number of the first character, byte or line. */
export function firstOf(unit: Unit): number {
  return unit === 'lines' ? 1 : 0;
}

/** Throws `BAD_USAGE` if the text ends before `from`. */
export async function startOf(file: TextFile, unit: Unit, from: number): Promise<Place> {
  const place = await file.seek(unit, from);
  if (place[unit] >= from) return place;
  const noun = unit === 'chars' ? 'characters' : unit;
  throw new PlimsollError(
    'BAD_USAGE',
    `There is nothing from ${from} on: part ${file.part.name} has ${file.count(unit)} ${noun}.`,
  );
}
