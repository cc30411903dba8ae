import type { Document } from './context/document.ts';
import type { Where } from './memory.ts';

/** The facts of a scope. Of several, the nearest comes first. */
export interface Source extends Where {
  readonly document: Document;
}

/** The nearer source that is read instead, where the same path leads to something in it. */
export function hiddenBy(
  sources: readonly Source[],
  source: Source,
  path: readonly string[],
): Source | undefined {
  return sources
    .slice(0, sources.indexOf(source))
    .find(({ document }) => document.find(path, { literal: true }) !== undefined);
}
