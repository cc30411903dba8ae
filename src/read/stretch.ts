import type { Kept, Part } from '../spool/types.ts';
import { cutHead } from '../text/cut.ts';
import { startOf } from './page.ts';
import type { Unit } from './place.ts';
import { TextFile } from './text-file.ts';

/** What is read at once, in bytes. */
const CHUNK = 64 * 1024;

/** A stretch of a text of any length, which starts and ends between characters. */
export interface StretchAsked {
  readonly unit: Unit;
  /** As `readPage` counts. */
  readonly from: number;
  /** Up to the end if it isn't given. */
  readonly count?: number | undefined;
}

/** The exact bytes of a stretch of a text. Throws as `readPage` does. */
export async function* bytesOf(kept: Kept, part: Part, asked: StretchAsked): AsyncIterable<Buffer> {
  const file = await TextFile.open(kept, part);
  try {
    const { start, end } = await endsOf(file, asked);
    yield* file.bytes(start, end);
  } finally {
    await file.close();
  }
}

/**
 * The text of a stretch in well-formed pieces that end at line ends where they are near, and between characters as a
 * reader sees them. Throws as `readPage` does.
 */
export async function* textOf(kept: Kept, part: Part, asked: StretchAsked): AsyncIterable<string> {
  const file = await TextFile.open(kept, part);
  try {
    const { start, end } = await endsOf(file, asked);
    let text = '';
    for (let at = start; at < end; ) {
      const bytes = (await file.read(at, CHUNK)).subarray(0, end - at);
      if (bytes.length === 0) break;
      at += bytes.length;
      text += bytes.toString();
      const piece = at < end ? cutHead(text, text.length - 1) : text;
      yield piece;
      text = text.slice(piece.length);
    }
    yield text;
  } finally {
    await file.close();
  }
}

/** In bytes. */
async function endsOf(
  file: TextFile,
  { unit, from, count }: StretchAsked,
): Promise<{ start: number; end: number }> {
  const start = await startOf(file, unit, from);
  const end = count === undefined ? file.count('bytes') : (await file.seek(unit, start[unit] + count)).bytes;
  return { start: start.bytes, end };
}
