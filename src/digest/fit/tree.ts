import { visibleName } from '../../text/visible.ts';
import { group } from '../../text/words.ts';

/** One line's worth of the tree. */
export interface TreeEntry {
  readonly path: string;
  /** What the name alone doesn't tell, such as where a symlink points. */
  readonly note: string | undefined;
  /** The file's score; a folder is as important as the best of what is in it. */
  readonly score: number;
}

export interface Tree {
  /** Lines joined by a newline, none at the end. */
  readonly text: string;
  /** Entries that have a line of their own. */
  readonly shown: number;
  /** Entries that don't; they are counted at their folder or in the last line. */
  readonly omitted: number;
}

/** The most of what remains that the inside of one folder takes before every other had its chance. */
const FOLDER_SHARE = 0.4;
const INDENT = 2;

interface Folder {
  path: string;
  label: string;
  folders: Folder[];
  files: TreeEntry[];
  parent: Folder | undefined;
  depth: number;
  /** Entries in it and below. */
  count: number;
  /** Characters of what is directly in it, its folders closed, newlines included. */
  inside: number;
  best: number;
  open: boolean;
}

/**
 * The tree of a source in at most `max` characters. Where it doesn't fit whole, folders are one line with
 * their count; the most important are opened first, so that the top level is always the last to go.
 *
 * @param entries in any order
 * @param max characters; at least the length of `restLine`
 */
export function fitTree(entries: readonly TreeEntry[], max: number): Tree {
  const root = build(entries);
  const folders = descendants(root).sort(byImportance);
  const whole = root.inside + folders.reduce((sum, at) => sum + openingCost(at), 0);
  if (whole <= max + 1) {
    for (const at of folders) at.open = true;
    return finish(root, entries.length);
  }

  let left = max - root.inside - restLine(entries.length).length;
  if (left < 0) return topLevelOnly(root, max, entries.length);
  root.open = true;
  for (const share of [FOLDER_SHARE, 1]) {
    for (const folder of folders) {
      if (folder.open || !folder.parent?.open) continue;
      const cost = openingCost(folder);
      if (cost > left * share) continue;
      folder.open = true;
      left -= cost;
    }
  }
  return finish(root, entries.length);
}

function build(entries: readonly TreeEntry[]): Folder {
  const folders = new Map<string, Folder>([['', folder('', '')]]);
  const folderAt = (path: string): Folder => {
    let at = folders.get(path);
    if (!at) {
      const slash = path.lastIndexOf('/');
      at = folder(path, `${visibleName(path.slice(slash + 1))}/`);
      folders.set(path, at);
      folderAt(path.slice(0, Math.max(slash, 0))).folders.push(at);
    }
    return at;
  };
  const root = folderAt('');
  let at = root;
  for (const entry of entries) {
    const slash = Math.max(entry.path.lastIndexOf('/'), 0);
    if (slash !== at.path.length || !entry.path.startsWith(at.path))
      at = folderAt(entry.path.slice(0, slash));
    at.files.push(entry);
  }
  settle(root, undefined);
  return root;
}

function folder(path: string, label: string): Folder {
  return {
    path,
    label,
    folders: [],
    files: [],
    parent: undefined,
    depth: 0,
    count: 0,
    inside: 0,
    best: Number.NEGATIVE_INFINITY,
    open: false,
  };
}

/** Joins folders that hold nothing but one folder into one line, then says where each stands and what it holds. */
function settle(at: Folder, parent: Folder | undefined): void {
  while (parent && at.files.length === 0 && at.folders.length === 1) {
    const only = at.folders[0] as Folder;
    at.label += only.label;
    at.path = only.path;
    at.files = only.files;
    at.folders = only.folders;
  }
  at.parent = parent;
  at.depth = parent ? parent.depth + 1 : 0;
  at.count = at.files.length;
  for (const file of at.files) if (file.score > at.best) at.best = file.score;
  for (const child of at.folders) {
    settle(child, at);
    at.count += child.count;
    if (child.best > at.best) at.best = child.best;
  }
  at.inside = insideOf(at);
}

function descendants(root: Folder): Folder[] {
  const found: Folder[] = [];
  const pending = [root];
  for (let at = pending.pop(); at; at = pending.pop()) {
    for (const child of at.folders) {
      found.push(child);
      pending.push(child);
    }
  }
  return found;
}

/** Parents stand before their children: they are at least as important, and less deep. */
function byImportance(a: Folder, b: Folder): number {
  return b.best - a.best || a.depth - b.depth || (a.path < b.path ? -1 : 1);
}

function fileLabel(entry: TreeEntry): string {
  const name = visibleName(entry.path.slice(entry.path.lastIndexOf('/') + 1));
  return entry.note === undefined ? name : `${name} ${entry.note}`;
}

function countNote(at: Folder): string {
  return at.count === 1 ? ' (1 file)' : ` (${group(at.count)} files)`;
}

/** The line that says how many entries the tree does not list: the smallest tree there is. */
export function restLine(entries: number): string {
  return entries === 1 ? '(1 entry is not listed)' : `(${group(entries)} entries are not listed)`;
}

function insideOf(at: Folder): number {
  const indent = at.depth * INDENT + 1;
  let chars = 0;
  for (const child of at.folders) chars += indent + child.label.length + countNote(child).length;
  for (const file of at.files) chars += indent + fileLabel(file).length;
  return chars;
}

/** Characters that showing what is in a folder takes in place of its count. */
function openingCost(at: Folder): number {
  return at.inside - countNote(at).length;
}

function finish(root: Folder, total: number): Tree {
  const lines: string[] = [];
  const shown = write(root, lines);
  if (shown < total) lines.push(restLine(total - shown));
  return { text: lines.join('\n'), shown, omitted: total - shown };
}

function write(at: Folder, lines: string[]): number {
  const indent = ' '.repeat(at.depth * INDENT);
  let shown = at.files.length;
  for (const child of [...at.folders].sort(byPath)) {
    lines.push(indent + child.label + (child.open ? '' : countNote(child)));
    if (child.open) shown += write(child, lines);
  }
  for (const file of [...at.files].sort(byPath)) lines.push(indent + fileLabel(file));
  return shown;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Where not even the top level fits: its folders, then its files, the most important that do. */
function topLevelOnly(root: Folder, max: number, total: number): Tree {
  let left = max - restLine(total).length;
  const folders = [...root.folders].sort(byImportance).filter((child) => {
    const cost = child.label.length + countNote(child).length + 1;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  const files = [...root.files]
    .sort((a, b) => b.score - a.score || byPath(a, b))
    .filter((file) => {
      const cost = fileLabel(file).length + 1;
      if (cost > left) return false;
      left -= cost;
      return true;
    });
  const lines = folders.sort(byPath).map((child) => child.label + countNote(child));
  lines.push(...files.sort(byPath).map(fileLabel));
  const omitted = total - files.length;
  if (omitted > 0) lines.push(restLine(omitted));
  return { text: lines.join('\n'), shown: files.length, omitted };
}
