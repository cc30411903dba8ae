import { PlimsollError } from '../errors.ts';
import type { Budget } from '../measure/budget.ts';
import { type Measure, measureOf } from '../measure/measure.ts';
import type { Content, Rejection } from './content/content.ts';
import { visibleName } from './content/visible.ts';
import { group, shorten } from './content/words.ts';
import { bisect } from './fit/bisect.ts';
import { extendCut, fitFiles, type ShownFile } from './fit/fit.ts';
import { fitTree, restLine, type Tree, type TreeEntry } from './fit/tree.ts';
import type { RankedFile, Ranking } from './rank/rank.ts';
import { isReadme } from './rank/signals/readme.ts';
import {
  type Head,
  type Ledger,
  type Notices,
  REASONS,
  type Renderer,
  type Tally,
} from './render/document.ts';
import { NO_README, overview } from './render/overview.ts';
import type { Sifted } from './sieve/sift.ts';
import type { Entry, Listing, OmitReason, SourceFacts, Warning } from './types.ts';

/** All that is known of a source when its files are about to be read. */
export interface Subject {
  readonly facts: SourceFacts;
  readonly listing: Listing;
  readonly sifted: Sifted;
  readonly ranking: Ranking;
  readonly description: string | undefined;
}

export type LoadFile = (file: RankedFile) => Promise<Content | Rejection>;

/** A document and where everything in it, and everything not in it, went. */
export interface Composed {
  readonly text: string;
  readonly budget: Budget & {
    readonly used: number;
    readonly tree: number;
    readonly files: number;
    readonly overhead: number;
  };
  readonly tree: Tree;
  readonly shown: readonly ShownFile[];
  readonly ledger: Ledger;
  readonly warnings: readonly Warning[];
  /** Files that the budget had no room for, best first. */
  readonly missed: readonly RankedFile[];
}

/** The most of the budget that the tree takes. */
const TREE_SHARE = 0.25;
/** The most of the budget that the head's optional parts, and that warnings, take. */
const HEAD_SHARE = 0.15;
const NOTICES_SHARE = 0.05;

/** No source has so many that the number needs more digits. */
const MOST_SECRETS = 999_999_999;
const NONE: Tally = { files: 0, bytes: 0 };
const NO_LEDGER: Ledger = { full: NONE, head: NONE, omitted: [], secrets: 0 };

/** What a file may turn out to be when it is read. */
const FOUND_BY_CONTENT: readonly OmitReason[] = [
  'budget',
  'binary',
  'generated',
  'minified',
  'empty',
  'lfs-pointer',
  'unreadable',
  'vanished',
];

/**
 * Makes the document that fits the budget.
 *
 * @throws PlimsollError `BUDGET_TOO_SMALL` with the least that would do
 */
export async function compose(
  subject: Subject,
  { budget, renderer }: { budget: Budget; renderer: Renderer },
  load: LoadFile,
): Promise<Composed> {
  const measure = await measureOf(budget.unit);
  const plan = planOf(subject, budget, renderer, once(load));
  const draft = await search(plan, budget, measure);
  const used = measure(draft.text);
  const tree = measure(draft.treeBlock);
  const files = measure(draft.shown.map(({ section }) => section).join(''));
  return { ...draft, budget: { ...budget, used, tree, files, overhead: used - tree - files } };
}

/** Every file is read at most once, however often the document is drafted. */
function once(load: LoadFile): LoadFile {
  const loaded = new Map<RankedFile, Promise<Content | Rejection>>();
  return (file) => {
    let content = loaded.get(file);
    if (!content) {
      content = load(file);
      loaded.set(file, content);
    }
    return content;
  };
}

/** What stays the same in every draft of one document. */
interface Plan extends Subject {
  readonly renderer: Renderer;
  readonly load: LoadFile;
  readonly head: Head;
  readonly entries: readonly TreeEntry[];
  readonly smallestTree: string;
  /** The tail at its longest, but for the warnings that it spells out. */
  readonly longestTail: number;
  /** Characters of the smallest truthful document. */
  readonly least: number;
}

interface Draft {
  readonly text: string;
  readonly treeBlock: string;
  readonly tree: Tree;
  readonly shown: readonly ShownFile[];
  readonly ledger: Ledger;
  readonly warnings: readonly Warning[];
  readonly missed: readonly RankedFile[];
}

function planOf(subject: Subject, budget: Budget, renderer: Renderer, load: LoadFile): Plan {
  const head = headOf(subject, budget);
  const entries = treeEntries(subject);
  const smallestTree = renderer.tree(closedTree(entries.length));
  const longestTail = renderer.tail(longestLedger(subject), {
    listed: [],
    more: subject.listing.warnings.length + subject.sifted.candidates.length,
  }).length;
  const least =
    renderer.head(bare(head)).length + smallestTree.length + renderer.sections(1).length + longestTail;
  return { ...subject, renderer, load, head, entries, smallestTree, longestTail, least };
}

/** The fullest document of at most `limit` characters; `limit` is at least `plan.least`. */
async function draftWithin(plan: Plan, limit: number): Promise<Draft> {
  const { renderer, listing } = plan;
  let spare = limit - plan.least;

  const bareHead = renderer.head(bare(plan.head)).length;
  const head = fitHead(plan, bareHead + Math.min(spare, Math.floor(limit * HEAD_SHARE)));
  spare -= head.length - bareHead;

  const noticesRoom = Math.min(
    spare,
    Math.floor(limit * NOTICES_SHARE),
    noticesLength(plan, listing.warnings),
  );
  spare -= noticesRoom;

  const { tree, block } = fitTreeBlock(
    plan,
    Math.min(plan.smallestTree.length + spare, Math.floor(limit * TREE_SHARE)),
  );
  spare -= block.length - plan.smallestTree.length;

  const { shown, rejected } = await fitFiles(plan.ranking.files, {
    room: spare,
    load: plan.load,
    write: renderer.section,
  });
  const warnings = [...listing.warnings, ...warningsOf(rejected)];
  const assemble = (files: readonly ShownFile[]): Pick<Draft, 'text' | 'shown' | 'ledger'> => {
    const ledger = ledgerOf(plan, files, rejected);
    const body =
      head + block + renderer.sections(files.length) + files.map(({ section }) => section).join('');
    return { text: body + fitTail(plan, ledger, warnings, limit, body.length), shown: files, ledger };
  };
  let result = assemble(shown);
  const extended = extendCut(shown, limit - result.text.length, renderer.section);
  if (extended.some((file, i) => file !== shown[i])) {
    const longer = assemble(extended);
    if (longer.text.length <= limit) result = longer;
  }
  if (result.text.length > limit)
    throw new Error(`The document has ${result.text.length} characters, over ${limit}.`);

  const carried = new Set(shown.map(({ file }) => file));
  return {
    ...result,
    treeBlock: block,
    tree,
    warnings,
    missed: plan.ranking.files.filter((file) => !carried.has(file) && !rejected.has(file)),
  };
}

async function search(plan: Plan, { unit, limit }: Budget, measure: Measure): Promise<Draft> {
  if (unit === 'chars') {
    if (limit < plan.least) throw tooSmall(limit, plan.least, 'characters');
    return draftWithin(plan, limit);
  }
  let best = await draftWithin(plan, plan.least);
  const least = measure(best.text);
  if (limit < least) throw tooSmall(limit, least, 'tokens');
  await bisect(plan.least, limit, async (chars) => {
    const draft = await draftWithin(plan, chars);
    const tokens = measure(draft.text);
    if (tokens <= limit && draft.text.length >= best.text.length) best = draft;
    return { tokens, more: draft.missed.length > 0 || draft.shown.some(({ mode }) => mode === 'head') };
  });
  return best;
}

function tooSmall(limit: number, least: number, unit: string): PlimsollError {
  return new PlimsollError(
    'BUDGET_TOO_SMALL',
    `A budget of ${group(limit)} ${unit} is too small for this source: the least that would do is ${group(least)}.`,
  );
}

function headOf({ facts, listing, sifted, ranking, description }: Subject, budget: Budget): Head {
  const hasReadme = sifted.candidates.some(
    ({ entry }) => !entry.path.includes('/') && isReadme(entry.path.toLowerCase()),
  );
  return {
    source: { ...facts, name: shorten(facts.name, 100) },
    description: description && shorten(description, 300),
    ...tally(listing.entries),
    languages: ranking.languages,
    budget,
    overview: hasReadme ? undefined : overview(listing.entries, sifted.candidates),
  };
}

/** The head without what it can do without. */
function bare(head: Head): Head {
  const { url: _, ...source } = head.source;
  return {
    ...head,
    source,
    description: undefined,
    languages: [],
    budget: undefined,
    overview: head.overview && NO_README,
  };
}

/** The fullest head of at most `max` characters. */
function fitHead({ renderer, head }: Plan, max: number): string {
  const variants = [
    head,
    { ...head, overview: head.overview && NO_README },
    { ...bare(head), source: head.source },
  ];
  for (const variant of variants) {
    const text = renderer.head(variant);
    if (text.length <= max) return text;
  }
  return renderer.head(bare(head));
}

function treeEntries({ listing, sifted, ranking }: Subject): TreeEntry[] {
  const scores = new Map(ranking.files.map(({ entry, score }) => [entry, score]));
  return listing.entries.map((entry) => ({
    path: entry.path,
    note: noteOn(entry, sifted.lfsSizes.get(entry)),
    score: scores.get(entry) ?? Number.MIN_SAFE_INTEGER,
  }));
}

function noteOn({ kind, target }: Entry, lfsSize: number | undefined): string | undefined {
  switch (kind) {
    case 'symlink':
      return `-> ${visibleName(target ?? '?')}`;
    case 'repository':
      return target === undefined ? '(nested repository)' : `(submodule at ${target.slice(0, 12)})`;
    case 'special':
      return '(neither file nor folder)';
    default:
      return lfsSize === undefined ? undefined : `(Git LFS pointer to ${group(lfsSize)} bytes)`;
  }
}

function closedTree(entries: number): Tree {
  return { text: restLine(entries), shown: 0, omitted: entries };
}

/** The largest tree whose block, fence or tags included, has at most `max` characters. */
function fitTreeBlock({ renderer, entries, smallestTree }: Plan, max: number): { tree: Tree; block: string } {
  let room = max - smallestTree.length + restLine(entries.length).length;
  while (room > restLine(entries.length).length) {
    const tree = fitTree(entries, room);
    const block = renderer.tree(tree);
    if (block.length <= max) return { tree, block };
    room -= block.length - max;
  }
  return { tree: closedTree(entries.length), block: smallestTree };
}

function ledgerOf(
  { sifted, ranking }: Plan,
  shown: readonly ShownFile[],
  rejected: ReadonlyMap<RankedFile, Rejection>,
): Ledger {
  const tallies = new Map<OmitReason | ShownFile['mode'], { files: number; bytes: number }>();
  const count = (where: OmitReason | ShownFile['mode'], { size }: Entry): void => {
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
    count(modes.get(file) ?? rejected.get(file)?.omit ?? (file.binaryName ? 'binary' : 'budget'), file.entry);
  }
  return {
    full: tallies.get('full') ?? NONE,
    head: tallies.get('head') ?? NONE,
    omitted: [...REASONS.keys()].flatMap((reason) => {
      const tally = tallies.get(reason);
      return tally ? [{ reason, ...tally }] : [];
    }),
    secrets: shown.reduce((sum, { content }) => sum + content.secrets.length, 0),
  };
}

/** A ledger no shorter than any that this source can end with. */
function longestLedger({ listing, sifted }: Subject): Ledger {
  const all = tally(listing.entries);
  const reasons = new Set(sifted.omitted.values());
  if (sifted.candidates.length > 0) for (const reason of FOUND_BY_CONTENT) reasons.add(reason);
  return {
    full: all,
    head: all,
    omitted: [...REASONS.keys()]
      .filter((reason) => reasons.has(reason))
      .map((reason) => ({ reason, ...all })),
    secrets: MOST_SECRETS,
  };
}

function warningsOf(rejected: ReadonlyMap<RankedFile, Rejection>): Warning[] {
  return [...rejected].flatMap(([{ entry }, { omit, warning }]) =>
    warning === undefined ? [] : [{ code: omit, message: `${visibleName(entry.path)} ${warning}` }],
  );
}

/** Characters that spelling out these warnings takes. */
function noticesLength({ renderer }: Plan, warnings: readonly Warning[]): number {
  const length = (notices: Notices): number => renderer.tail(NO_LEDGER, notices).length;
  return warnings.length === 0 ? 0 : length({ listed: warnings, more: 0 }) - length({ listed: [], more: 0 });
}

/** The tail with as many warnings spelled out as fit into their share and into the limit. */
function fitTail(
  plan: Plan,
  ledger: Ledger,
  warnings: readonly Warning[],
  limit: number,
  used: number,
): string {
  const { renderer } = plan;
  const closed = renderer.tail(ledger, { listed: [], more: warnings.length });
  const room = Math.min(limit - used, closed.length + Math.floor(limit * NOTICES_SHARE));
  let tail = closed;
  for (let listed = 1; listed <= warnings.length; listed++) {
    const longer = renderer.tail(ledger, {
      listed: warnings.slice(0, listed),
      more: warnings.length - listed,
    });
    if (longer.length > room) break;
    tail = longer;
  }
  return tail;
}

/** The number and the sizes of some entries. */
export function tally(entries: readonly Entry[]): Tally {
  return { files: entries.length, bytes: entries.reduce((sum, { size }) => sum + size, 0) };
}
