import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What people changed often and lately is what they work on. */
export const history: Signal = (file, context) => {
  const own = context.historyOf(file.entry.path);
  if (!own) return undefined;
  return {
    points: WEIGHTS.history * Math.log2(1 + own.recentChanges / WEIGHTS.historyFloor),
    why: `changed in ${own.commits} of the latest commits`,
  };
};
