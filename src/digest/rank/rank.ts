import type { Offer } from '../fit/fit.ts';
import type { Focus } from '../focus/focus.ts';
import type { ImportGraph } from '../graph/graph.ts';
import type { Changes, History } from '../types.ts';
import type { Candidate } from './candidate.ts';
import { placeChanges } from './changes.ts';
import { isCode } from './code.ts';
import { packagesAmong } from './packages.ts';
import { type Project, projectName } from './project.ts';
import { askedFor } from './signals/asked-for.ts';
import { binaryName } from './signals/binary-name.ts';
import { changed } from './signals/changed.ts';
import { contributorDocs } from './signals/contributor-docs.ts';
import { depth } from './signals/depth.ts';
import { entryPoint } from './signals/entry-point.ts';
import { example } from './signals/example.ts';
import { focus } from './signals/focus.ts';
import { history } from './signals/history.ts';
import { imported } from './signals/imported.ts';
import { importing } from './signals/importing.ts';
import { inHand } from './signals/in-hand.ts';
import { kind } from './signals/kind.ts';
import { language } from './signals/language.ts';
import { manifest } from './signals/manifest.ts';
import { namedPackage } from './signals/named-package.ts';
import { pointedAt } from './signals/pointed-at.ts';
import { readme } from './signals/readme.ts';
import { type RankContext, remembering, type Signal } from './signals/signal.ts';
import { size } from './signals/size.ts';
import { isTest, test } from './signals/test.ts';
import { touched } from './signals/touched.ts';
import { translation } from './signals/translation.ts';
import { vendored } from './signals/vendored.ts';
import { translations } from './translations.ts';
import { DOUBLING } from './weights.ts';

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
  size,
  imported,
  importing,
  depth,
  example,
  test,
  vendored,
  translation,
  'binary-name': binaryName,
};

/** Where there is a question, the answers come first whatever else they are. */
const ANSWERING: Readonly<Record<string, Signal>> = {
  'asked-for': askedFor,
  focus,
  touched,
  translation,
  'binary-name': binaryName,
};

/** Where changes are asked for, changed files stand by what became of them; of the others first what that touches. */
const CHANGED: Readonly<Record<string, Signal>> = { changed, translation, 'binary-name': binaryName };
/** Likewise what the reader has in hand, and what that has to do with. */
const IN_HAND: Readonly<Record<string, Signal>> = { 'in-hand': inHand, 'binary-name': binaryName };
const OTHERS: Readonly<Record<string, Signal>> = { touched, ...SIGNALS };

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
  /** All files with what they are worth, the best first; equal scores stand by depth, then by path. */
  readonly offers: readonly Offer[];
  /** In the order in which the candidates were given. */
  readonly scores: readonly number[];
  /** The signals behind a file's score, which is their sum. */
  readonly reasonsOf: (file: Candidate) => Reason[];
  /** Languages of the project's own code, the largest share first. */
  readonly languages: readonly LanguageShare[];
}

/** What is known of the source beside its files and documents. */
export interface Evidence {
  /** The path of the file that the source's address names. */
  readonly askedFor?: string | undefined;
  readonly history?: History | undefined;
  /** Whether a path is a file of the source. */
  readonly exists: (path: string) => boolean;
  readonly focus?: Focus | undefined;
  readonly graph?: ImportGraph | undefined;
  readonly changes?: Changes | undefined;
  /** Paths that the reader has in hand, the first first. */
  readonly hand?: readonly string[];
}

/**
 * Scores files by every signal, best first. Pure: nothing is read.
 *
 * @param candidates sorted by path
 */
export function rank(
  candidates: readonly Candidate[],
  project: Project,
  { askedFor: asked, history: fared, exists, focus: question, graph, changes, hand = [] }: Evidence,
): Ranking {
  const languages = languageShares(candidates);
  const handPlaces = new Map(hand.map((path, place) => [path, place]));
  const context: RankContext = {
    primaryLanguage: languages[0]?.name,
    isProjectName: remembering((folder) => project.names.has(projectName(folder))),
    pointers: project.pointers,
    manifestsAt: countByDepth(candidates, ({ ecosystem }) => ecosystem !== undefined),
    readmesAt: countByDepth(candidates, ({ isReadme }) => isReadme),
    originalOf: translations(exists),
    askedFor: asked,
    focus: question,
    changeOf: placeChanges(candidates, changes),
    hasChanges: changes !== undefined,
    handPlaceOf: ({ entry }) => handPlaces.get(entry.path),
    historyOf: (path) => fared?.files.get(path),
    hasHistory: fared !== undefined,
    graph,
  };
  const signalsFor = (file: Candidate): Readonly<Record<string, Signal>> => {
    if (context.handPlaceOf(file) !== undefined) return IN_HAND;
    if (question) return ANSWERING;
    if (context.changeOf(file)) return CHANGED;
    return changes || hand.length > 0 ? OTHERS : SIGNALS;
  };
  const scores: number[] = [];
  const rated = candidates.map((file) => {
    let score = 0;
    let worth = 0;
    for (const signal of Object.values(signalsFor(file))) {
      const found = signal(file, context);
      if (!found) continue;
      score += found.points;
      worth += found.worth ?? found.points;
    }
    scores.push(score);
    return { file, score, value: 2 ** (worth / DOUBLING) };
  });
  return {
    offers: question ? inOrder(rated) : withVoices(inOrder(rated), context.primaryLanguage),
    scores,
    languages,
    reasonsOf: (file) =>
      Object.entries(signalsFor(file)).flatMap(([name, signal]) => {
        const found = signal(file, context);
        return found ? [{ signal: name, points: found.points, why: found.why }] : [];
      }),
  };
}

/** Sorts by score; files of the same score by depth, then by path, which is the order they come in. */
function inOrder(rated: readonly (Offer & { readonly score: number })[]): Offer[] {
  return rated.toSorted((a, b) => b.score - a.score || a.file.folders.length - b.file.folders.length);
}

/** Lets every package speak, and the project as a whole by its README and manifest. */
function withVoices(offers: readonly Offer[], primaryLanguage: string | undefined): Offer[] {
  const packagesOf = packagesAmong(offers.map(({ file }) => file));
  const speaksForAll = ({ folders, isReadme, ecosystem }: Candidate): boolean =>
    folders.length === 0 &&
    (isReadme || (primaryLanguage !== undefined && ecosystem?.includes(primaryLanguage) === true));
  return offers.map((offer) => {
    const { file } = offer;
    const speaksFor = speaksForAll(file) ? [file.entry.path] : packagesOf(file);
    return speaksFor.length > 0 ? { ...offer, speaksFor } : offer;
  });
}

/** How many of the files that `counts` stand as many folders down. */
function countByDepth(files: readonly Candidate[], counts: (file: Candidate) => boolean): number[] {
  const found: number[] = [];
  for (const file of files) {
    if (counts(file)) found[file.folders.length] = (found[file.folders.length] ?? 0) + 1;
  }
  return found;
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
