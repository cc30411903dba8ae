import { WEIGHTS } from '../weights.ts';
import { byPosition, type Signal } from './signal.ts';

const SHARE_BY_STEM: ReadonlyMap<string, number> = new Map([
  ['agents', 1],
  ['claude', 1],
  ['gemini', 0.8],
  ['copilot-instructions', 0.8],
  ['architecture', 1],
  ['design', 0.7],
  ['contributing', 0.7],
  ['development', 0.7],
  ['hacking', 0.7],
]);

/** Folders where such documents stand by custom, as good as the root. */
const HOMES = new Set(['.github', 'docs', 'doc']);

/** What a project wrote for its contributors and their agents. */
export const contributorDocs: Signal = (file) => {
  if (file.language?.type !== 'prose' && file.name.includes('.')) return undefined;
  const dot = file.name.indexOf('.');
  const share = SHARE_BY_STEM.get(dot < 0 ? file.name : file.name.slice(0, dot));
  if (share === undefined) return undefined;
  let down = file.folders.length;
  if (down > 0 && HOMES.has(file.folders[0] as string)) down -= 0.5;
  return {
    points: byPosition(WEIGHTS.contributorDocs * share, down),
    why: 'written for contributors or agents',
  };
};
