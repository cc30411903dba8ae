import { WEIGHTS } from '../weights.ts';
import { type Signal, whereabouts } from './signal.ts';

/** The farther from the root, the less it says about the whole. */
export const depth: Signal = (file) => {
  if (file.folders.length === 0) return undefined;
  return { points: WEIGHTS.depth * file.folders.length, why: whereabouts(file.folders.length) };
};
