import { visibleName } from '../../text/visible.ts';
import { shorten } from '../../text/words.ts';
import { REASONS } from '../render/document.ts';
import { readClues } from '../sieve/clues.ts';
import { sieveByPath } from '../sieve/sieve.ts';
import type { Entry, OmitReason } from '../types.ts';
import type { Opened } from './open.ts';

/** What is in a folder, as it is told. */
export interface FolderEntry {
  /** With a slash at its end for a folder. */
  readonly name: string;
  /** How many are in a folder. */
  readonly files?: number;
  readonly bytes?: number;
  /** Why a digest leaves the file out, if its name tells. */
  readonly omitted?: string;
  /** Where a link leads. */
  readonly target?: string;
  /** Of another repository in it, the commit if that is known. */
  readonly repository?: string;
}

/** Characters of a link's target that are shown. */
const LONGEST_TARGET = 200;

/** What is in a folder, folders first. */
export function folderEntries({ listing, selection, at }: Opened): readonly FolderEntry[] {
  const base = at === '' ? '' : `${at}/`;
  const folders = new Map<string, { files: number; bytes: number }>();
  const files: Entry[] = [];
  for (const entry of listing.entries) {
    if (!entry.path.startsWith(base)) continue;
    const slash = entry.path.indexOf('/', base.length);
    if (slash < 0) {
      files.push(entry);
      continue;
    }
    const name = entry.path.slice(base.length, slash);
    const folder = folders.get(name) ?? { files: 0, bytes: 0 };
    folder.files += 1;
    folder.bytes += entry.size;
    folders.set(name, folder);
  }
  const clues = readClues(listing.entries);
  const reasonOf = (entry: Entry): OmitReason | undefined =>
    selection.wanted(entry.path)
      ? (entry.omit ?? sieveByPath(entry, listing.attributesOf(entry.path), clues))
      : 'excluded';
  return [
    ...[...folders].map(([name, { files, bytes }]) => ({ name: `${visibleName(name)}/`, files, bytes })),
    ...files.map((entry) => told(entry, entry.path.slice(base.length), reasonOf(entry))),
  ];
}

function told({ kind, size, target }: Entry, shown: string, reason: OmitReason | undefined): FolderEntry {
  const name = visibleName(shown);
  if (kind === 'symlink') return { name, target: shorten(visibleName(target ?? '?'), LONGEST_TARGET) };
  if (kind === 'repository') return { name, repository: target?.slice(0, 12) ?? 'nested' };
  const words = reason === undefined || reason === 'empty' ? undefined : REASONS.get(reason);
  return { name, bytes: size, ...(words !== undefined && { omitted: words }) };
}

/** As many of the entries as have `room` as JSON, at least one. */
export function entriesWithin(entries: readonly FolderEntry[], room: number): readonly FolderEntry[] {
  let left = room;
  const end = entries.findIndex((entry, at) => {
    left -= JSON.stringify(entry).length + 1;
    return left < 0 && at > 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}
