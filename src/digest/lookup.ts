import type { Entry } from './types.ts';

/** Whether a path, or any that begins with a prefix, is among entries that are sorted by path. */
export function lookUp(entries: readonly Entry[]) {
  const firstFrom = (text: string): string => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle] as Entry).path < text) low = middle + 1;
      else high = middle;
    }
    return entries[low]?.path ?? '';
  };
  return {
    has: (path: string) => firstFrom(path) === path,
    hasBelow: (prefix: string) => firstFrom(prefix).startsWith(prefix),
  };
}
