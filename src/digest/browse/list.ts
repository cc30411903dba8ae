import { jsonCost } from '../../read/room.ts';
import { visibleName } from '../../text/visible.ts';
import { group, plural, shorten } from '../../text/words.ts';
import { REASONS } from '../render/document.ts';
import { readClues } from '../sieve/clues.ts';
import { sieveByPath } from '../sieve/sieve.ts';
import type { Entry, OmitReason } from '../types.ts';
import type { Opened } from './open.ts';

/** A page of what is in a folder, a line for each. */
export interface FolderPage {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly next?: number;
}

/** Characters of a link's target that are shown. */
const LONGEST_TARGET = 200;

/**
 * What is in a folder, folders first: how many files and bytes are in each folder, the size of each file, and why a digest
 * leaves it out if its name tells. Gives a function that makes a page of it within `room` in a JSON string.
 */
export function folderLines({ listing, selection, at }: Opened): readonly string[] {
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
    ...[...folders].map(
      ([name, { files, bytes }]) =>
        `${visibleName(name)}/ (${plural(files, 'file')}, ${plural(bytes, 'byte')})`,
    ),
    ...files.map((entry) => lineOf(entry, entry.path.slice(base.length), reasonOf(entry))),
  ];
}

function lineOf({ kind, size, target }: Entry, name: string, reason: OmitReason | undefined): string {
  const shown = visibleName(name);
  if (kind === 'symlink') return `${shown} -> ${shorten(visibleName(target ?? '?'), LONGEST_TARGET)}`;
  if (kind === 'repository')
    return target === undefined
      ? `${shown} (nested repository)`
      : `${shown} (submodule at ${target.slice(0, 12)})`;
  const words = reason === undefined || reason === 'empty' ? '' : `, ${REASONS.get(reason)}`;
  return `${shown} (${group(size)} ${size === 1 ? 'byte' : 'bytes'}${words})`;
}

/** As many lines as have `room` within a JSON string, at least one. */
export function pageOf(lines: readonly string[], from: number, room: number): FolderPage {
  let left = room;
  let to = from;
  while (to < lines.length) {
    left -= jsonCost(lines[to] as string) + jsonCost('\n');
    if (left < 0 && to > from) break;
    to += 1;
  }
  const text = lines.slice(from, to).join('\n');
  return { text, from, to, of: lines.length, ...(to < lines.length && { next: to }) };
}
