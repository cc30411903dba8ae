import {
  type Align,
  type CutText,
  endOf,
  endsOf,
  fits,
  headOf,
  type Job,
  largestGap,
  layOut,
  type Piece,
  settle,
  tailOf,
} from './job.ts';
import { notableBetween } from './notable.ts';

/** Which share of the room and of the lines notable lines may take. */
const NOTABLE_SHARE = 0.3;

/** Which share of the room the notice and the marker have to leave if there is to be a head and a tail. */
export const LEAST_SHARE = 1 / 4;

/** The least that is worth showing beside a notice. */
const LEAST_PIECE = 16;

/** How lines are cut of a text that has a form. */
interface Form {
  readonly align?: Align;
  /** Which of the notable lines may be shown, and how. */
  readonly only?: (pieces: readonly Piece[]) => Piece[];
}

/**
 * Cuts a text at lines: a notice, a head, a marker and a tail, and between them the lines that tell of errors. Of a
 * text that is nothing but base64 only the words are left.
 * Undefined if there is too little room for that.
 */
export function cutLines(job: Job, { align, only }: Form = {}): CutText | undefined {
  const gap = largestGap(job);
  const left = job.room - job.cost(`${job.words.notice([gap])}\n\n${job.words.marker(gap)}\n`);
  const lines = job.maxLines - 2;
  if (left < job.room * LEAST_SHARE || lines < 2) return undefined;

  const [head, tail] = endsOf(job, { cost: left, lines }, align);
  const most = { cost: left * NOTABLE_SHARE, lines: lines * NOTABLE_SHARE };
  const { pieces: notable, taken } = notableBetween(job, head, tail, most);
  const pieces = only?.(notable) ?? notable;
  const last = pieces.at(-1);
  return settle(job, left - taken.cost, (cost) => {
    const space = { cost, lines: lines - taken.lines };
    const [head, tail] = endsOf(job, space, align, last && endOf(last));
    if (pieces.length > 0) return layOut(job, [head, ...pieces, tail], 'log');
    const isEmpty = head.text === '' && tail.text === '';
    return layOut(job, [head, tail], 'plain', isEmpty ? job.words.brief : undefined);
  });
}

/**
 * The smallest forms, for little room: a notice and the more telling end of the text, the notice alone, the shortest
 * marker; undefined if not even that fits.
 */
export function cutShort(job: Job): CutText | undefined {
  const left = job.room - job.cost(`${job.words.notice([largestGap(job)])}\n`);
  if (left < LEAST_PIECE || job.maxLines < 2) return cutWhole(job);
  const cut = settle(job, left, (cost) => {
    const space = { cost, lines: job.maxLines - 1 };
    const piece = job.tailShare > 1 / 2 ? tailOf(job, space, 0) : headOf(job, space);
    return piece.text === '' ? undefined : layOut(job, [piece], 'plain', () => undefined);
  });
  return cut ?? cutWhole(job);
}

/** Nothing of the text but that it is missing: the notice alone, or the shortest marker; undefined if neither fits. */
export function cutWhole(job: Job): CutText | undefined {
  const notice = layOut(job, [], 'plain', () => undefined);
  const brief = { ...notice, text: notice.gaps.map((gap) => job.words.brief(gap)).join('') };
  return [notice, brief].find(({ text }) => fits(job, text));
}
