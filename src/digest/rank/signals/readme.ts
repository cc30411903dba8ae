import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal, whereabouts } from './signal.ts';

const README = /^readme(\.(md|markdown|mdx|rst|adoc|asciidoc|txt|org|rdoc|textile|pod))?$/;

/** Whether a lower-cased file name is that of a README in its original language. */
export function isReadme(name: string): boolean {
  return README.test(name);
}

/** The page its authors wrote for whoever comes first. */
export const readme: Signal = ({ name, folders }, { readmesAt }) =>
  isReadme(name)
    ? {
        points: byPosition(
          WEIGHTS.readme,
          folders.length,
          folders.length === 0 ? 1 : readmesAt[folders.length],
        ),
        why: `a README ${whereabouts(folders.length)}`,
      }
    : undefined;
