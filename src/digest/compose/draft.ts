import type { Budget } from '../../measure/budget.ts';
import { visibleName } from '../../text/visible.ts';
import { group, shorten } from '../../text/words.ts';
import type { Rejection } from '../content/content.ts';
import { extend, type FileReader, fitFiles, type Offer, type ShownFile } from '../fit/fit.ts';
import { fitTree, restLine, type Tree, type TreeEntry } from '../fit/tree.ts';
import type { Candidate } from '../rank/candidate.ts';
import type { Ranking } from '../rank/rank.ts';
import {
  ADDRESS_ROOM,
  ADDRESS_SHARE,
  HEAD_SHARE,
  LEAST_ADDRESS_ROOM,
  NOTICES_SHARE,
  TREE_SHARE,
} from '../rank/weights.ts';
import type { Ledger, Notices, Renderer } from '../render/document.ts';
import type { Sifted } from '../sieve/sift.ts';
import type { Changes, Entry, Listing, SourceFacts, Warning } from '../types.ts';
import { headOf, type WrittenHead, writeHeads } from './head.ts';
import { ledgerOf, longestLedger, NO_LEDGER, seenIn, tally, unreadLedger, usualLedger } from './ledger.ts';

/** All that is known of a source when its files are about to be read. */
export interface Subject {
  readonly facts: SourceFacts;
  /** What there is to say of the way to the source. */
  readonly notes: readonly Warning[];
  readonly listing: Listing;
  readonly sifted: Sifted;
  readonly ranking: Ranking;
  readonly description: string | undefined;
  /** Since the commit that the reader names, where one is named. */
  readonly changes: Changes | undefined;
  /** Whether secrets are replaced. */
  readonly redact: boolean;
}

/** What stays the same in every draft of one document. */
export interface Plan extends Subject {
  readonly renderer: Renderer;
  readonly reader: FileReader;
  /** Heads from the fullest to the barest. */
  readonly heads: readonly WrittenHead[];
  readonly entries: readonly TreeEntry[];
  readonly smallestTree: string;
  /** The ledger before any file is read. */
  readonly unread: Ledger;
  /** Characters of the tail if no file is shown, as a rule, and at the most; warnings only counted. */
  readonly tails: { readonly bare: number; readonly usual: number; readonly longest: number };
  /** Characters of the smallest truthful document: it shows no file. */
  readonly least: number;
  /** The same as if nothing were told of the way to the source. */
  readonly plainLeast: number;
}

/** A document made for a number of characters. */
export interface Draft {
  readonly text: string;
  /** Its head as if nothing were told of the way to the source, and the most characters that this may take. */
  readonly head: { readonly text: string; readonly plain: string; readonly way: number };
  readonly tree: Tree;
  /** The tree as it stands in the text, fence or tags included. */
  readonly treeBlock: string;
  readonly shown: readonly ShownFile[];
  readonly ledger: Ledger;
  readonly warnings: readonly Warning[];
  /** The best of what the budget had no room for; empty where there was room for everything. */
  readonly missed: readonly Candidate[];
}

/** So many warnings are spelled out at the most. */
const MOST_WARNINGS = 200;
/** Characters of a symlink's target that the tree shows. */
const LONGEST_TARGET = 200;
/** How many of the files that the budget had no room for are named. */
const NEAR_MISSES = 10;

export function planOf(subject: Subject, budget: Budget, renderer: Renderer, reader: FileReader): Plan {
  const heads = writeHeads(headOf(subject, budget), renderer);
  const entries = treeEntries(subject);
  const smallestTree = renderer.tree(closedTree(entries.length), seenIn(subject.listing));
  const known = subject.listing.warnings.length;
  const tailLength = (ledger: Ledger, more: number): number =>
    renderer.tail(ledger, { listed: [], more }).length;
  const unread = unreadLedger(subject);
  const all = tally(subject.listing.entries);
  const tails = {
    bare: tailLength(unread, known),
    usual: tailLength(usualLedger(unread, all), known),
    longest: tailLength(longestLedger(unread, all), known + subject.sifted.candidates.length),
  };
  const barest = barestOf(heads);
  const rest = smallestTree.length + renderer.sections(0).length + tails.bare;
  const least = barest.text.length + rest;
  const plainLeast = barest.plain.length + rest;
  return { ...subject, renderer, reader, heads, entries, smallestTree, unread, tails, least, plainLeast };
}

function barestOf(heads: readonly WrittenHead[]): { text: string; plain: string } {
  const { texts, plain } = heads.at(-1) as WrittenHead;
  return { text: texts.at(-1) as string, plain };
}

/**
 * The fullest document of at most `limit` characters; `limit` is at least `plan.least`. Room is kept for the
 * ledger as it usually ends; if reading files makes it longer than that, for the longest; and where there is
 * no room for a ledger of anything that is shown, nothing is.
 */
export async function draftWithin(plan: Plan, limit: number): Promise<Draft> {
  const { offers } = plan.ranking;
  const draft =
    (await draftAround(plan, limit, plan.tails.usual, offers)) ??
    (await draftAround(plan, limit, plan.tails.longest, offers)) ??
    (await draftAround(plan, limit, plan.tails.bare, []));
  if (!draft) throw new Error(`No document fits into ${limit} characters, though ${plan.least} should do.`);
  return draft;
}

/** A document with room for a tail of so many characters; nothing where it would pass the limit. */
async function draftAround(
  plan: Plan,
  limit: number,
  tail: number,
  offers: readonly Offer[],
): Promise<Draft | undefined> {
  const { renderer, listing, heads, smallestTree } = plan;
  const barest = barestOf(heads);
  let spare =
    limit - barest.text.length - smallestTree.length - renderer.sections(offers.length).length - tail;
  if (spare < 0) return undefined;

  // Files have the same room whatever is to be said of the way to the source.
  const way = barest.text.length - barest.plain.length;
  const wayRoom = Math.min(ADDRESS_ROOM, Math.max(LEAST_ADDRESS_ROOM, Math.floor(limit * ADDRESS_SHARE)));
  const extra = Math.min(spare, Math.max(0, wayRoom - way));
  spare -= extra;
  const mostHead = barest.plain.length + Math.min(spare, Math.floor(limit * HEAD_SHARE));
  const { texts, plain } =
    heads.find(({ plain }) => plain.length <= mostHead) ?? (heads.at(-1) as WrittenHead);
  spare -= plain.length - barest.plain.length;
  const allotted = plain.length + way + extra;
  const head = texts.find(({ length }) => length <= allotted) ?? (texts.at(-1) as string);
  const most = limit - (allotted - head.length);

  const warned = noticesLength(renderer, listing.warnings);
  spare -= Math.min(spare, Math.floor(limit * NOTICES_SHARE), warned);

  const mostTree = Math.min(smallestTree.length + spare, Math.floor(limit * TREE_SHARE));
  const { tree, block } = fitTreeBlock(plan, mostTree);
  spare -= block.length - smallestTree.length;

  const { shown, rejected } = await fitFiles(offers, {
    room: spare,
    reader: plan.reader,
    write: renderer.section,
  });
  const warnings = [...listing.warnings, ...warningsOf(rejected)];
  const assemble = (shown: readonly ShownFile[]): Pick<Draft, 'text' | 'shown' | 'ledger'> => {
    const ledger = ledgerOf(plan.unread, shown, rejected);
    const body =
      head + block + renderer.sections(shown.length) + shown.map(({ section }) => section).join('');
    return { text: body + fitTail(renderer, ledger, warnings, most, body.length), shown, ledger };
  };
  let result = assemble(shown);
  if (result.text.length > most) return undefined;
  const extended = extend(shown, most - result.text.length, renderer.section);
  if (extended.some((file, i) => file !== shown[i])) {
    const longer = assemble(extended);
    if (longer.text.length <= most) result = longer;
  }

  const carried = new Set(shown.map(({ file }) => file));
  const missed: Candidate[] = [];
  for (const { file } of plan.ranking.offers) {
    if (missed.length === NEAR_MISSES) break;
    if (!carried.has(file) && !rejected.has(file) && !file.binaryName) missed.push(file);
  }
  return {
    ...result,
    head: { text: head, plain, way: way + extra },
    tree,
    treeBlock: block,
    warnings,
    missed,
  };
}

function treeEntries({ listing, sifted, ranking }: Subject): TreeEntry[] {
  let next = 0;
  return listing.entries.map((entry) => {
    const isCandidate = sifted.candidates[next]?.entry === entry;
    const score = isCandidate ? ranking.scores[next++] : undefined;
    const note = noteOn(entry, sifted.lfsSizes);
    return { path: entry.path, note, score: score ?? Number.MIN_SAFE_INTEGER };
  });
}

function noteOn(entry: Entry, lfsSizes: Sifted['lfsSizes']): string | undefined {
  const { kind, target } = entry;
  switch (kind) {
    case 'symlink':
      return `-> ${shorten(visibleName(target ?? '?'), LONGEST_TARGET)}`;
    case 'repository':
      return target === undefined ? '(nested repository)' : `(submodule at ${target.slice(0, 12)})`;
    case 'special':
      return '(neither file nor folder)';
    default:
      return lfsSizes.size > 0 && lfsSizes.has(entry) ? describePointer(lfsSizes.get(entry)) : undefined;
  }
}

function describePointer(size: number | undefined): string {
  return size === undefined ? '(Git LFS pointer)' : `(Git LFS pointer to ${group(size)} bytes)`;
}

function closedTree(entries: number): Tree {
  return { text: restLine(entries), shown: 0, omitted: entries };
}

/** The largest tree whose block, fence or tags included, has at most `max` characters. */
function fitTreeBlock(
  { renderer, listing, entries, smallestTree }: Plan,
  max: number,
): Pick<Draft, 'tree'> & { readonly block: string } {
  const least = restLine(entries.length).length;
  let room = max - smallestTree.length + least;
  while (room > least) {
    const tree = fitTree(entries, room);
    const block = renderer.tree(tree, seenIn(listing));
    if (block.length <= max) return { tree, block };
    room -= block.length - max;
  }
  return { tree: closedTree(entries.length), block: smallestTree };
}

function warningsOf(rejected: ReadonlyMap<Candidate, Rejection>): Warning[] {
  return [...rejected].flatMap(([{ entry }, { omit, warning }]) =>
    warning === undefined ? [] : [{ code: omit, message: `${visibleName(entry.path)} ${warning}` }],
  );
}

/** Characters that spelling out these warnings takes. */
function noticesLength(renderer: Renderer, warnings: readonly Warning[]): number {
  const length = (notices: Notices): number => renderer.tail(NO_LEDGER, notices).length;
  return warnings.length === 0 ? 0 : length({ listed: warnings, more: 0 }) - length({ listed: [], more: 0 });
}

/** The tail with as many warnings spelled out as fit into their share and into the limit. */
function fitTail(
  renderer: Renderer,
  ledger: Ledger,
  warnings: readonly Warning[],
  limit: number,
  used: number,
): string {
  const counted = renderer.tail(ledger, { listed: [], more: warnings.length });
  const room = Math.min(limit - used, counted.length + Math.floor(limit * NOTICES_SHARE));
  let tail = counted;
  for (let listed = 1; listed <= Math.min(warnings.length, MOST_WARNINGS); listed++) {
    const longer = renderer.tail(ledger, {
      listed: warnings.slice(0, listed),
      more: warnings.length - listed,
    });
    if (longer.length > room) break;
    tail = longer;
  }
  return tail;
}
