import type { Language } from '../language/language.ts';
import type { Entry, FileHistory, History } from '../types.ts';
import { type Project, projectName } from './project.ts';
import { binaryName } from './signals/binary-name.ts';
import { contributorDocs } from './signals/contributor-docs.ts';
import { depth } from './signals/depth.ts';
import { entryPoint } from './signals/entry-point.ts';
import { example } from './signals/example.ts';
import { history } from './signals/history.ts';
import { kind } from './signals/kind.ts';
import { language } from './signals/language.ts';
import { ecosystemOf, manifest } from './signals/manifest.ts';
import { namedPackage } from './signals/named-package.ts';
import { pointedAt } from './signals/pointed-at.ts';
import { isReadme, readme } from './signals/readme.ts';
import type { RankContext, RankInput, Signal } from './signals/signal.ts';
import { isTest, test } from './signals/test.ts';
import { translation } from './signals/translation.ts';
import { vendored } from './signals/vendored.ts';
import { translations } from './translations.ts';

const SIGNALS: Readonly<Record<string, Signal>> = {
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

/** A file that may be shown, with what is known of it before it is read. */
export interface Candidate {
  readonly entry: Entry;
  readonly language: Language | undefined;
  /** Another project's code, by its path. */
  readonly vendored: boolean;
}

/** One signal's part in a score. */
export interface Reason {
  readonly signal: string;
  readonly points: number;
  readonly why: string;
}

export interface RankedFile extends Candidate {
  /** The sum of its reasons' points. */
  readonly score: number;
}

/** A share of the project's own code, by bytes. */
export interface LanguageShare {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
}

export interface Ranking {
  /** The best first. Equal scores stand by depth, then by path. */
  readonly files: readonly RankedFile[];
  /** The signals behind a file's score. */
  readonly reasonsOf: (file: Candidate) => Reason[];
  /** Languages of the project's own code, the largest share first. */
  readonly languages: readonly LanguageShare[];
}

/** Scores files by every signal, best first. Pure: nothing is read. */
export function rank(
  candidates: readonly Candidate[],
  project: Project,
  sourceName: string,
  changes: History | undefined,
): Ranking {
  const inputs = candidates.map(inputOf);
  const languages = languageShares(candidates, inputs);
  const paths = new Set(candidates.map((candidate) => candidate.entry.path));
  const context: RankContext = {
    primaryLanguage: languages[0]?.name,
    projectNames: new Set([...project.names, projectName(sourceName)]),
    pointers: project.pointers,
    manifestsAt: countByDepth(inputs, ({ name }) => ecosystemOf(name) !== undefined),
    readmesAt: countByDepth(inputs, ({ name }) => isReadme(name)),
    originalOf: translations((path) => paths.has(path)),
    historyOf: (path) => changes?.files.get(path),
    mostChanges: mostChanges(changes?.files.values() ?? []),
  };
  const signals = Object.entries(SIGNALS);
  const files = candidates.map((candidate, i): RankedFile => {
    let score = 0;
    for (const [, signal] of signals) score += signal(inputs[i] as RankInput, context)?.points ?? 0;
    return { ...candidate, score };
  });
  files.sort(byScore);
  return {
    files,
    languages,
    reasonsOf: (file) =>
      signals.flatMap(([name, signal]) => {
        const found = signal(inputOf(file), context);
        return found ? [{ signal: name, points: found.points, why: found.why }] : [];
      }),
  };
}

function inputOf({ entry, language, vendored }: Candidate): RankInput {
  const folders = entry.path.toLowerCase().split('/');
  const name = folders.pop() as string;
  return { path: entry.path, name, folders, language, vendored };
}

function byScore(a: RankedFile, b: RankedFile): number {
  return b.score - a.score || depthOf(a) - depthOf(b) || (a.entry.path < b.entry.path ? -1 : 1);
}

function depthOf(file: RankedFile): number {
  let depth = 0;
  for (let at = file.entry.path.indexOf('/'); at >= 0; at = file.entry.path.indexOf('/', at + 1)) depth++;
  return depth;
}

/** How many of the files that `counts` stand as many folders down. */
function countByDepth(inputs: readonly RankInput[], counts: (file: RankInput) => boolean): number[] {
  const found: number[] = [];
  for (const input of inputs) {
    if (counts(input)) found[input.folders.length] = (found[input.folders.length] ?? 0) + 1;
  }
  return found;
}

function mostChanges(files: Iterable<FileHistory>): number {
  let most = 0;
  for (const file of files) if (file.recentChanges > most) most = file.recentChanges;
  return most;
}

/** By bytes of code; where there is none, by bytes of documents and markup. Tests and vendored files don't count. */
function languageShares(candidates: readonly Candidate[], inputs: readonly RankInput[]): LanguageShare[] {
  const code = new Map<string, number>();
  const text = new Map<string, number>();
  candidates.forEach(({ entry, language, vendored }, i) => {
    const { path, name, folders } = inputs[i] as RankInput;
    if (!language || language.type === 'data' || vendored || isTest(path, name, folders)) return;
    const bytes = language.type === 'programming' ? code : text;
    bytes.set(language.name, (bytes.get(language.name) ?? 0) + entry.size);
  });
  const bytes = code.size > 0 ? code : text;
  let total = 0;
  for (const size of bytes.values()) total += size;
  return [...bytes]
    .map(([name, size]) => ({ name, share: total > 0 ? size / total : 0 }))
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}
