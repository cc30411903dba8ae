import type { Rejection } from '../content/content.ts';
import type { FileView } from '../fit/fit.ts';
import type { RankedFile } from '../rank/rank.ts';
import { type Ledger, REASONS, type Tally } from '../render/document.ts';
import type { Entry, OmitReason } from '../types.ts';
import type { Subject } from './draft.ts';

const NONE: Tally = { files: 0, bytes: 0 };

/** A ledger of nothing at all. */
export const NO_LEDGER: Ledger = { full: NONE, head: NONE, omitted: [], secrets: 0 };

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
];

/** The number and the sizes of some entries. */
export function tally(entries: readonly Entry[]): Tally {
  return { files: entries.length, bytes: entries.reduce((sum, { size }) => sum + size, 0) };
}

/** Counts every file of the source where it went. */
export function ledgerOf(
  { sifted, ranking }: Subject,
  shown: readonly FileView[],
  rejected: ReadonlyMap<RankedFile, Rejection>,
): Ledger {
  const tallies = new Map<OmitReason | FileView['mode'], { files: number; bytes: number }>();
  const count = (where: OmitReason | FileView['mode'], { size }: Entry): void => {
    const tally = tallies.get(where);
    if (!tally) tallies.set(where, { files: 1, bytes: size });
    else {
      tally.files++;
      tally.bytes += size;
    }
  };
  const modes = new Map(shown.map(({ file, mode }) => [file, mode]));
  for (const [entry, reason] of sifted.omitted) count(reason, entry);
  for (const file of ranking.files) {
    const unread = file.binaryName ? 'binary' : 'budget';
    count(modes.get(file) ?? rejected.get(file)?.omit ?? unread, file.entry);
  }
  return {
    full: tallies.get('full') ?? NONE,
    head: tallies.get('head') ?? NONE,
    omitted: [...REASONS.keys()].flatMap((reason) => {
      const tally = tallies.get(reason);
      return tally ? [{ reason, ...tally }] : [];
    }),
    secrets: shown.reduce((sum, { secrets }) => sum + secrets.length, 0),
  };
}

/** A ledger no shorter than any that this source ends with unless reading its files brings surprises. */
export function usualLedger(subject: Subject): Ledger {
  const all = tally(subject.listing.entries);
  const { omitted } = ledgerOf(subject, [], new Map());
  return { full: all, head: all, omitted: omitted.map(({ reason }) => ({ reason, ...all })), secrets: 0 };
}

/** A ledger no shorter than any that this source can end with. */
export function longestLedger(subject: Subject): Ledger {
  const all = tally(subject.listing.entries);
  const reasons = new Set<OmitReason>(FOUND_BY_CONTENT);
  for (const { reason } of usualLedger(subject).omitted) reasons.add(reason);
  const omitted = [...REASONS.keys()].filter((reason) => reasons.has(reason));
  return {
    full: all,
    head: all,
    omitted: omitted.map((reason) => ({ reason, ...all })),
    secrets: MOST_SECRETS,
  };
}
