import { cutHead } from '../../text/cut.ts';
import type { Content, Rejection } from '../content/content.ts';
import type { Candidate } from '../rank/candidate.ts';
import { FILE_FLOOR, FILE_SHARE, LEAST_HEAD } from '../rank/weights.ts';

/** After so many files in a row that were read and found no room after all, the rest are not tried. */
const MISSES = 20;
/** So many files at the most are brought near at once. */
const FORECAST = 500;
/** More characters than the numbers in a section can take. */
const NUMBERS = 40;
/** No section has fewer characters beside its path and text, nor one that says what a cut left out. */
const LEAST_FRAME = 16;
const LEAST_CUT_FRAME = 64;

/** A file as the document carries it. */
export interface FileView {
  readonly file: Candidate;
  readonly content: Content;
  /** `head` where a cut left out the rest. */
  readonly mode: 'full' | 'head';
  readonly text: string;
  /** Characters carried of the decoded file's `content.size`. */
  readonly chars: number;
  /** Secrets that were replaced in `text`. */
  readonly secrets: Content['secrets'];
}

/** Writes a file as it stands in the document: heading, fence, notes and all. */
export type WriteSection = (view: FileView) => string;

export interface ShownFile extends FileView {
  readonly section: string;
}

export interface Fitted {
  readonly shown: readonly ShownFile[];
  /** Files that turned out, when read, not to be worth showing or not readable. */
  readonly rejected: ReadonlyMap<Candidate, Rejection>;
}

export interface FileReader {
  /** Told of files that will likely be loaded next, so that those far away can be fetched side by side. */
  readonly prefetch: (files: readonly Candidate[]) => Promise<void>;
  readonly load: (file: Candidate) => Promise<Content | Rejection>;
}

export interface FitOptions {
  /** Characters for all sections together. */
  readonly room: number;
  readonly reader: FileReader;
  readonly write: WriteSection;
}

/**
 * Spends `room` on files in the order given. A file takes at most `FILE_SHARE` of what remains; what doesn't
 * fit is cut at a line end, unless too little would be left of it; what nobody in a batch took then extends the
 * files that were cut, best first, before the next batch has its turn.
 */
export async function fitFiles(
  batches: readonly (readonly Candidate[])[],
  { room, reader, write }: FitOptions,
): Promise<Fitted> {
  const rejected = new Map<Candidate, Rejection>();
  let shown: ShownFile[] = [];
  let left = room;
  let anyCut = false;
  let misses = 0;
  const near = new Set<Candidate>();

  const bringNear = async (files: readonly Candidate[]): Promise<void> => {
    const next = forecast(files, left, anyCut, write);
    for (const file of next) near.add(file);
    await reader.prefetch(next);
  };

  const offer = async (file: Candidate): Promise<void> => {
    const content = await reader.load(file);
    if ('omit' in content) {
      rejected.set(file, content);
      return;
    }
    const carried = cutToFit(file, content, allowanceOf(left), write);
    if (!carried) {
      misses++;
      return;
    }
    misses = 0;
    shown.push(carried);
    left -= carried.section.length;
    anyCut ||= carried.mode === 'head';
  };

  for (const batch of batches) {
    for (const [index, file] of batch.entries()) {
      if (left <= LEAST_FRAME || misses >= MISSES) break;
      if (!mayFit(file, left, anyCut, write)) continue;
      if (!near.has(file)) await bringNear(batch.slice(index, index + FORECAST));
      await offer(file);
    }
    const before = lengthOf(shown);
    shown = extendCut(shown, left, write);
    left -= lengthOf(shown) - before;
  }
  return { shown, rejected };
}

/** Gives `room` more characters to files that were cut, best first. */
export function extendCut(shown: readonly ShownFile[], room: number, write: WriteSection): ShownFile[] {
  let left = room;
  return shown.map((file) => {
    if (file.mode === 'full' || left <= 0) return file;
    const longer = cutToFit(file.file, file.content, file.section.length + left, write);
    if (!longer || longer.chars <= file.chars) return file;
    left -= longer.section.length - file.section.length;
    return longer;
  });
}

/** The most that one file may take of what is left. */
function allowanceOf(left: number): number {
  return Math.min(left, Math.max(Math.floor(left * FILE_SHARE), FILE_FLOOR));
}

/** Those of some files that will be loaded if each has a character a byte. */
function forecast(
  files: readonly Candidate[],
  room: number,
  anyCut: boolean,
  write: WriteSection,
): Candidate[] {
  let left = room;
  let cut = anyCut;
  return files.filter((file, index) => {
    if (index > 0 && (left <= LEAST_FRAME || !mayFit(file, left, cut, write))) return false;
    const wanted = file.entry.size + write(viewOf(file, NOTHING, 'full', '')).length;
    const taken = Math.min(wanted, allowanceOf(left));
    cut ||= taken < wanted;
    left -= taken;
    return true;
  });
}

function lengthOf(shown: readonly ShownFile[]): number {
  return shown.reduce((sum, file) => sum + file.section.length, 0);
}

/** Whether reading a file can be of use: a cut of it fits, or all of it may, by its size in bytes. */
function mayFit(file: Candidate, left: number, anyCut: boolean, write: WriteSection): boolean {
  const { path, size } = file.entry;
  // No encoding needs over four bytes a character. Where a cut file can take what is left, the usual one will do.
  const mayFitWhole = (room: number): boolean => room > 0 && size <= room * (anyCut ? 1 : 4);
  const most = left - path.length;
  if (most < LEAST_HEAD + LEAST_CUT_FRAME && !mayFitWhole(most - LEAST_FRAME)) return false;
  const room = left - write(viewOf(file, NOTHING, 'head', '')).length;
  return room >= LEAST_HEAD + NUMBERS || mayFitWhole(left - write(viewOf(file, NOTHING, 'full', '')).length);
}

const NOTHING: Content = {
  sourceChars: (length) => length,
  text: '',
  size: 0,
  whole: true,
  encoding: 'UTF-8',
  secrets: [],
  language: undefined,
};

/** The file whole, or else as much of its head as `allowance` characters pay for, if that is worth showing. */
function cutToFit(
  file: Candidate,
  content: Content,
  allowance: number,
  write: WriteSection,
): ShownFile | undefined {
  if (content.whole && content.text.length <= allowance) {
    const full = show(viewOf(file, content, 'full', content.text), write);
    if (full.section.length <= allowance) return full;
  }
  const frame = write(viewOf(file, content, 'head', '')).length;
  let room = allowance - frame;
  while (room >= LEAST_HEAD) {
    const head = show(viewOf(file, content, 'head', cutHead(content.text, room)), write);
    if (head.text === '') return undefined;
    if (head.section.length <= allowance) return head;
    // Escapes and a longer fence make a text longer than it is: aim at the share that fits.
    const share = (allowance - frame) / (head.section.length - frame);
    room = Math.min(room - 1, Math.floor(head.text.length * share));
  }
  return undefined;
}

function viewOf(file: Candidate, content: Content, mode: FileView['mode'], text: string): FileView {
  const chars = mode === 'full' ? content.size : Math.min(content.sourceChars(text.length), content.size - 1);
  const secrets = mode === 'full' ? content.secrets : content.secrets.filter(({ at }) => at < text.length);
  return { file, content, mode, text, chars: Math.max(chars, 0), secrets };
}

function show(view: FileView, write: WriteSection): ShownFile {
  return { ...view, section: write(view) };
}
