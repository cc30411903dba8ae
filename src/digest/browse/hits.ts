import { fitted, jsonCost } from '../../read/room.ts';
import type { Hit } from './search.ts';

/** Lines that were found as they are shown, as many as there was room for. */
export interface HitsPage {
  /**
   * For each file its path on a line; below it a line `LINE: TEXT` for each that was found and `LINE- TEXT` for those
   * around it, `--` where lines are left out between.
   */
  readonly text: string;
  /** How many of the hits are shown, and of how many files. */
  readonly shown: number;
  readonly files: number;
}

/** As many hits as have `room` within a JSON string, at least one. */
export function pageOfHits(hits: readonly Hit[], room: number): HitsPage {
  const lines: string[] = [];
  let left = room;
  let files = 0;
  let path: string | undefined;
  /** The last line that is shown of the file, and what follows it. */
  let last = 0;
  let after: readonly string[] = [];
  const append = (more: readonly string[]): boolean => {
    const cost = more.reduce((sum, line) => sum + jsonCost(line) + 2, 0);
    if (cost > left) return false;
    left -= cost;
    lines.push(...more);
    return true;
  };
  const rest = (before: number): string[] =>
    after.flatMap((text, index) => (last + 1 + index < before ? [`${last + 1 + index}- ${text}`] : []));
  let shown = 0;
  for (const hit of hits) {
    const isNew = hit.path !== path;
    const behind = rest(isNew ? Number.POSITIVE_INFINITY : hit.line);
    const seen = isNew ? 0 : last + behind.length;
    const ahead = hit.before
      .map((text, index) => ({ line: hit.line - hit.before.length + index, text }))
      .filter(({ line }) => line > seen);
    const isGap = !isNew && (ahead[0]?.line ?? hit.line) > seen + 1;
    const found = `${hit.line}: ${hit.shown}`;
    const block = [
      ...behind,
      ...(isNew ? [...(path === undefined ? [] : ['']), hit.path] : isGap ? ['--'] : []),
      ...ahead.map(({ line, text }) => `${line}- ${text}`),
      found,
    ];
    if (!append(block)) {
      if (shown > 0) break;
      lines.push(hit.path, fitted(found, Math.max(1, left - jsonCost(hit.path) - 2)));
      return { text: lines.join('\n'), shown: 1, files: 1 };
    }
    shown += 1;
    if (isNew) files += 1;
    path = hit.path;
    last = hit.line;
    after = hit.after;
  }
  append(rest(Number.POSITIVE_INFINITY));
  return { text: lines.join('\n'), shown, files };
}
