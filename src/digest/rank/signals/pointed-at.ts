import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** Named by the manifest as what runs or is imported, or linked from the README. */
export const pointedAt: Signal = (file, context) => {
  const pointer = context.pointers.get(file.entry.path);
  if (!pointer) return undefined;
  return {
    points: pointer.from === 'manifest' ? WEIGHTS.manifestPointer : WEIGHTS.readmeLink,
    why: pointer.why,
  };
};
