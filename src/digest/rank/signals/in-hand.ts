import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What the reader names comes before all else. */
export const inHand: Signal = (file, context) => {
  const place = context.handPlaceOf(file);
  if (place === undefined) return undefined;
  return {
    points: WEIGHTS.inHand + WEIGHTS.place * Math.log2(place + 1),
    worth: WEIGHTS.inHandWorth,
    why: `${place + 1}. of what is in hand`,
  };
};
