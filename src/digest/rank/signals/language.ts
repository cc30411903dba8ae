import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** Written in the language that most of the project is written in; a manifest's points say that already. */
export const language: Signal = (file, context) =>
  file.language !== undefined && file.language.name === context.primaryLanguage && !file.ecosystem
    ? { points: WEIGHTS.primaryLanguage, why: `${file.language.name}, the primary language` }
    : undefined;
