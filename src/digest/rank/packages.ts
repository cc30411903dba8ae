import { folderOf } from '../graph/paths.ts';
import type { Candidate } from './candidate.ts';
import { isCode } from './code.ts';
import { isExample } from './signals/example.ts';
import { isTest } from './signals/test.ts';

/** Folders at the top that hold packages, as a rule, and are none themselves. */
const HOLDERS = new Set([
  'src',
  'lib',
  'libs',
  'packages',
  'crates',
  'apps',
  'modules',
  'cmd',
  'pkg',
  'internal',
  'python',
]);

/**
 * The packages that a file can speak for: folders that have a manifest, and folders at the top (or in one at the top that holds
 * packages), if it is source in them. The best that can be shown does so.
 */
export function packagesAmong(files: readonly Candidate[]): (file: Candidate) => readonly string[] {
  const withManifest = new Set(
    files.filter(({ ecosystem }) => ecosystem).map(({ entry }) => folderOf(entry.path)),
  );
  return (file) => {
    const isSource = isCode(file.language) && !file.vendored && !file.ecosystem;
    return isSource && !isTest(file) && !isExample(file) ? packagesOf(file, withManifest) : [];
  };
}

/** The nearest folder with a manifest, and the one at the top. */
function packagesOf({ entry, folders }: Candidate, withManifest: ReadonlySet<string>): string[] {
  const parts = entry.path.split('/').slice(0, -1);
  const top = HOLDERS.has(folders[0] ?? '') ? parts.slice(0, 2) : parts.slice(0, 1);
  let nearest = parts.length;
  while (nearest > 0 && !withManifest.has(parts.slice(0, nearest).join('/'))) nearest--;
  return [top.join('/'), ...(nearest > 0 ? [parts.slice(0, nearest).join('/')] : [])];
}
