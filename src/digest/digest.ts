import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { type Budget, checkBudget, DEFAULT_BUDGET } from '../measure/budget.ts';
import { visibleName } from '../text/visible.ts';
import { compose } from './compose/compose.ts';
import { type Content, load } from './content/content.ts';
import type { Loaded, ShownFile } from './fit/fit.ts';
import type { FileIndex } from './index/file-index.ts';
import { type Kept, withKept } from './index/kept.ts';
import { keyOf } from './index/key.ts';
import { lookInto } from './look.ts';
import { lookUp } from './lookup.ts';
import type { Outline } from './outline/outline.ts';
import { Outliner } from './outline/outliner.ts';
import type { Candidate } from './rank/candidate.ts';
import { describeProject, isProjectDocument, type Project } from './rank/project.ts';
import { rank } from './rank/rank.ts';
import { describeChange, type Frame, framed } from './render/document.ts';
import { markdown } from './render/markdown.ts';
import { xml } from './render/xml.ts';
import { type Digest, report } from './report.ts';
import { alsoNamed, handOf } from './sieve/hand.ts';
import { type Selection, select } from './sieve/select.ts';
import { sift } from './sieve/sift.ts';
import { Pace } from './source/pace.ts';
import type { RemoteOptions } from './source/remote/remote.ts';
import { openSource } from './source/source.ts';
import type { Change, Listing, Progress, Source, Warning } from './types.ts';

export type { Budget } from '../measure/budget.ts';
export type { Digest, DigestFile } from './report.ts';
export type { GitHubOptions, RemoteOptions } from './source/remote/remote.ts';
export type { Progress } from './types.ts';

export interface DigestOptions {
  /** The most the document may hold. Default: 40,000 characters. */
  readonly budget?: Budget;
  /** The form of the document in `text`; `json` stands for Markdown inside the returned object. Default: `markdown`. */
  readonly format?: Format;
  /** A branch, tag or commit; in a folder, by any name git knows. Without it, the work tree or the first branch. */
  readonly ref?: string;
  /**
   * Any name of a commit, for repositories on this machine: what changed since comes first, then what the changes touch.
   * Not together with `focus` or `focusPaths`.
   */
  readonly since?: string;
  /** How repositories on other machines are reached, and what is kept of them and of folders. */
  readonly remote?: RemoteOptions;
  /** Globs; only files that match one are shown. See `sieve/select.ts` for their rules. */
  readonly include?: readonly string[];
  /** Globs; files that match one are not shown. */
  readonly exclude?: readonly string[];
  /**
   * Whether files that git changed often and lately gain. Off as a rule, so that a commit's digest is the same from
   * a deep clone, a shallow one, and a host that tells no history. Default: false.
   */
  readonly history?: boolean;
  /**
   * Whether files count for more that others import, and that import others. It takes reading all source files.
   * Default: true.
   */
  readonly graph?: boolean;
  /** What the reader wants to know: files and parts of files that have to do with it come first. */
  readonly focus?: string | undefined;
  /**
   * Globs, as in `include`: files that the reader has in hand or names come first, then those that import them or are imported
   * by them. What `exclude` keeps out is not shown, and leads to others all the same. Not together with `since`.
   */
  readonly focusPaths?: readonly string[];
  /** A file that is not part of the source even if it lies in it: the one that the digest is written to. */
  readonly without?: string;
  /** Whether secrets are replaced. Default: true. */
  readonly redact?: boolean;
  /** Stops the work; the promise is then rejected with a `PlimsollError` `ABORTED`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type Format = 'markdown' | 'xml' | 'json';

/**
 * Turns a folder, or a repository on another machine, into one document within a hard budget.
 *
 * @param path a folder, of which inside a repository that subfolder alone is digested; `owner/repo`; or an address of a
 *   repository, or of a folder or file in one, on GitHub or any host that speaks git
 * @throws PlimsollError where the source can't be read (`SOURCE_*`, `BARE_REPOSITORY`, `NOT_A_REPOSITORY`,
 *   `NO_COMMIT`, `BAD_REF`, `NOT_CLONED`, `GIT_FAILED`, `BAD_ADDRESS`, and for other machines `REPOSITORY_NOT_FOUND`, `UNAUTHORIZED`,
 *   `FORBIDDEN`, `RATE_LIMITED`, `BLOCKED`, `HOST_*`, `NOT_IN_CACHE`, `CACHE_UNWRITABLE`), nothing or too much is asked for (`BAD_GLOB`, `NOTHING_MATCHES`, `BAD_USAGE`), or the budget
 *   is less than the smallest truthful document (`BUDGET_TOO_SMALL`, which names the least that would do)
 */
export async function digest(path: string, options: DigestOptions = {}): Promise<Digest> {
  const { ref, since, history, remote, signal, onProgress, without } = options;
  if (options.budget) checkBudget(options.budget);
  if (since !== undefined && (options.focus !== undefined || options.focusPaths?.length)) {
    const which = options.focus === undefined ? '--focus-path' : '--focus';
    throw new PlimsollError(
      'BAD_USAGE',
      `A digest is of a question or of changes: leave out ${which} or --since.`,
    );
  }
  const selection = select(options.include ?? [], options.exclude ?? []);
  const source = await openSource(path, { ref, since, history, remote, signal, onProgress });
  try {
    const listed = without === undefined || !isLocal(source) ? source : leavingOut(source, path, without);
    return await digestSource(listed, selection, options);
  } finally {
    await source.close();
  }
}

/** Whether a source is files on this machine as they stand, so that what is written may be among them. */
function isLocal({ facts }: Source): boolean {
  return facts.kind === 'folder' || facts.workTree === true;
}

/** The same source as if a file were not in it. */
function leavingOut(source: Source, folder: string, file: string): Source {
  const path = relative(realpathSync(folder), join(realpathSync(dirname(file)), basename(file))).replaceAll(
    sep,
    '/',
  );
  const list = async (): Promise<Listing> => {
    const listing = await source.list();
    return { ...listing, entries: listing.entries.filter((entry) => entry.path !== path) };
  };
  return {
    facts: source.facts,
    kept: source.kept,
    askedFor: source.askedFor,
    list,
    contentId: (entry) => source.contentId(entry),
    prefetch: (entries) => source.prefetch(entries),
    survey: (entries) => source.survey(entries),
    read: (entry, limit) => source.read(entry, limit),
    stream: (entry) => source.stream(entry),
    history: () => source.history(),
    changes: async () => {
      const changes = await source.changes();
      return changes && { ...changes, files: new Map([...changes.files].filter(([name]) => name !== path)) };
    },
    close: () => source.close(),
  };
}

/** The pipeline behind `digest`, for a source that is open already. */
export function digestSource(
  source: Source,
  selection: Selection,
  options: DigestOptions,
  frame?: Frame,
): Promise<Digest> {
  return withKept(source, options.remote?.cache, (kept) =>
    digestWith(kept, source, selection, options, frame),
  );
}

async function digestWith(
  kept: Kept | undefined,
  source: Source,
  selection: Selection,
  options: DigestOptions,
  frame: Frame | undefined,
): Promise<Digest> {
  const { budget = DEFAULT_BUDGET, format = 'markdown', redact = true, signal, onProgress } = options;
  onProgress?.({ stage: 'listing', done: 0 });
  const [listing, history, changes] = await Promise.all([source.list(), source.history(), source.changes()]);
  const { focus: question, focusPaths = [], graph: linked = true } = options;
  const asked = { budget, format, redact, question, focusPaths, linked, frame };
  const key = kept && keyOf({ source, listing, history, changes, selection, asked });
  const made = key === undefined ? undefined : await kept?.digest(key);
  const pace = new Pace(signal);
  if (made) {
    await pace.turn();
    return made;
  }
  const index = await kept?.index();
  let isLasting = true;
  let read = 0;
  const onRead = (): void => onProgress?.({ stage: 'reading', done: ++read });
  await pace.turn();

  const hand = handOf(listing, focusPaths);
  const sifted = await sift(source, listing, alsoNamed(selection, focusPaths), new Set(hand));
  onProgress?.({ stage: 'ranking', done: 0, total: sifted.candidates.length });
  const { has: exists } = lookUp(listing.entries);
  const project = await readProject(source, listing, sifted.candidates, exists, redact);
  const look = await lookInto(source, [...sifted.candidates, ...sifted.aside], {
    question,
    graph: linked,
    marked: new Set(changes?.files.keys() ?? hand),
    index,
    pace,
    onRead,
  });
  const { focus, graph } = look;
  const ranking = rank(sifted.candidates, project, {
    askedFor: source.askedFor,
    history,
    exists,
    focus,
    graph,
    changes,
    hand,
  });
  await pace.turn();

  const renderer = format === 'xml' ? xml : markdown;
  const most = budget.unit === 'chars' ? budget.limit : budget.limit * MOST_CHARS_A_TOKEN;
  const composed = await compose(
    {
      facts: source.facts,
      notes: source.notes ?? [],
      listing,
      sifted,
      ranking,
      description: project.description,
      changes,
      redact,
    },
    { budget, renderer: frame ? framed(renderer, frame) : renderer },
    {
      prefetch: (files) => source.prefetch(files.map(({ entry }) => entry)),
      load: async ({ entry, named }, outlined) => {
        if (pace.isDue(STEPS_A_FILE)) await pace.turn();
        onRead();
        const content = await load(source, entry, listing.attributesOf(entry.path), {
          redact,
          most: Math.max(most, OUTLINED_CHARS),
          named,
        });
        if ('omit' in content) return content;
        const change = changes?.files.get(entry.path);
        if (!outlined) return { content, note: change && describeChange(change) };
        const own = await outlineOf(content, index);
        if (own.note !== undefined) isLasting = false;
        if (change) return withChange({ content, ...own }, change);
        return { content, ...own, lineScore: focus?.lineScore };
      },
      hasOutline: ({ language }) => language !== undefined && Outliner.canOutline(language.name),
    },
  );
  await pace.turn();
  const warnings = [
    ...(source.notes ?? []),
    ...look.warnings,
    ...(changes?.warnings ?? []),
    ...notShown(source, composed.shown),
    ...composed.warnings,
  ];
  const digest = report(source.facts, listing, ranking, { ...composed, warnings }, changes);
  // What there is to warn of, and what took too long, may be otherwise the next time.
  if (key !== undefined && isLasting && warnings.length === 0) await kept?.keepDigest(key, digest);
  return digest;
}

/** One for all digests: its workers wait for the next, and keep no process alive. */
const outliner = new Outliner();

/** What a file defines, where its language has a grammar; what kept it from being found is told with the file. */
async function outlineOf(
  { text, language, whole }: Content,
  index: FileIndex | undefined,
): Promise<Pick<Loaded, 'outline' | 'note'>> {
  if (!language || !whole || !Outliner.canOutline(language.name)) return {};
  const known = index?.outlineOf(text, language.name);
  const outline = known ?? (await outliner.outline(text, language.name));
  if ('failure' in outline) return { note: NO_OUTLINE[outline.failure] };
  if (!known) index?.keepOutline(text, language.name, outline);
  return outline.definitions.length > 0 ? { outline } : {};
}

/** A file with what became of it: its changed lines are shown first, even where it has no outline. */
function withChange(loaded: Loaded, change: Change): Loaded {
  const { content, outline = NO_DEFINITIONS, note } = loaded;
  const noted = { ...loaded, note: [describeChange(change), note].filter(Boolean).join('; ') };
  if (!change.lines || !content.whole) return noted;
  const numbers = new Set<number>();
  for (const [first, last] of change.lines) for (let line = first; line <= last; line++) numbers.add(line);
  return { ...noted, outline, lineScore: (_, number) => (numbers.has(number) ? 1 : 0) };
}

const NO_DEFINITIONS: Outline = { imports: [], definitions: [] };

const NO_OUTLINE = {
  time: 'not outlined: parsing it took too long',
  size: 'not outlined: it is too long',
  parser: 'not outlined: its parser failed',
} as const;

/** Says so where the file that the address names could not be shown. */
function notShown({ askedFor }: Source, shown: readonly ShownFile[]): Warning[] {
  if (askedFor === undefined || shown.some(({ file }) => file.entry.path === askedFor)) return [];
  const message = `${visibleName(askedFor)}, which the address names, is not shown: the ledger counts it under its reason.`;
  return [{ code: 'NOT_SHOWN', message }];
}

/** Longer files have no outline. */
const OUTLINED_CHARS = 1024 * 1024;
/** The longest tokens of o200k_base: runs of spaces and other fillers. */
const MOST_CHARS_A_TOKEN = 128;
/** What reading a file counts for, among the steps after which signals have their turn. */
const STEPS_A_FILE = 64;
/** Project documents longer than this are not worth reading for names and links. */
const PROJECT_DOCUMENT_BYTES = 1024 * 1024;

/** Reads the few root documents that say what the project is and which of its files matter. */
async function readProject(
  source: Source,
  listing: Listing,
  candidates: readonly Candidate[],
  exists: (path: string) => boolean,
  redact: boolean,
): Promise<Project> {
  const documents = new Map<string, string>();
  const entries = candidates.filter(isProjectDocument).map(({ entry }) => entry);
  await source.prefetch(entries);
  for (const entry of entries) {
    const content = await load(source, entry, listing.attributesOf(entry.path), {
      redact,
      most: PROJECT_DOCUMENT_BYTES,
    });
    if ('text' in content) documents.set(entry.path, content.text);
  }
  return describeProject(documents, exists);
}
