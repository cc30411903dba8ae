import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** A copy of another project's code. */
export const vendored: Signal = (file) =>
  file.vendored ? { points: WEIGHTS.vendored, why: "another project's code" } : undefined;
