/** What fits more is too common to mean anything. */
const MOST_MATCHES = 4;
/** Where so many end alike, none of them is looked at. */
const MOST_ALIKE = 500;

/** Finds paths by their ends. */
export class Suffixes {
  readonly #byEnd = new Map<string, string[]>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const last = path.lastIndexOf('/');
      this.#put(path.slice(last + 1), path);
      if (last > 0) this.#put(path.slice(path.lastIndexOf('/', last - 1) + 1), path);
    }
  }

  #put(end: string, path: string): void {
    const alike = this.#byEnd.get(end);
    if (alike) alike.push(path);
    else this.#byEnd.set(end, [path]);
  }

  /** The paths that end with all of `suffix`; of several, those that share the most folders with `from`. */
  find(suffix: string, from: string): readonly string[] {
    const last = suffix.lastIndexOf('/');
    const end = last > 0 ? suffix.slice(suffix.lastIndexOf('/', last - 1) + 1) : suffix;
    const alike = this.#byEnd.get(end);
    if (!alike || alike.length > MOST_ALIKE) return [];
    const matches = end === suffix ? alike : alike.filter((path) => endsWith(path, suffix));
    return nearest(from, matches);
  }
}

/** Whether a path ends with all the parts of another. */
function endsWith(path: string, suffix: string): boolean {
  if (!path.endsWith(suffix)) return false;
  return path.length === suffix.length || path[path.length - suffix.length - 1] === '/';
}

/** The paths that share the most folders with `from`; none if there are too many of them. */
export function nearest(from: string, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  let most = -1;
  let found: string[] = [];
  for (const path of paths) {
    const shared = sharedFolders(from, path);
    if (shared > most) {
      most = shared;
      found = [];
    }
    if (shared === most) found.push(path);
  }
  return found.length > MOST_MATCHES ? [] : found;
}

function sharedFolders(a: string, b: string): number {
  let shared = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') shared++;
  return shared;
}
