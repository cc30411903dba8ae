import { PlimsollError } from '../../errors.ts';
import { fitted, jsonCost } from '../../read/room.ts';
import { lineStarts } from '../../text/lines.ts';
import { visibleName } from '../../text/visible.ts';
import { group } from '../../text/words.ts';
import { type Content, load } from '../content/content.ts';
import { REASONS } from '../render/document.ts';
import { isLfsPointer } from '../sieve/lfs.ts';
import type { Entry } from '../types.ts';
import type { Opened } from './open.ts';

/** Files up to so many bytes are read and searched: they are held whole, so that no secret is shown in part. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** Lines of a file, from 1; of the first one, from which character on. */
export interface Lines {
  readonly from: number;
  readonly char: number;
  /** The last one, included; undefined for the file's last. */
  readonly to: number | undefined;
}

/** What is shown of a file. */
export interface FilePage {
  /** As it stands in the file, secrets aside. */
  readonly text: string;
  /** The first line, and the last one of which something is shown. */
  readonly from: number;
  readonly to: number;
  /** How many the file has. */
  readonly of: number;
  /** The lines to read on with; absent where all that was asked for is shown. */
  readonly next?: string;
}

const FORM = /^(\d{1,9})(?::(\d{1,9}))?(-(\d{1,9})?)?$/;

/** Reads `120-180`, `120-`, `120`, and `120:4001-180`, which begins at a character of the line. Throws `BAD_USAGE`. */
export function parseLines(text: string): Lines {
  const [, from, char = '1', dash, last] = FORM.exec(text.replace(/\s/g, '')) ?? [];
  const lines = {
    from: Number(from),
    char: Number(char),
    to: last !== undefined ? Number(last) : dash === undefined ? Number(from) : undefined,
  };
  if (lines.from >= 1 && lines.char >= 1 && (lines.to === undefined || lines.to >= lines.from)) return lines;
  throw new PlimsollError(
    'BAD_USAGE',
    `'${visibleName(text.slice(0, 40))}' are no lines: give 120-180, 120- or 120, from line 1 on.`,
  );
}

/**
 * The text of the file that is looked at, whole, as a digest shows it; `undefined` for an empty one. Throws a `PlimsollError`
 * for what has none or isn't shown: a link, binary and other files, and files that are too large, ignored or excluded.
 */
export async function loadFile(opened: Opened, entry: Entry, redact: boolean): Promise<Content | undefined> {
  const { source, listing } = opened;
  const problem = problemWith(entry, opened);
  if (problem !== undefined) throw notText(opened, problem);
  const attributes = listing.attributesOf(entry.path);
  const content = await load(source, entry, attributes, { redact, most: MOST_BYTES, named: true });
  if ('text' in content) return content;
  const { omit, warning } = content;
  if (omit === 'empty') return undefined;
  if (warning !== undefined) throw notText(opened, warning);
  throw notText(
    opened,
    omit === 'lfs-pointer' ? await pointerWords(opened, entry) : `is ${REASONS.get(omit)}`,
  );
}

function problemWith({ kind, path, size, omit, target }: Entry, { selection }: Opened): string | undefined {
  if (omit === 'ignored' || !selection.wanted(path))
    return 'is ignored or excluded by the user: it is not shown';
  if (kind === 'symlink') return `is a symbolic link to ${visibleName(target ?? '?')}: read that`;
  if (kind === 'repository') return 'is another repository, which is not read';
  if (kind === 'special') return 'is neither a file nor a folder';
  if (omit === 'unreadable') return 'can not be read: its contents are missing, or the system refuses them';
  if (size > MOST_BYTES) return `has ${group(size)} bytes: files up to ${group(MOST_BYTES)} are read`;
  return undefined;
}

async function pointerWords({ source }: Opened, entry: Entry): Promise<string> {
  const size = isLfsPointer(await source.read(entry, 1024));
  const what = size === undefined ? '' : ` to ${group(size)} bytes`;
  return `is a Git LFS pointer${what}: the contents are not in the repository`;
}

function notText({ prefix, at }: Opened, problem: string): PlimsollError {
  return new PlimsollError('SOURCE_UNREADABLE', `${visibleName(prefix + at)} ${problem}.`);
}

/**
 * Lines of a text, as many as have `room` within a JSON string, one character at least. Pages that follow each other are
 * the text. Throws `BAD_USAGE` for lines that it doesn't have.
 */
export function readLines(text: string, { from, char, to }: Lines, room: number): FilePage {
  const starts = lineStarts(text);
  const of = starts.length;
  const first = starts[from - 1];
  if (first === undefined) {
    throw new PlimsollError('BAD_USAGE', `The file has ${group(of)} lines: there is no line ${group(from)}.`);
  }
  const begin = Math.min(first + char - 1, starts[from] ?? text.length);
  const last = Math.min(to ?? of, of);
  const end = starts[last] ?? text.length;
  // No character takes less than one.
  const wanted = text.slice(begin, Math.min(end, begin + room));
  const shown = jsonCost(wanted) <= room ? wanted : fitted(wanted, room);
  const stop = begin + shown.length;
  const at = lineAt(starts, Math.max(begin, stop - 1));
  const page = { text: shown, from, to: at, of };
  if (stop >= end) return page;
  const line = lineAt(starts, stop);
  const offset = stop - (starts[line - 1] as number);
  const tail = to === undefined ? '' : last;
  return { ...page, next: `${line}${offset === 0 ? '' : `:${offset + 1}`}-${tail}` };
}

/** The number of the line that a character is in. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
