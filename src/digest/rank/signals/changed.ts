import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What changed since the commit that the reader names comes before all else. */
export const changed: Signal = (file, context) => {
  const change = context.changeOf(file);
  if (!change) return undefined;
  const down = Math.log2((change.place + 2) / 2);
  return {
    points: WEIGHTS.changed + WEIGHTS.place * down,
    worth: WEIGHTS.changedWorth + WEIGHTS.changedPlaceWorth * down,
    why: `${change.place + 1}. of what changed: ${change.kind}`,
  };
};
