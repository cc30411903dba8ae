import type { Candidate } from '../candidate.ts';
import { isCode } from '../code.ts';
import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';
import { isTest } from './test.ts';

/** What has to do with the reader's question, by how well it answers it, and by its place among all that does. */
export const focus: Signal = (file, context) => {
  if (!context.focus) return undefined;
  const found = context.focus.relevanceOf(file);
  if (!found) return { points: WEIGHTS.noMatch, why: 'nothing of the question in it' };
  return {
    points: WEIGHTS.share * Math.log2(found.share) + WEIGHTS.place * Math.log2(found.place + 1),
    why: `${found.place + 1}. by ${found.terms.join(', ')}`,
  };
};

/** How much a match in a file of a kind says. */
export function kindWeight(file: Candidate): number {
  if (isTest(file)) return 0.3;
  const { language } = file;
  return language && isCode(language) ? 1 : language?.type === 'prose' ? 0.4 : 0.3;
}
