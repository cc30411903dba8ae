import { cutHead } from '../../text/cut.ts';
import type { Content } from '../content/content.ts';
import type { Candidate } from '../rank/candidate.ts';
import { LEAST_HEAD } from '../rank/weights.ts';
import type { Excerpts } from './excerpt.ts';

/** How a file is carried: whole, by its head, or by numbered lines with what it defines first. */
export type Mode = 'full' | 'head' | 'outline';

/** A file that was read, and what can be shown of it. */
export interface Readable {
  readonly file: Candidate;
  readonly content: Content;
  /** Of files of which single lines can be shown. */
  readonly excerpts: Excerpts | undefined;
  /** What there is to say of it beside its text. */
  readonly note?: string;
}

/** A file as the document carries it. */
export interface FileView extends Readable {
  readonly mode: Mode;
  readonly text: string;
  /** Characters carried of the decoded file's `content.size`. */
  readonly chars: number;
  /** Secrets that were replaced in `text`. */
  readonly secrets: Content['secrets'];
  /** Lines shown and lines there are, of an outline. */
  readonly lines?: { readonly shown: number; readonly of: number };
}

/** Writes a file as it stands in the document: heading, fence, notes and all. */
export type WriteSection = (view: FileView) => string;

export interface ShownFile extends FileView {
  readonly section: string;
}

/** The fullest view of a file whose section has at most `room` characters, if there is one worth showing. */
export function viewWithin(readable: Readable, room: number, write: WriteSection): ShownFile | undefined {
  const { content } = readable;
  if (content.whole && content.text.length <= room) {
    const full = fullView(readable, write);
    if (full.section.length <= room) return full;
  }
  return partWithin(readable, room, write);
}

export function fullView(readable: Readable, write: WriteSection): ShownFile {
  const { text, size, secrets } = readable.content;
  return written({ ...readable, mode: 'full', text, chars: size, secrets }, write);
}

/**
 * The fullest view of less than the whole file.
 *
 * @param least characters of its text that are worth showing
 */
export function partWithin(
  readable: Readable,
  room: number,
  write: WriteSection,
  least: number = readable.excerpts ? LEAST_OUTLINE : LEAST_HEAD,
): ShownFile | undefined {
  const part = readable.excerpts ? outlineView : headView;
  const frame = write({ ...readable, ...EMPTY, mode: readable.excerpts ? 'outline' : 'head' }).length;
  let left = room - frame;
  while (left >= least) {
    const view = part(readable, left);
    if (!view) return undefined;
    const shown = written(view, write);
    if (shown.section.length <= room) return shown;
    // Escapes, numbers and a longer fence make a text longer than it is: aim at the share that fits.
    const share = (room - frame) / (shown.section.length - frame);
    left = Math.min(left - 1, Math.floor(view.text.length * share));
  }
  return undefined;
}

/** The least characters of an outline that are worth a heading. */
const LEAST_OUTLINE = 40;
const EMPTY = { text: '', chars: 0, secrets: [], lines: { shown: 0, of: 0 } } as const;

function headView(readable: Readable, room: number): FileView | undefined {
  const { content } = readable;
  const text = cutHead(content.text, room);
  if (text === '') return undefined;
  const chars = Math.max(0, Math.min(content.sourceChars(text.length), content.size - 1));
  const secrets = content.secrets.filter(({ at }) => at < text.length);
  return { ...readable, mode: 'head', text, chars, secrets };
}

function outlineView(readable: Readable, room: number): FileView | undefined {
  const { content, excerpts } = readable;
  const excerpt = excerpts?.within(room);
  if (!excerpt) return undefined;
  const { text, chars, shown, lines, holds } = excerpt;
  const secrets = content.secrets.filter(({ at }) => holds(at));
  return { ...readable, mode: 'outline', text, chars, secrets, lines: { shown, of: lines } };
}

function written(view: FileView, write: WriteSection): ShownFile {
  return { ...view, section: write(view) };
}
