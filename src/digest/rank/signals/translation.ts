import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** A copy in another language of a document that is here in its own. */
export const translation: Signal = (file, context) => {
  if (file.language?.type !== 'prose' && file.language?.type !== 'data' && file.language?.type !== 'markup')
    return undefined;
  const original = context.originalOf(file.entry.path);
  return original === undefined
    ? undefined
    : { points: WEIGHTS.translation, why: `a translation of ${original}` };
};
