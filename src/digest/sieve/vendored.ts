import { vendorPatterns } from '../language/linguist.gen.ts';

const patterns = vendorPatterns();
const names = new Set(patterns.names);
const folders = new Set(patterns.folders);
/** All names that the pattern can match end like this. */
const webName = /\.(?:css|js|less|sass|scss|styl)$/;
const namePattern = new RegExp(patterns.name);
const folderPattern = new RegExp(patterns.folder);

/** The folder asked about last: a listing comes folder by folder. */
let lastFolder = '';
let lastIsVendored = false;

/**
 * Whether a path is that of a copy of another project's code, by GitHub Linguist's patterns, less those that only
 * keep a project's own settings, documents and test data out of its language statistics.
 */
export function isVendored(path: string): boolean {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash + 1);
  if (folder !== lastFolder) {
    lastFolder = folder;
    lastIsVendored = folderPattern.test(folder) || folder.split('/').some((part) => folders.has(part));
  }
  if (lastIsVendored) return true;
  const name = path.slice(slash + 1);
  return names.has(name) || (webName.test(name) && namePattern.test(name));
}
