import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal, whereabouts } from './signal.ts';

/** The page its authors wrote for whoever comes first. */
export const readme: Signal = ({ isReadme, folders }, { readmesAt }) =>
  isReadme
    ? {
        points: byPosition(
          WEIGHTS.readme,
          folders.length,
          folders.length === 0 ? 1 : readmesAt[folders.length],
        ),
        why: `a README ${whereabouts(folders.length)}`,
      }
    : undefined;
