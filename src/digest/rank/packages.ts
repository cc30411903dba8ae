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
 * The files that speak for the packages of a source: of every folder that has a manifest, and of every folder at the top
 * (or in one at the top that holds packages), the best source file. A file may speak for several.
 *
 * @param files the best first
 */
export function voicesAmong(files: readonly Candidate[]): ReadonlySet<Candidate> {
  const sources = files.filter(
    (file) => isCode(file.language) && !file.vendored && !file.ecosystem && !isTest(file) && !isExample(file),
  );
  const withManifest = new Set(
    files.filter(({ ecosystem }) => ecosystem).map(({ entry }) => folderOf(entry.path)),
  );
  const heard = new Set<string>();
  const voices = new Set<Candidate>();
  for (const file of sources) {
    const unheard = packagesOf(file, withManifest).filter((name) => !heard.has(name));
    if (unheard.length === 0) continue;
    voices.add(file);
    for (const name of unheard) heard.add(name);
  }
  return voices;
}

/** The nearest folder with a manifest, and the one at the top. */
function packagesOf({ entry, folders }: Candidate, withManifest: ReadonlySet<string>): string[] {
  const parts = entry.path.split('/').slice(0, -1);
  const top = HOLDERS.has(folders[0] ?? '') ? parts.slice(0, 2) : parts.slice(0, 1);
  let nearest = parts.length;
  while (nearest > 0 && !withManifest.has(parts.slice(0, nearest).join('/'))) nearest--;
  return [top.join('/'), ...(nearest > 0 ? [parts.slice(0, nearest).join('/')] : [])];
}
