import { CONTRIBUTOR_DOC_SHARES, WEIGHTS } from '../weights.ts';
import { byPosition, type Signal } from './signal.ts';

/** Folders where such documents stand by custom, as good as the root. */
const HOMES = new Set(['.github', 'docs', 'doc']);

/** What a project wrote for its contributors and their agents. */
export const contributorDocs: Signal = (file) => {
  if (file.language?.type !== 'prose' && file.name.includes('.')) return undefined;
  const dot = file.name.indexOf('.');
  const share = CONTRIBUTOR_DOC_SHARES.get(dot < 0 ? file.name : file.name.slice(0, dot));
  if (share === undefined) return undefined;
  let down = file.folders.length;
  if (down > 0 && HOMES.has(file.folders[0] as string)) down -= 0.5;
  return {
    points: byPosition(WEIGHTS.contributorDocs * share, down),
    why: 'written for contributors or agents',
  };
};
