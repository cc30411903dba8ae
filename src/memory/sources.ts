import { PlimsollError } from '../errors.ts';
import { dedented } from './answers/frame.ts';
import { type Document, type Found, readDocument } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { writeKey } from './context/keys.ts';
import type { Where } from './memory.ts';
import type { CopyState } from './scope.ts';

/** The facts of a scope. Of several, the nearest comes first. */
export interface Source extends Where {
  readonly document: Document;
  /** Whether its file was read before, and isn't there any more. */
  readonly isGone?: boolean | undefined;
  /** What there is of the copy of it. */
  readonly copy?: CopyState | undefined;
}

/** What a source has at a key. */
export interface Part {
  readonly source: Source;
  readonly found: Found;
}

/** What sources have at a key, read together. */
export interface Reading {
  /** As it stands in the nearest file; empty for everything. */
  readonly key: string;
  readonly kind: Found['kind'];
  /** As it is written in the nearest file, as if it stood alone; to a section what further ones have in theirs is added. */
  readonly json: string;
  /** Where it is from, the nearest first; a value is from one. */
  readonly parts: readonly Part[];
  /** Facts of sources further away that `json` leaves out, since a nearer one has something in their place. */
  readonly hidden: readonly (Where & { readonly key: string })[];
}

/** What each of the sources has at the segments of a key, all of it without segments; the nearest first. */
export function partsAt(sources: readonly Source[], segments: readonly string[]): Part[] {
  return sources.flatMap((source) => {
    const found = source.document.find(segments, { literal: true });
    return found ? [{ source, found }] : [];
  });
}

/** What the sources have at the segments of a key, as one: fact by fact that of the nearest. */
export function readTogether(sources: readonly Source[], segments: readonly string[]): Reading | undefined {
  const [nearest, ...further] = partsAt(sources, segments);
  if (!nearest) return undefined;
  const { path, kind } = nearest.found;
  const text = dedented(nearest.found.json());
  const draft = kind === 'section' ? new Draft(readDocument(Buffer.from(text))) : undefined;
  const parts = [nearest];
  const hidden: (Where & { key: string })[] = [];
  for (const part of further) {
    const { source, found } = part;
    if (draft && found.kind === 'section') parts.push(part);
    for (const fact of found.facts()) {
      const inner = fact.path.slice(found.path.length);
      const isAdded = draft && !hiddenBy(sources, source, fact.path) && added(draft, inner, fact.json);
      if (!isAdded) hidden.push({ scope: source.scope, file: source.file, key: fact.key });
    }
  }
  return { key: writeKey(path), kind, json: draft?.finish().toString() ?? text, parts, hidden };
}

/** Puts a value into a section, unless something stands in its place. */
function added(draft: Draft, path: readonly string[], json: string): boolean {
  if (path.length === 0) return false;
  try {
    draft.set(path, json);
    return true;
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'KEY_TAKEN') return false;
    throw error;
  }
}

/** The nearer source that is read instead, where the same path leads to something in it; sections are read together. */
export function hiddenBy(
  sources: readonly Source[],
  source: Source,
  path: readonly string[],
): Source | undefined {
  const nearer = nearerWith(sources, source, path);
  const isRead = nearer?.found.kind === 'section' && isSectionIn(source, path);
  return isRead ? undefined : nearer?.source;
}

/** What the nearest of the nearer sources has at the same path. */
export function nearerWith(
  sources: readonly Source[],
  source: Source,
  path: readonly string[],
): Part | undefined {
  return partsAt(sources.slice(0, sources.indexOf(source)), path)[0];
}

function isSectionIn({ document }: Source, path: readonly string[]): boolean {
  return document.find(path, { literal: false })?.kind === 'section';
}
