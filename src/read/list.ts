import { ENVELOPE } from '../spool/envelope.ts';
import type { Spool } from '../spool/spool.ts';
import type { Listed, Part } from '../spool/types.ts';
import { shortened } from './parts.ts';
import { jsonCost } from './room.ts';

export interface ListAsked {
  /** The first result, from 0, the newest being the first. */
  readonly from?: number | undefined;
  /** At most so many. */
  readonly count?: number | undefined;
}

export interface ListPage {
  /** A line for each result. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly next?: number;
}

/** Of a line, in characters, and of a name in it. */
const LONGEST_LINE = 500;
const LONGEST_NAME = 40;

/** What this session keeps, newest first, as much as has `room` within a JSON string; 250 are enough for a result. */
export async function listKept(
  spool: Pick<Spool, 'list'>,
  { from = 0, count = Number.POSITIVE_INFINITY }: ListAsked,
  room: number,
  now = Date.now(),
): Promise<ListPage> {
  const all = await spool.list('session');
  const lines: string[] = [];
  let left = room;
  for (const listed of all.slice(from, from + count)) {
    const line = lineOf(listed, now, lines.length === 0 ? room : left);
    left -= jsonCost(line) + jsonCost('\n');
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  const to = from + lines.length;
  return { text: lines.join('\n'), from, to, of: all.length, ...(to < all.length && { next: to }) };
}

/** A result in one line, which doesn't name all its parts if they take too much room. */
function lineOf({ kept, origin, at, bytes }: Listed, now: number, room: number): string {
  const server = origin.server === undefined ? '' : ` of ${shortened(origin.server, LONGEST_NAME)}`;
  const head = `${kept.handle}: ${origin.kind} ${shortened(origin.name ?? 'without a name', LONGEST_NAME)}${server}, ${age(now - at)} ago, ${bytes} bytes`;
  const parts = kept.parts.map(partInWords);
  for (let count = parts.length; count > 0; count--) {
    const more = count < parts.length ? `, ${parts.length - count} more` : '';
    const line = `${head}; parts: ${parts.slice(0, count).join(', ')}${more}`;
    if (jsonCost(line) <= Math.min(room, LONGEST_LINE)) return line;
  }
  return head;
}

function partInWords({ name, kind, mimeType, bytes, chars }: Part): string {
  if (kind === 'media') return `${name} (${shortened(mimeType ?? 'unknown', LONGEST_NAME)}, ${bytes} bytes)`;
  return name === ENVELOPE ? `${name} (all of it, as JSON)` : `${name} (${kind}, ${chars} characters)`;
}

/** A time in the largest unit of which there is one: `3 hours`. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [length, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, 'second'];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;
