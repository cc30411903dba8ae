import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** The file that the address points at is what the reader came for. */
export const askedFor: Signal = (file, context) =>
  file.entry.path === context.askedFor
    ? { points: WEIGHTS.askedFor, why: 'named by the address' }
    : undefined;
