/** So many paths are named at the most. */
const MOST = 5;

/**
 * The paths that are most like one that isn't there: those of the same name, best with the most of its folders, or else
 * those whose names are the same but for case, ending or separators.
 */
export function nearest(path: string, paths: readonly string[]): readonly string[] {
  const name = nameOf(path);
  const same = paths.filter((other) => nameOf(other) === name);
  const alike = same.length > 0 ? same : paths.filter((other) => plain(nameOf(other)) === plain(name));
  const folders = new Set(path.split('/').slice(0, -1));
  const shared = (other: string): number => other.split('/').filter((part) => folders.has(part)).length;
  return alike
    .map((other) => ({ other, score: shared(other) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ other }) => other);
}

/** The innermost folder on the way to a path that is there; undefined if there is none but the root. */
export function folderAround(path: string, paths: readonly string[]): string | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const start = path.slice(0, end + 1);
    if (paths.some((other) => other.startsWith(start))) return path.slice(0, end);
  }
  return undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function plain(name: string): string {
  return name
    .replace(/(?<=.)\.[^.]*$/, '')
    .replace(/[-_. ]/g, '')
    .toLowerCase();
}
