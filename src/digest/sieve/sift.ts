import { PlimsollError } from '../../errors.ts';
import { languageOf } from '../language/language.ts';
import { type Candidate, candidateMaker } from '../rank/candidate.ts';
import type { Entry, Listing, OmitReason, Source } from '../types.ts';
import { likelyBinary } from './binary.ts';
import { readClues } from './clues.ts';
import { isLfsPointer } from './lfs.ts';
import type { Selection } from './select.ts';
import { sieveByPath } from './sieve.ts';
import { isVendored } from './vendored.ts';

/** A listing, parted into what may be shown and what won't be. */
export interface Sifted {
  readonly candidates: readonly Candidate[];
  /** Files in hand that the selection keeps out: not shown, but they lead to others. */
  readonly aside: readonly Candidate[];
  readonly omitted: ReadonlyMap<Entry, OmitReason>;
  /** Git LFS pointers, with the size of what they stand for where they were looked into. */
  readonly lfsSizes: ReadonlyMap<Entry, number | undefined>;
}

/**
 * Parts a listing by what is known without reading: the user's selection, kinds, attributes and names.
 * Only files that look like Git LFS pointers are read, so that the tree can name them.
 *
 * @throws PlimsollError `NOTHING_MATCHES` where the selection leaves no file
 */
export async function sift(
  source: Source,
  listing: Listing,
  selection: Selection,
  hand: ReadonlySet<string> = new Set(),
): Promise<Sifted> {
  const found: Candidate[] = [];
  const aside: Candidate[] = [];
  const omitted = new Map<Entry, OmitReason>();
  const clues = readClues(listing.entries);
  const toCandidate = candidateMaker();
  let wanted = false;
  for (const entry of listing.entries) {
    const isWanted = selection.wanted(entry.path);
    if (!isWanted) omitted.set(entry, 'excluded');
    if (!isWanted && !hand.has(entry.path)) continue;
    wanted ||= isWanted;
    const attributes = listing.attributesOf(entry.path);
    const reason = entry.omit ?? sieveByPath(entry, attributes, clues);
    const named = selection.named(entry.path) || entry.path === source.askedFor;
    const readable = entry.kind === 'file' && entry.size > 0 && entry.omit !== 'unreadable';
    if (reason && !(named && readable)) {
      if (isWanted) omitted.set(entry, reason);
      continue;
    }
    const traits = {
      language: languageOf(entry.path, attributes),
      vendored: isVendored(entry.path),
      binaryName: likelyBinary(entry.path),
      named,
    };
    (isWanted ? found : aside).push(toCandidate(entry, traits));
  }
  if (!wanted)
    throw new PlimsollError(
      'NOTHING_MATCHES',
      'No file matches: check the patterns of --include and --exclude.',
    );
  const lfsSizes = await findLfsPointers(source, listing, found);
  for (const entry of lfsSizes.keys()) omitted.set(entry, 'lfs-pointer');
  const candidates = lfsSizes.size === 0 ? found : found.filter(({ entry }) => !lfsSizes.has(entry));
  return { candidates, aside, omitted, lfsSizes };
}

/** So many files are looked into for what they point to, the same for every kind of source: elsewhere each is a request. */
const MOST_POINTERS = 200;
/** The same without an attribute that says so: few are pointers then. */
const MOST_UNNAMED = 30;

async function findLfsPointers(
  source: Source,
  listing: Listing,
  candidates: readonly Candidate[],
): Promise<Map<Entry, number | undefined>> {
  const named: Entry[] = [];
  const unnamed: Entry[] = [];
  for (const { entry, binaryName } of candidates) {
    const { lfs = false } = listing.attributesOf(entry.path);
    if (mayBeLfsPointer(entry, binaryName, lfs)) (lfs ? named : unnamed).push(entry);
  }
  const suspects = [...named.slice(0, MOST_POINTERS), ...unnamed.slice(0, MOST_UNNAMED)];
  await source.prefetch(suspects);
  const sizes = new Map<Entry, number | undefined>(
    named.slice(MOST_POINTERS).map((entry) => [entry, undefined]),
  );
  for (const entry of suspects) {
    const size = await lfsSize(source, entry);
    if (size !== undefined) sizes.set(entry, size);
  }
  return sizes;
}

/** Pointer files are under 1,024 bytes by the Git LFS specification; without an attribute, those of the usual size. */
function mayBeLfsPointer({ size }: Entry, binaryName: boolean, lfs: boolean): boolean {
  return lfs ? size < 1024 : binaryName && size >= 120 && size <= 200;
}

async function lfsSize(source: Source, entry: Entry): Promise<number | undefined> {
  try {
    return isLfsPointer(await source.read(entry, 1024));
  } catch {
    return undefined;
  }
}
