import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal, whereabouts } from './signal.ts';

/** The file that says what the project is called, needs and builds. */
export const manifest: Signal = ({ ecosystem, folders }, { primaryLanguage, manifestsAt }) => {
  if (!ecosystem) return undefined;
  const primary = primaryLanguage !== undefined && ecosystem.includes(primaryLanguage);
  const points = primary ? WEIGHTS.manifest : WEIGHTS.secondaryManifest;
  const share = byPosition(1, folders.length, folders.length === 0 ? 1 : manifestsAt[folders.length]);
  return {
    points: points * share,
    worth: WEIGHTS.manifestWorth * share,
    why: `a manifest ${whereabouts(folders.length)}`,
  };
};
