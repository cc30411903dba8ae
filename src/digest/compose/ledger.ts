import type { Rejection } from '../content/content.ts';
import type { FileView } from '../fit/fit.ts';
import type { Candidate } from '../rank/candidate.ts';
import { type Ledger, REASONS, type Tally } from '../render/document.ts';
import type { Entry, Listing, OmitReason } from '../types.ts';
import type { Subject } from './draft.ts';

const NONE: Tally = { files: 0, bytes: 0 };

/** A ledger of nothing at all. */
export const NO_LEDGER: Ledger = {
  full: NONE,
  outline: NONE,
  head: NONE,
  omitted: [],
  secrets: 0,
  complete: true,
};

/** No source has so many that the number needs more digits. */
const MOST_SECRETS = 999_999_999;

/** What a file may turn out to be when it is read. */
const FOUND_BY_CONTENT: readonly OmitReason[] = [
  'binary',
  'generated',
  'minified',
  'source-map',
  'empty',
  'lfs-pointer',
  'unreadable',
  'vanished',
  'unfetched',
];

/** The number and the sizes of some entries. */
export function tally(entries: readonly Entry[]): Tally {
  return { files: entries.length, bytes: entries.reduce((sum, { size }) => sum + size, 0) };
}

/** How many entries a listing that is not complete has. */
export function seenIn({ complete, entries }: Listing): number | undefined {
  return complete ? undefined : entries.length;
}

type Where = OmitReason | FileView['mode'];
type Tallies = Map<Where, { files: number; bytes: number }>;

/** Counts every file of the source as if none were shown. */
export function unreadLedger({ listing, sifted, redact }: Subject): Ledger {
  const tallies: Tallies = new Map();
  for (const [entry, reason] of sifted.omitted) move(tallies, reason, entry, 1);
  for (const file of sifted.candidates) move(tallies, unreadReason(file), file.entry, 1);
  return ledgerFrom(tallies, redact ? 0 : undefined, listing.complete);
}

/** Counts every file of the source where it went, from how it was counted before any was read. */
export function ledgerOf(
  unread: Ledger,
  shown: readonly FileView[],
  rejected: ReadonlyMap<Candidate, Rejection>,
): Ledger {
  const tallies: Tallies = new Map(unread.omitted.map(({ reason, ...tally }) => [reason, tally]));
  const settle = (file: Candidate, where: Where): void => {
    move(tallies, unreadReason(file), file.entry, -1);
    move(tallies, where, file.entry, 1);
  };
  for (const { file, mode } of shown) settle(file, mode);
  for (const [file, { omit }] of rejected) settle(file, omit);
  const replaced = shown.reduce((sum, { secrets }) => sum + secrets.length, 0);
  return ledgerFrom(tallies, unread.secrets === undefined ? undefined : replaced, unread.complete);
}

function unreadReason(file: Candidate): OmitReason {
  return file.binaryName ? 'binary' : 'budget';
}

function move(tallies: Tallies, where: Where, { size }: Entry, files: 1 | -1): void {
  let tally = tallies.get(where);
  if (!tally) {
    tally = { files: 0, bytes: 0 };
    tallies.set(where, tally);
  }
  tally.files += files;
  tally.bytes += size * files;
}

function ledgerFrom(tallies: Tallies, secrets: Ledger['secrets'], complete: boolean): Ledger {
  return {
    full: tallies.get('full') ?? NONE,
    outline: tallies.get('outline') ?? NONE,
    head: tallies.get('head') ?? NONE,
    omitted: [...REASONS.keys()].flatMap((reason) => {
      const tally = tallies.get(reason);
      return tally && tally.files > 0 ? [{ reason, ...tally }] : [];
    }),
    secrets,
    complete,
  };
}

/** A ledger no shorter than any that this source ends with unless reading its files brings surprises. */
export function usualLedger(unread: Ledger, all: Tally): Ledger {
  const omitted = unread.omitted.map(({ reason }) => ({ reason, ...all }));
  return { ...unread, full: all, outline: all, head: all, omitted };
}

/** A ledger no shorter than any that this source can end with. */
export function longestLedger(unread: Ledger, all: Tally): Ledger {
  const reasons = new Set<OmitReason>(FOUND_BY_CONTENT);
  for (const { reason } of unread.omitted) reasons.add(reason);
  const omitted = [...REASONS.keys()].filter((reason) => reasons.has(reason));
  return {
    ...unread,
    full: all,
    outline: all,
    head: all,
    omitted: omitted.map((reason) => ({ reason, ...all })),
    secrets: unread.secrets === undefined ? undefined : MOST_SECRETS,
  };
}
