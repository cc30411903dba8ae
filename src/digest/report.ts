import type { Budget } from '../measure/budget.ts';
import { visibleName } from '../text/visible.ts';
import type { Composed } from './compose/compose.ts';
import { tallyChanges } from './compose/head.ts';
import { tally } from './compose/ledger.ts';
import type { ShownFile } from './fit/fit.ts';
import type { Candidate } from './rank/candidate.ts';
import type { Ranking, Reason } from './rank/rank.ts';
import type { ChangeTally } from './render/document.ts';
import type { Changes, Listing, OmitReason, SourceFacts, Warning } from './types.ts';

/** A file that the document carries, or (`chars` 0) that came near. */
export interface DigestFile {
  readonly path: string;
  readonly mode: 'full' | 'head' | 'outline';
  /** Characters carried of the file's own text. */
  readonly chars: number;
  /** Characters of the decoded file; of a file that was not read, its bytes. */
  readonly size: number;
  /** Bytes as the source lists them. */
  readonly bytes: number;
  readonly language?: string;
  readonly encoding?: string;
  readonly score: number;
  readonly reasons: readonly Reason[];
  readonly secrets?: readonly { readonly rule: string; readonly line: number }[];
}

/** A finished digest: the document and its ledger. */
export interface Digest {
  readonly schemaVersion: 1;
  readonly source: SourceFacts & { readonly files: number; readonly bytes: number };
  /** All in `unit`; `used` is the length of `text` and never more than `limit`. */
  readonly budget: Budget & {
    readonly used: number;
    readonly tree: number;
    readonly files: number;
    readonly overhead: number;
  };
  /** `complete` is false where a part of the source could not be listed. */
  readonly tree: { readonly shown: number; readonly omitted: number; readonly complete: boolean };
  /** How many files changed since the commit that was named; only where one was. */
  readonly changes?: ChangeTally;
  /** In the order in which they stand in the document. */
  readonly files: readonly DigestFile[];
  /** Files that are not shown, not even in part; `size` in bytes. */
  readonly omitted: {
    readonly count: number;
    readonly size: number;
    readonly byReason: Readonly<Partial<Record<OmitReason, number>>>;
    readonly sizeByReason: Readonly<Partial<Record<OmitReason, number>>>;
  };
  readonly warnings: readonly Warning[];
  readonly text: string;
  /** The best of what the budget had no room for. */
  readonly nearMisses: readonly DigestFile[];
}

/** Puts a composed document and what is known of its making into one object. Pure. */
export function report(
  facts: SourceFacts,
  listing: Listing,
  ranking: Ranking,
  composed: Composed,
  changes?: Changes,
): Digest {
  const { ledger, tree, shown, missed } = composed;
  const byReason: Partial<Record<OmitReason, number>> = {};
  const sizeByReason: Partial<Record<OmitReason, number>> = {};
  for (const { reason, files, bytes } of ledger.omitted) {
    byReason[reason] = files;
    sizeByReason[reason] = bytes;
  }
  return {
    schemaVersion: 1,
    source: { ...facts, ...tally(listing.entries) },
    budget: composed.budget,
    tree: { shown: tree.shown, omitted: tree.omitted, complete: listing.complete },
    ...(changes && { changes: tallyChanges(changes) }),
    files: shown.map((file) => describeShown(file, ranking)),
    omitted: {
      count: ledger.omitted.reduce((sum, { files }) => sum + files, 0),
      size: ledger.omitted.reduce((sum, { bytes }) => sum + bytes, 0),
      byReason,
      sizeByReason,
    },
    warnings: composed.warnings,
    text: composed.text,
    nearMisses: missed.map((file) => describeMissed(file, ranking)),
  };
}

function describeShown({ file, content, mode, chars, secrets }: ShownFile, ranking: Ranking): DigestFile {
  return {
    path: visibleName(file.entry.path),
    mode,
    chars,
    size: content.size,
    bytes: file.entry.size,
    ...(content.language && { language: content.language.name }),
    encoding: content.encoding,
    ...scoreOf(file, ranking),
    ...(secrets.length > 0 && { secrets: secrets.map(({ rule, line }) => ({ rule, line })) }),
  };
}

function describeMissed(file: Candidate, ranking: Ranking): DigestFile {
  return {
    path: visibleName(file.entry.path),
    mode: 'head',
    chars: 0,
    size: file.entry.size,
    bytes: file.entry.size,
    ...(file.language && { language: file.language.name }),
    ...scoreOf(file, ranking),
  };
}

function scoreOf(file: Candidate, ranking: Ranking): Pick<DigestFile, 'score' | 'reasons'> {
  const reasons = ranking.reasonsOf(file);
  return { score: reasons.reduce((sum, { points }) => sum + points, 0), reasons };
}
