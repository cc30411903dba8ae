import { WEIGHTS } from '../weights.ts';
import { decay, type Signal } from './signal.ts';

const README = /^readme(\.(md|markdown|mdx|rst|adoc|asciidoc|txt|org|rdoc|textile|pod))?$/;

/** Whether a lower-cased file name is that of a README in its original language. */
export function isReadme(name: string): boolean {
  return README.test(name);
}

/** The page its authors wrote for whoever comes first. */
export const readme: Signal = (file) => {
  if (!isReadme(file.name)) return undefined;
  const where = file.folders.length === 0 ? 'at the root' : `${file.folders.length} folders down`;
  return {
    points: decay(WEIGHTS.readme, WEIGHTS.perFolder, file.folders.length),
    why: `a README ${where}`,
  };
};
