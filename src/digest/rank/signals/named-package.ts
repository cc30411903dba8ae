import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** In the folder that bears the project's name: the package itself, not what surrounds it. */
export const namedPackage: Signal = (file, context) => {
  for (const folder of file.folders) {
    if (context.isProjectName(folder))
      return { points: WEIGHTS.namedPackage, why: `in ${folder}/, the project's own name` };
  }
  return undefined;
};
