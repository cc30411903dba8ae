import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** Named like a binary; its content decides if it comes to that. */
export const binaryName: Signal = (file) =>
  file.binaryName ? { points: WEIGHTS.binaryName, why: 'named like a binary' } : undefined;
