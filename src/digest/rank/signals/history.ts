import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What people changed often and lately is what they work on. */
export const history: Signal = (file, context) => {
  const own = context.historyOf(file.entry.path);
  if (!own || context.mostChanges <= 0) return undefined;
  const share = Math.log1p(own.recentChanges) / Math.log1p(context.mostChanges);
  return {
    points: WEIGHTS.history * share,
    why: `changed in ${own.commits} of the latest commits`,
  };
};
