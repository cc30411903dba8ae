import type { Candidate } from '../candidate.ts';
import { WEIGHTS } from '../weights.ts';
import { type Contribution, remembering, type Signal } from './signal.ts';

const EXAMPLE_FOLDER =
  /^(.*[-_])?(examples?|samples?|demos?|tutorials?|playgrounds?|snippets?)(_src|[-_].*)?$|^docs?_src$/;
const isExampleFolder = remembering((folder) => EXAMPLE_FOLDER.test(folder));
const EXAMPLE: Contribution = { points: WEIGHTS.example, why: 'an example' };

/** Whether a file shows how the project is used. */
export function isExample({ folders }: Candidate): boolean {
  return folders.some(isExampleFolder);
}

/** Shows how the project is used; useful, but after the project itself. */
export const example: Signal = (file) => (isExample(file) ? EXAMPLE : undefined);
