/** Any number of folders, none as well. */
export const DEEP = Symbol('any number of folders');

/** One name in a path: this one, or all that match, or any number of folders. */
type Part = string | RegExp | typeof DEEP;

/** Where files are below a folder, name by name. */
export type Pattern = readonly Part[];

/** What may stand below an entry of that name, if it fits; a pattern without parts means the entry itself. */
export function below(patterns: readonly Pattern[], name: string): readonly Pattern[] {
  return patterns.flatMap((pattern): readonly Pattern[] => {
    const [part, ...rest] = pattern;
    if (part === undefined) return [];
    if (part === DEEP) return [pattern, ...below([rest], name)];
    return fits(part, name) ? [rest] : [];
  });
}

/** Whether a file fits one of the patterns, by the names of its path. */
export function fitsPath(patterns: readonly Pattern[], names: readonly string[]): boolean {
  return isWhole(names.reduce(below, patterns));
}

/** Whether the entry that these are left of is itself meant. */
export function isWhole(patterns: readonly Pattern[]): boolean {
  return patterns.some(({ length }) => length === 0);
}

/** The names that can be next, if these are known without looking. */
export function nextNames(patterns: readonly Pattern[]): ReadonlySet<string> | undefined {
  const parts = patterns.flatMap(([part]) => part ?? []);
  return parts.every((part) => typeof part === 'string') ? new Set(parts) : undefined;
}

function fits(part: string | RegExp, name: string): boolean {
  return typeof part === 'string' ? part === name : part.test(name);
}
