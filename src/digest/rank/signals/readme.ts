import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal, whereabouts } from './signal.ts';

/** The page its authors wrote for whoever comes first. */
export const readme: Signal = ({ isReadme, folders }, { readmesAt }) => {
  if (!isReadme) return undefined;
  const share = byPosition(1, folders.length, folders.length === 0 ? 1 : readmesAt[folders.length]);
  return {
    points: WEIGHTS.readme * share,
    worth: WEIGHTS.readmeWorth * share,
    why: `a README ${whereabouts(folders.length)}`,
  };
};
