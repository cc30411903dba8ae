import { cutHead } from '../text/cut.ts';

/** What a text takes within a JSON string, without the quotes, in UTF-16 code units. */
export function jsonCost(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** As much of a well-formed text as fits into `room` within a JSON string, one character at least. */
export function fitted(text: string, room: number): string {
  const most = fitting(text, room);
  if (most === text.length) return text;
  const first = String.fromCodePoint(text.codePointAt(0) as number);
  return cutHead(text, most) || text.slice(0, isPair(text, most - 1) ? most - 1 : most) || first;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

/** How many UTF-16 code units from the start of a text fit into `room`; the last may be half of a pair. */
function fitting(text: string, room: number): number {
  let left = room;
  for (let at = 0; at < text.length; at++) {
    left -= costOf(text.charCodeAt(at));
    if (left < 0) return at;
  }
  return text.length;
}

/** RFC 8259, section 7, as `JSON.stringify` writes it. */
function costOf(unit: number): number {
  if (unit >= 0x20) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 2 : 6;
}
