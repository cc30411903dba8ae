import { LEAST_HEAD } from '../rank/weights.ts';
import { fullView, partWithin, type Readable, type ShownFile, type WriteSection } from './view.ts';
import { OUTLINE_SHARE, worthOf } from './worth.ts';

/** A way to carry a file: what it costs in characters of the document, and what it is worth to a reader. */
export interface Rung {
  readonly cost: number;
  readonly worth: number;
  /** What is shown; nothing where that is only guessed, since the file was not read yet or not to its end. */
  readonly shown?: ShownFile;
}

/** Characters of a file's smallest view. */
const SMALL_OUTLINE = 300;
const SMALL_HEAD = 800;
/** The least that is shown of a file that speaks for its package. */
const LEAST_VOICE = 40;
/** A file with fewer characters is shown whole or not at all. */
const LEAST_PARTED = 600;
/** A view of more than this share of a file is no better than the file. */
const MOST_PARTED = 0.85;
/** More characters than the numbers of a part and of its lines can take in a section, beyond an empty one's. */
const NUMBERS = 24;

/** The ways to carry a file that was read, the least first; only those that pay more, for their cost, than those above.
 *
 * @param room of all files: what is longer is not written
 * @param voice where it speaks for its package, so that even little of it counts: what that may take, with its frame
 */
export function ladderOf(
  readable: Readable,
  write: WriteSection,
  room: number,
  voice: number | undefined,
): Rung[] {
  const { content, excerpts } = readable;
  const { size } = content;
  const rungs: Rung[] = [];
  const add = (shown: ShownFile | undefined): void => {
    if (!shown) return;
    rungs.push({ cost: shown.section.length, worth: worthOf(shown.mode, shown.chars, size), shown });
  };
  const frame = write({ ...readable, mode: 'full', text: '', chars: 0, secrets: [] }).length + NUMBERS;
  const guess = (mode: ShownFile['mode'], chars: number): void => {
    const cost = frame + chars * (mode === 'outline' ? NUMBERED : 1);
    rungs.push({ cost, worth: worthOf(mode, chars, size) });
  };
  if (size >= LEAST_PARTED || !content.whole) {
    if (voice !== undefined && voice < frame + SMALL_OUTLINE)
      add(partWithin(readable, Math.max(voice, frame + LEAST_VOICE), write, LEAST_VOICE));
    for (const chars of excerpts ? outlineSizes(size, excerpts) : [SMALL_HEAD]) {
      if (chars >= size * MOST_PARTED) continue;
      if (chars > room) guess('outline', chars / NUMBERED);
      else add(partWithin(readable, frame + chars, write));
    }
  }
  if (content.whole && content.text.length > room) guess('full', size);
  else if (content.whole) add(fullView(readable, write));
  // Of a file that was not read to its end, more was read than any document has room for.
  else rungs.push({ cost: content.text.length, worth: worthOf('head', content.text.length, size) });
  return worthwhile(rungs, voice !== undefined);
}

function outlineSizes(
  size: number,
  { outlineChars, skeletonChars }: { outlineChars: number; skeletonChars: number },
): number[] {
  const share = Math.round(size * OUTLINE_SHARE * NUMBERED);
  return [SMALL_OUTLINE, share, outlineChars * NUMBERED, skeletonChars * NUMBERED].map((chars) =>
    Math.max(SMALL_OUTLINE, Math.round(chars)),
  );
}

/** How much longer lines are with their numbers. */
const NUMBERED = 1.12;

/** What the ways to carry a file will likely cost that has not been read: a character a byte. See `ladderOf`. */
export function guessedLadder(
  bytes: number,
  hasOutline: boolean,
  frame: number,
  voice: number | undefined,
): Rung[] {
  const rungs: Rung[] = [];
  const add = (mode: ShownFile['mode'], chars: number): void => {
    const cost = frame + chars * (mode === 'outline' ? NUMBERED : 1);
    rungs.push({ cost, worth: worthOf(mode, chars, bytes) });
  };
  if (bytes >= LEAST_PARTED) {
    if (voice !== undefined && voice < frame + SMALL_OUTLINE)
      add(hasOutline ? 'outline' : 'head', Math.max(voice - frame, LEAST_VOICE));
    if (hasOutline) {
      add('outline', SMALL_OUTLINE);
      add('outline', Math.max(SMALL_OUTLINE, bytes * OUTLINE_SHARE));
    } else if (bytes > SMALL_HEAD + LEAST_HEAD) {
      add('head', SMALL_HEAD);
    }
  }
  add('full', bytes);
  return worthwhile(rungs, voice !== undefined);
}

/**
 * The upper hull of what rungs are worth over their cost: each step up pays less for a character than the one before.
 *
 * @param first whether the cheapest stays, whatever it is worth
 */
function worthwhile(rungs: readonly Rung[], first: boolean): Rung[] {
  const hull: Rung[] = [];
  for (const rung of rungs.toSorted((a, b) => a.cost - b.cost || b.worth - a.worth)) {
    while (hull.length > Number(first) && slope(hull.at(-2), hull.at(-1) as Rung) <= slope(hull.at(-2), rung))
      hull.pop();
    if (rung.worth > (hull.at(-1)?.worth ?? 0)) hull.push(rung);
  }
  return hull;
}

/** What a step up is worth for a character. */
export function slope(from: Rung | undefined, to: Rung): number {
  return (to.worth - (from?.worth ?? 0)) / (to.cost - (from?.cost ?? 0));
}
