import { plural, shorten } from '../../text/words.ts';
import type { Candidate } from '../rank/candidate.ts';
import type { Entry } from '../types.ts';

export const NO_README = 'There is no README.';

const FOLDERS_NAMED = 8;
const MANIFESTS_NAMED = 5;

/** What a reader learns from a source's manifests and folders where no README says it. One paragraph. */
export function overview(entries: readonly Entry[], candidates: readonly Candidate[]): string {
  const sentences = [NO_README];
  const manifests = candidates
    .filter(({ ecosystem, folders }) => ecosystem && folders.length === 0)
    .map(({ entry }) => entry.path);
  if (manifests.length > 0)
    sentences.push(`Manifests at the root: ${manifests.slice(0, MANIFESTS_NAMED).join(', ')}.`);

  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const slash = path.indexOf('/');
    if (slash >= 0) counts.set(path.slice(0, slash), (counts.get(path.slice(0, slash)) ?? 0) + 1);
  }
  const folders = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (folders.length > 0) {
    const named = folders
      .slice(0, FOLDERS_NAMED)
      .map(([name, files]) => `${shorten(name, 60)}/ (${plural(files, 'file')})`);
    if (folders.length > FOLDERS_NAMED) named.push(plural(folders.length - FOLDERS_NAMED, 'more folder'));
    sentences.push(`Largest folders: ${named.join(', ')}.`);
  }
  return sentences.join(' ');
}
