import type { Content, Rejection } from '../content/content.ts';
import type { Outline } from '../outline/outline.ts';
import type { Candidate } from '../rank/candidate.ts';
import { Excerpts, type LineScore } from './excerpt.ts';
import { guessedLadder, ladderOf, type Rung, slope } from './ladder.ts';
import { type Readable, type ShownFile, viewWithin, type WriteSection } from './view.ts';
import { roomOfVoice, voicesAmong } from './voices.ts';

export type { FileView, Mode, ShownFile, WriteSection } from './view.ts';

export interface Fitted {
  /** In the order in which the files were given. */
  readonly shown: readonly ShownFile[];
  /** Files that turned out, when read, not to be worth showing or not readable. */
  readonly rejected: ReadonlyMap<Candidate, Rejection>;
}

/** A file's text, and what it defines. */
export interface Loaded {
  readonly content: Content;
  /** Of files of which single lines can be shown. */
  readonly outline?: Outline | undefined;
  /** What there is to say of it, such as why it has none all the same. */
  readonly note?: string | undefined;
  readonly lineScore?: LineScore | undefined;
}

export interface FileReader {
  /** Told of files that will likely be loaded next, so that those far away can be fetched side by side. */
  readonly prefetch: (files: readonly Candidate[]) => Promise<void>;
  /** @param outlined whether what it defines is wanted too */
  readonly load: (file: Candidate, outlined: boolean) => Promise<Loaded | Rejection>;
  /** Whether a file will likely have an outline, by its name. */
  readonly hasOutline: (file: Candidate) => boolean;
}

/** A file that may be shown. */
export interface Offer {
  readonly file: Candidate;
  /** What all of it is worth to a reader, beside the others; above 0. */
  readonly value: number;
  /** Names of packages: of the best of those that can speak for one, something is shown wherever that is possible. */
  readonly speaksFor?: readonly string[];
}

export interface FitOptions {
  /** Characters for all sections together. */
  readonly room: number;
  readonly reader: FileReader;
  readonly write: WriteSection;
}

/** So often files are looked for in place of those that turned out to be longer than they seemed, or not worth showing. */
const ROUNDS = 12;
/** So many files are read side by side: what they define is found by several threads. */
const AT_ONCE = 8;
/** Where all files take less than this share of the room by their sizes, none will have to be shown in part. */
const ROOMY = 0.5;
/** What is worth less than this share of a step that has no room leaves what room there is to a part of that step. */
const LEAST_SHARE = 1 / 64;
/** So many files more are looked at than could be shown if they were empty. */
const SPARE = 2_000;
/** More characters than a section has beside its path and text, as a rule. */
const FRAME = 48;

/**
 * Spends `room` on files: step by step on whatever is worth most for its characters, be it one more file or more of one
 * that is there, until nothing fits; what is then left extends files that are shown in part, the most valuable first.
 *
 * Files are read only when they are about to be shown: until then it is their size that tells what they cost.
 */
export async function fitFiles(all: readonly Offer[], { room, reader, write }: FitOptions): Promise<Fitted> {
  const most = SPARE + Math.ceil(room / FRAME);
  const rejected = new Map<Candidate, Rejection>();
  const readable = new Map<Candidate, Readable>();
  const ladders = new Map<Candidate, readonly Rung[]>();
  let voices = voicesAmong(all);
  const voiceRoom = roomOfVoice(voices.size, room);
  if (voiceRoom === undefined) voices = new Set();
  const select = (): Offer[] => all.filter((offer, index) => index < most || voices.has(offer));
  let offers = select();

  const bytes = all.reduce((sum, { file }) => sum + file.entry.size + file.entry.path.length + FRAME, 0);
  const crowded = bytes > room * ROOMY;

  const ladderFor = (offer: Offer): readonly Rung[] => {
    const { file } = offer;
    let ladder = ladders.get(file);
    if (!ladder) {
      const { path, size } = file.entry;
      const read = readable.get(file);
      const voice = voices.has(offer) ? voiceRoom : undefined;
      ladder = read
        ? ladderOf(read, write, room, voice)
        : guessedLadder(size, reader.hasOutline(file), FRAME + path.length, voice);
      ladders.set(file, ladder);
    }
    return ladder;
  };

  const keep = ({ file }: Offer, loaded: Loaded | Rejection): void => {
    if ('omit' in loaded) {
      rejected.set(file, loaded);
      ladders.set(file, []);
      return;
    }
    const { content, outline, note, lineScore } = loaded;
    const excerpts = outline && new Excerpts(content, outline, lineScore);
    readable.set(file, { file, content, excerpts, ...(note !== undefined && { note }) });
    ladders.delete(file);
  };

  /** Where a voice is not to be shown, the next best of its package speaks. */
  const hearOthers = (): void => {
    const before = voices;
    voices = voicesAmong(all.filter(({ file }) => !rejected.has(file)));
    for (const offer of voices) if (!before.has(offer)) ladders.delete(offer.file);
    offers = select();
  };

  let spent = spend(offers, room, voices, ladderFor);
  for (let round = 1; ; round++) {
    const unread = spent.map(({ offer }) => offer).filter(({ file }) => !readable.has(file));
    if (unread.length === 0) break;
    if (round > ROUNDS) {
      const known = offers.filter(({ file }) => readable.has(file));
      spent = spend(known, room, voices, ladderFor);
      break;
    }
    await reader.prefetch(unread.map(({ file }) => file));
    for (let from = 0; from < unread.length; from += AT_ONCE) {
      const some = unread.slice(from, from + AT_ONCE);
      const loaded = await Promise.all(some.map(({ file }) => reader.load(file, crowded)));
      for (const [index, offer] of some.entries()) keep(offer, loaded[index] as Loaded | Rejection);
    }
    if (unread.some((offer) => voices.has(offer) && rejected.has(offer.file))) hearOthers();
    spent = spend(offers, room, voices, ladderFor);
  }
  const shown = spent.flatMap(({ rung }) => rung.shown ?? []);
  return { shown: extend(shown, room - lengthOf(shown), write), rejected };
}

/** Gives `room` more characters to files that are shown in part, the first ones first. */
export function extend(shown: readonly ShownFile[], room: number, write: WriteSection): ShownFile[] {
  let left = room;
  return shown.map((file) => {
    if (file.mode === 'full' || left <= 0) return file;
    const longer = viewWithin(file, file.section.length + left, write);
    if (!longer || longer.chars <= file.chars) return file;
    left -= longer.section.length - file.section.length;
    return longer;
  });
}

function lengthOf(shown: readonly ShownFile[]): number {
  return shown.reduce((sum, { section }) => sum + section.length, 0);
}

interface Spent {
  readonly offer: Offer;
  readonly rung: Rung;
}

/** Which rung each file is carried by; in the order in which the files were given. */
function spend(
  offers: readonly Offer[],
  room: number,
  voices: ReadonlySet<Offer>,
  ladderFor: (offer: Offer) => readonly Rung[],
): Spent[] {
  const steps = offers.flatMap((offer, index) =>
    ladderFor(offer).map((rung, at, ladder) => {
      const below = ladder[at - 1];
      const speaks = at === 0 && voices.has(offer);
      return {
        index,
        rung,
        cost: rung.cost - (below?.cost ?? 0),
        density: speaks ? Number.POSITIVE_INFINITY : offer.value * slope(below, rung),
      };
    }),
  );
  steps.sort((a, b) => b.density - a.density || a.index - b.index);
  const chosen = new Map<number, Rung>();
  const stuck = new Set<number>();
  let left = room;
  let floor = 0;
  for (const { index, rung, cost, density } of steps) {
    if (density < floor) break;
    if (stuck.has(index)) continue;
    if (cost > left) {
      stuck.add(index);
      if (chosen.has(index)) floor = Math.max(floor, density * LEAST_SHARE);
      continue;
    }
    chosen.set(index, rung);
    left -= cost;
  }
  return [...chosen]
    .sort(([a], [b]) => a - b)
    .map(([index, rung]) => ({ offer: offers[index] as Offer, rung }));
}
