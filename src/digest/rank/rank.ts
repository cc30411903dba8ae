import type { FileHistory, History } from '../types.ts';
import type { Candidate } from './candidate.ts';
import { isCode } from './code.ts';
import { type Project, projectName } from './project.ts';
import { askedFor } from './signals/asked-for.ts';
import { binaryName } from './signals/binary-name.ts';
import { contributorDocs } from './signals/contributor-docs.ts';
import { depth } from './signals/depth.ts';
import { entryPoint } from './signals/entry-point.ts';
import { example } from './signals/example.ts';
import { history } from './signals/history.ts';
import { kind } from './signals/kind.ts';
import { language } from './signals/language.ts';
import { manifest } from './signals/manifest.ts';
import { namedPackage } from './signals/named-package.ts';
import { pointedAt } from './signals/pointed-at.ts';
import { readme } from './signals/readme.ts';
import { type RankContext, remembering, type Signal } from './signals/signal.ts';
import { isTest, test } from './signals/test.ts';
import { translation } from './signals/translation.ts';
import { vendored } from './signals/vendored.ts';
import { translations } from './translations.ts';

const SIGNALS: Readonly<Record<string, Signal>> = {
  'asked-for': askedFor,
  manifest,
  readme,
  'entry-point': entryPoint,
  'contributor-docs': contributorDocs,
  'pointed-at': pointedAt,
  'named-package': namedPackage,
  language,
  kind,
  history,
  depth,
  example,
  test,
  vendored,
  translation,
  'binary-name': binaryName,
};

/** One signal's part in a score. */
export interface Reason {
  readonly signal: string;
  readonly points: number;
  readonly why: string;
}

/** A share of the project's own code, by bytes. */
export interface LanguageShare {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
}

export interface Ranking {
  /**
   * All files, the best first; equal scores stand by depth, then by path. Parted where scores fall below zero:
   * those in the second batch are shown only when none in the first has more to show.
   */
  readonly batches: readonly [readonly Candidate[], readonly Candidate[]];
  /** In the order in which the candidates were given. */
  readonly scores: readonly number[];
  /** The signals behind a file's score, which is their sum. */
  readonly reasonsOf: (file: Candidate) => Reason[];
  /** Languages of the project's own code, the largest share first. */
  readonly languages: readonly LanguageShare[];
}

/**
 * Scores files by every signal, best first. Pure: nothing is read.
 *
 * @param candidates sorted by path
 * @param askedForPath the file that the source's address names
 * @param exists whether a path is among the candidates
 */
export function rank(
  candidates: readonly Candidate[],
  project: Project,
  askedForPath: string | undefined,
  changes: History | undefined,
  exists: (path: string) => boolean,
): Ranking {
  const languages = languageShares(candidates);
  const context: RankContext = {
    primaryLanguage: languages[0]?.name,
    isProjectName: remembering((folder) => project.names.has(projectName(folder))),
    pointers: project.pointers,
    manifestsAt: countByDepth(candidates, ({ ecosystem }) => ecosystem !== undefined),
    readmesAt: countByDepth(candidates, ({ isReadme }) => isReadme),
    originalOf: translations(exists),
    askedFor: askedForPath,
    historyOf: (path) => changes?.files.get(path),
    mostChanges: mostChanges(changes?.files.values() ?? []),
  };
  const signals = Object.values(SIGNALS);
  const scores = candidates.map((candidate) => {
    let score = 0;
    for (const signal of signals) score += signal(candidate, context)?.points ?? 0;
    return score;
  });
  return {
    batches: inOrder(candidates, scores),
    scores,
    languages,
    reasonsOf: (file) =>
      Object.entries(SIGNALS).flatMap(([name, signal]) => {
        const found = signal(file, context);
        return found ? [{ signal: name, points: found.points, why: found.why }] : [];
      }),
  };
}

/** Sorts by score; files of the same score by depth, then by path, which is the order they come in. */
function inOrder(candidates: readonly Candidate[], scores: readonly number[]): [Candidate[], Candidate[]] {
  const byScore = new Map<number, Candidate[]>();
  candidates.forEach((file, i) => {
    const score = scores[i] as number;
    const equals = byScore.get(score);
    if (equals) equals.push(file);
    else byScore.set(score, [file]);
  });
  const batches: [Candidate[], Candidate[]] = [[], []];
  for (const [score, equals] of [...byScore].sort(([a], [b]) => b - a)) {
    equals.sort((a, b) => a.folders.length - b.folders.length);
    for (const file of equals) batches[score < 0 ? 1 : 0].push(file);
  }
  return batches;
}

/** How many of the files that `counts` stand as many folders down. */
function countByDepth(files: readonly Candidate[], counts: (file: Candidate) => boolean): number[] {
  const found: number[] = [];
  for (const file of files) {
    if (counts(file)) found[file.folders.length] = (found[file.folders.length] ?? 0) + 1;
  }
  return found;
}

function mostChanges(files: Iterable<FileHistory>): number {
  let most = 0;
  for (const file of files) if (file.recentChanges > most) most = file.recentChanges;
  return most;
}

/** A huge file, generated as a rule, counts for no more bytes than this. */
const MOST_BYTES_A_FILE = 100_000;

/** By bytes of code; where there is none, by bytes of documents and markup. Tests and vendored files don't count. */
function languageShares(candidates: readonly Candidate[]): LanguageShare[] {
  const code = new Map<string, number>();
  const text = new Map<string, number>();
  for (const file of candidates) {
    const { entry, language, vendored } = file;
    if (!language || language.type === 'data' || vendored || isTest(file)) continue;
    const bytes = isCode(language) ? code : text;
    bytes.set(language.name, (bytes.get(language.name) ?? 0) + Math.min(entry.size, MOST_BYTES_A_FILE));
  }
  const bytes = code.size > 0 ? code : text;
  let total = 0;
  for (const size of bytes.values()) total += size;
  return [...bytes]
    .map(([name, size]) => ({ name, share: total > 0 ? size / total : 0 }))
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}
