import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

const FOLDER =
  /^(.*[-_])?(examples?|samples?|demos?|tutorials?|playgrounds?|snippets?)(_src|[-_].*)?$|^docs?_src$/;

/** Shows how the project is used; useful, but after the project itself. */
export const example: Signal = (file) =>
  file.folders.some((folder) => FOLDER.test(folder))
    ? { points: WEIGHTS.example, why: 'an example' }
    : undefined;
