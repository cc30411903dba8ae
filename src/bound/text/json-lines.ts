import { NOTICE_KEY } from '../data/notice-key.ts';
import type { Words } from '../types.ts';
import type { CutText, Job, Piece } from './job.ts';
import { cutLines } from './lines.ts';
import type { Source } from './source.ts';

/** How many lines at either end have to be records. */
const LINES = 20;

/**
 * Cuts JSON Lines (NDJSON), so that each line stays an object or an array: whole records at the start and the end,
 * those between that tell of errors, and what is missing said in records of its own. Undefined if the text is none, or
 * if no record fits.
 */
export function cutJsonLines(job: Job): CutText | undefined {
  if (!areJsonLines(job.source)) return undefined;
  const cut = cutLines({ ...job, words: asRecords(job.words) }, { align: WHOLE_LINES, only: wholeLines });
  const isShown = cut?.gaps.some(({ chars, of }) => chars < of);
  return cut && isShown ? { ...cut, kind: 'json-lines' } : undefined;
}

const WHOLE_LINES = {
  head: (text: string) => text.lastIndexOf('\n') + 1,
  tail: (text: string, startsLine: boolean) => (startsLine ? 0 : text.indexOf('\n') + 1 || text.length),
};

function wholeLines(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ endsLine }) => endsLine).map((piece) => ({ ...piece, isNumbered: false }));
}

function asRecords(words: Words): Words {
  const record = (text: string) => JSON.stringify({ [NOTICE_KEY]: text });
  return {
    ...words,
    notice: (gaps) => record(words.notice(gaps)),
    marker: (gap) => record(words.marker(gap)),
    brief: (gap) => record(words.brief(gap)),
  };
}

/** Whether the lines at both ends are objects and arrays, as far as they are held whole, and there are some. */
function areJsonLines({ head, tail }: Source): boolean {
  const first = head.slice(0, head.lastIndexOf('\n') + 1).split('\n', LINES);
  const last = tail
    .slice(tail.indexOf('\n') + 1)
    .split('\n')
    .slice(-LINES);
  return [first, last].every((lines) => {
    const records = lines.filter((line) => line.trim() !== '');
    return records.length > 0 && records.every(isRecord);
  });
}

function isRecord(line: string): boolean {
  if (!/^\s*[{[]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
