import type { Budget } from '../../measure/budget.ts';
import { group, plural, shorten } from '../../text/words.ts';
import type { FileView } from '../fit/fit.ts';
import type { Tree } from '../fit/tree.ts';
import type { LanguageShare } from '../rank/rank.ts';
import type { Change, OmitReason, SourceFacts, Warning } from '../types.ts';

/** What the head of a document tells. */
export interface Head {
  readonly source: SourceFacts;
  /** What there is to say of the way to the source. */
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** Since the commit that the reader names, where one is named. */
  readonly changes: ChangeTally | undefined;
  /** Files that are gone since. */
  readonly deleted: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly languages: readonly LanguageShare[];
  /** Left out of the smallest document, so that its length doesn't hang on the limit's. */
  readonly budget: Budget | undefined;
  /** How many entries were seen, where there are more that could not be listed. */
  readonly seen: number | undefined;
  /** In place of a README, where there is none. */
  readonly overview: string | undefined;
}

/** How many files changed since a commit. */
export interface ChangeTally {
  /** As the reader named it, and its full id. */
  readonly ref: string;
  readonly commit: string;
  readonly added: number;
  readonly modified: number;
  readonly deleted: number;
}

/** A number of files and their sizes together. */
export interface Tally {
  readonly files: number;
  readonly bytes: number;
}

/** Where every file of the source went. The tallies add up to the source. */
export interface Ledger {
  readonly full: Tally;
  /** Shown by lines with their numbers. */
  readonly outline: Tally;
  readonly head: Tally;
  /** Reasons in the order of `REASONS`, each with at least one file. */
  readonly omitted: readonly (Tally & { readonly reason: OmitReason })[];
  /** Secrets replaced in what is shown; `undefined` where the user wants them shown. */
  readonly secrets: number | undefined;
  /** False where a part of the source could not be listed. */
  readonly complete: boolean;
}

/** Warnings that are spelled out, and how many more there are. */
export interface Notices {
  readonly listed: readonly Warning[];
  readonly more: number;
}

/** One form of the document. A document is head, tree, sections and tail, in this order, joined by nothing. */
export interface Renderer {
  head(head: Head): string;
  /** `seen` is how many entries an incomplete listing has. */
  tree(tree: Tree, seen: number | undefined): string;
  /** What stands before the first section. */
  sections(count: number): string;
  section(file: FileView): string;
  /** `more` says how to see more; in the words of the command line if it isn't given. */
  tail(ledger: Ledger, notices: Notices, more?: string): string;
  /** A line before everything else, which is no part of the document itself. */
  preface(line: string): string;
}

/** What frames a document for those who don't use the command line. */
export interface Frame {
  /** The line before it. */
  readonly first: string;
  /** How to see more, at its end. */
  readonly more: string;
}

/** The same form of the document, framed. */
export function framed(renderer: Renderer, { first, more }: Frame): Renderer {
  return {
    ...renderer,
    head: (head) => renderer.preface(first) + renderer.head(head),
    tail: (ledger, notices) => renderer.tail(ledger, notices, more),
  };
}

/** Every reason with the words for it, in the order in which ledgers list them. */
export const REASONS: ReadonlyMap<OmitReason, string> = new Map([
  ['budget', 'no room in the budget'],
  ['excluded', 'excluded by --include or --exclude'],
  ['ignored', 'ignored by .ignore or .plimsollignore'],
  ['binary', 'binary'],
  ['lock', 'lock file'],
  ['generated', 'generated'],
  ['vendored', 'vendored'],
  ['minified', 'minified'],
  ['source-map', 'source map'],
  ['build-output', 'build output'],
  ['cache', 'cache'],
  ['editor', 'editor or system file'],
  ['empty', 'empty'],
  ['lfs-pointer', 'Git LFS pointer'],
  ['symlink', 'symbolic link'],
  ['repository', 'submodule or nested repository'],
  ['special', 'neither file nor folder'],
  ['unreadable', 'unreadable'],
  ['vanished', 'vanished while read'],
  ['unfetched', 'could not be fetched'],
]);

/** How to see more, for the end of a document. */
export const MORE =
  'For more: a larger `--budget`, `--include PATH` for files by name (left-out kinds too), or a subfolder as the source.';

/** What the source is, in a few words and without markup. */
export function describeSource({ kind, ref, commit, workTree, subfolder }: SourceFacts): string {
  const what = kind === 'folder' ? 'folder' : workTree ? 'git work tree' : 'git commit';
  const at = [ref && shorten(ref, 100), commit?.slice(0, 12)].filter(Boolean).join(' at ');
  const parts = [what];
  if (subfolder !== undefined) parts.push(`subfolder ${shorten(subfolder, 200)}`);
  if (at !== '') parts.push(at);
  else if (kind === 'git') parts.push('no commit yet');
  return parts.join(', ');
}

/** `2 files changed since v1.0 at 0123456789ab: 1 added, 1 deleted`. */
export function describeChanges({ ref, commit, added, modified, deleted }: ChangeTally): string {
  const since = `since ${shorten(ref, 100)} at ${commit.slice(0, 12)}`;
  const all = added + modified + deleted;
  if (all === 0) return `nothing changed ${since}`;
  const kinds = Object.entries({ added, modified, deleted }).filter(([, count]) => count > 0);
  const parts = kinds.map(([kind, count]) => `${group(count)} ${kind}`).join(', ');
  return `${plural(all, 'file')} changed ${since}: ${parts}`;
}

const RUNS_NAMED = 12;

/** `added`; `changed lines: 3-5, 12`. */
export function describeChange({ kind, lines }: Change): string {
  if (!lines) return kind;
  const named = lines
    .slice(0, RUNS_NAMED)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
  if (lines.length > named.length) named.push(`${group(lines.length - named.length)} more`);
  return `changed lines: ${named.join(', ')}`;
}

/** What the host tells of a repository, in a few words; empty where it tells nothing. */
export function describeHost({ host = {} }: SourceFacts): string {
  const { description, stars, license, defaultBranch, topics = [], archived, fork, language } = host;
  const facts = [
    description && shorten(description, 150),
    stars !== undefined && plural(stars, 'star'),
    language,
    license,
    topics.length > 0 && `topics ${shorten(topics.join(', '), 100)}`,
    defaultBranch && `default branch ${shorten(defaultBranch, 60)}`,
    archived && 'archived',
    fork && 'a fork',
  ];
  return facts.filter(Boolean).join('; ');
}

/** Says of an incomplete listing how far it goes. */
export function describeSeen(seen: number): string {
  return `incomplete: ${plural(seen, 'entry', 'entries')} seen, and there are more`;
}

/** What a ledger says of what an incomplete listing lacks. */
export const NOT_LISTED = 'not listed: the source could not be read to its end';

/** The largest languages with their shares, such as `Rust 91%, Python 6%`; empty where none is known. */
export function describeLanguages(languages: readonly LanguageShare[]): string {
  return languages
    .slice(0, 4)
    .map(({ name, share }) => ({ name, percent: Math.round(share * 100) }))
    .filter(({ percent }, i) => percent >= 1 || i === 0)
    .map(({ name, percent }) => `${name} ${percent}%`)
    .join(', ');
}

/** `40,000 characters`. */
export function describeBudget({ unit, limit }: Budget): string {
  return `${group(limit)} ${unit === 'chars' ? 'characters' : 'tokens'}`;
}

/** What to know of a shown file beside its text: encoding, what was replaced. Empty for most. */
export function notesOn({ content, secrets, note }: FileView): string[] {
  const notes: string[] = [];
  if (content.encoding !== 'UTF-8') notes.push(`decoded from ${content.encoding}`);
  if (secrets.length > 0) notes.push(`secrets replaced: ${describeSecrets(secrets)}`);
  if (note !== undefined) notes.push(note);
  return notes;
}

const SECRETS_NAMED = 20;

function describeSecrets(secrets: FileView['secrets']): string {
  const named = secrets.slice(0, SECRETS_NAMED).map(({ rule, line }) => `${rule} (line ${group(line)})`);
  if (secrets.length > SECRETS_NAMED) named.push(`${group(secrets.length - SECRETS_NAMED)} more`);
  return named.join(', ');
}

/** How much of a file that is shown in part is missing. */
export function describePart({ content, mode, chars, text, lines }: FileView): string {
  if (mode === 'outline' && lines)
    return `${group(lines.shown)} of ${group(lines.of)} lines, ${group(content.size - chars)} of ${group(content.size)} characters are not shown`;
  return `Cut here after ${plural(linesIn(text), 'line')}: ${group(content.size - chars)} of ${group(content.size)} characters are not shown.`;
}

function linesIn(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
