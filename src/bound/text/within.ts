import { cutHead, cutTail } from '../../text/cut.ts';
import type { Cost } from '../types.ts';

/** How much is measured at once; a text that goes on without end past the room isn't measured whole. */
const STEP = 4096;

/** The longest head of a text that costs at most `room` and damages nothing, as {@link cutHead} cuts. */
export function headWithin(text: string, room: number, cost: Cost): string {
  return cutHead(text, headChars(text, room, cost));
}

/** The longest tail of a text that costs at most `room` and damages nothing, as {@link cutTail} cuts. */
export function tailWithin(text: string, room: number, cost: Cost): string {
  return cutTail(text, tailChars(text, room, cost));
}

/** How many characters at the start of a text cost at most `room`. */
export function headChars(text: string, room: number, cost: Cost): number {
  return longest(text.length, room, (from, to) => cost(text.slice(from, to)));
}

/** How many characters at the end of a text cost at most `room`. */
export function tailChars(text: string, room: number, cost: Cost): number {
  const { length } = text;
  return longest(length, room, (from, to) => cost(text.slice(length - to, length - from)));
}

/** The largest count up to `most` of which `costOf(0, count)` is at most `room`, if costs of stretches add up. */
function longest(most: number, room: number, costOf: (from: number, to: number) => number): number {
  let from = 0;
  let left = room;
  for (let step = STEP; step >= 1; ) {
    const to = Math.min(most, from + step);
    const taken = costOf(from, to);
    if (taken > left) {
      step = step === 1 ? 0 : Math.ceil(step / 2);
    } else if (to === most) {
      return most;
    } else {
      from = to;
      left -= taken;
    }
  }
  return from;
}
