import { group } from '../text/words.ts';
import { type Focus, FocusFinder } from './focus/focus.ts';
import { GraphBuilder, hasImports, type ImportGraph } from './graph/graph.ts';
import type { FileIndex } from './index/file-index.ts';
import type { Candidate } from './rank/candidate.ts';
import { kindWeight } from './rank/signals/focus.ts';
import type { Pace } from './source/pace.ts';
import type { Source, Warning } from './types.ts';

/** What all files together tell, which takes reading them. */
export interface Look {
  /** How they answer the question, where there is one. */
  readonly focus?: Focus;
  /** Who imports whom, where that was asked for and could be found out. */
  readonly graph?: ImportGraph;
  readonly warnings: readonly Warning[];
}

export interface LookOptions {
  readonly question: string | undefined;
  /** Whether to find out who imports whom. */
  readonly graph: boolean;
  /** Files whose links to others are wanted one by one. */
  readonly marked: ReadonlySet<string>;
  /** What was found out before, to which what is found out now is added. */
  readonly index: FileIndex | undefined;
  readonly pace: Pace;
  /** Told of every file before it is read. */
  readonly onRead: () => void;
}

/** Longer files are not read for this. */
const MOST_BYTES = 1024 * 1024;
/** Of more files, imports are not read. */
const MOST_FILES = 50_000;
/** So long, in milliseconds, imports are read at the most. */
const MOST_TIME = 60_000;
/** What reading a file counts for, among the steps after which signals have their turn. */
const STEPS_A_FILE = 64;

/** Reads the files that may be shown, each once, for what they tell together. */
export async function lookInto(
  source: Source,
  candidates: readonly Candidate[],
  { question, graph, marked, index, pace, onRead }: LookOptions,
): Promise<Look> {
  const readable = candidates.filter(({ entry, binaryName }) => !binaryName && entry.size <= MOST_BYTES);
  const linked = graph ? readable.filter(({ language }) => language && hasImports(language.name)) : [];
  const finder = question === undefined ? undefined : new FocusFinder(question, kindWeight);
  if (finder) await source.prefetch(readable.map(({ entry }) => entry));
  const builder = new GraphBuilder(
    linked.map((file) => ({ path: file.entry.path, language: languageOf(file) })),
  );
  const unread = new Set<Candidate>();
  for (const file of linked) {
    const id = source.contentId(file.entry);
    const imports = id === undefined ? undefined : index?.importsOf(id, languageOf(file));
    if (imports) builder.addRead(file.entry.path, imports);
    else unread.add(file);
  }
  let trouble = linked.length > MOST_FILES ? 'they are too many' : await troubleWith(source, unread);
  const end = performance.now() + MOST_TIME;
  for (const file of finder ? readable : unread) {
    if (!finder && trouble !== undefined) break;
    if (pace.isDue(STEPS_A_FILE)) await pace.turn();
    if (performance.now() > end) trouble ??= `reading them took more than ${MOST_TIME / 1000} seconds`;
    onRead();
    const text = await textOf(source, file);
    if (text === undefined) continue;
    finder?.add(file, text);
    if (trouble !== undefined || !unread.has(file)) continue;
    const imports = builder.add(file.entry.path, text);
    const id = source.contentId(file.entry);
    if (id !== undefined) index?.keepImports(id, languageOf(file), imports);
  }
  const message = `Who imports whom in ${group(linked.length)} files did not count for the choice: ${trouble}.`;
  return {
    ...(finder && { focus: finder.finish() }),
    ...(linked.length > 0 && trouble === undefined && { graph: builder.finish(marked) }),
    warnings: trouble === undefined ? [] : [{ code: 'NO_GRAPH', message }],
  };
}

function languageOf({ language }: Candidate): string {
  return language?.name ?? '';
}

/** What keeps imports from being read, if anything does. */
async function troubleWith(source: Source, files: ReadonlySet<Candidate>): Promise<string | undefined> {
  if (files.size === 0) return undefined;
  const near = await source.survey([...files].map(({ entry }) => entry));
  return near ? undefined : 'their contents could not be had without many requests';
}

/** A file's text as far as words and imports need it; nothing of what is binary or can't be read. */
async function textOf(source: Source, { entry }: Candidate): Promise<string | undefined> {
  try {
    const bytes = await source.read(entry, MOST_BYTES);
    return bytes.includes(0) ? undefined : bytes.toString();
  } catch {
    return undefined;
  }
}
