import { plural } from '../../../text/words.ts';
import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What many files import is what the rest is built on. */
export const imported: Signal = ({ entry }, { graph, hasHistory }) => {
  const importers = graph?.importersOf(entry.path) ?? 0;
  if (importers === 0) return undefined;
  const points = hasHistory ? WEIGHTS.imported : WEIGHTS.importedAlone;
  return {
    points: points * Math.log2(1 + importers),
    why: `imported by ${plural(Math.ceil(importers), 'file')}`,
  };
};
