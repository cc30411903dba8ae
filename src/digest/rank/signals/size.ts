import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

const LEAST = 200;

/** The more a file holds, the more of the work is in it; all the more where no history tells. */
export const size: Signal = ({ entry }, { hasHistory }) => {
  if (entry.size <= LEAST) return undefined;
  const points = hasHistory ? WEIGHTS.size : WEIGHTS.sizeAlone;
  return { points: points * Math.log2(entry.size / LEAST), why: `${entry.size} bytes` };
};
