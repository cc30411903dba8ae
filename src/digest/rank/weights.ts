/**
 * The points of every signal, in one place. Position counts before name: what a name earns is for the root
 * and falls with every folder down by `perFolder`.
 */
export const WEIGHTS = {
  /** The file that the address names. */
  askedFor: 100_000,

  /** What is left of a name's points with every folder down. */
  perFolder: 0.5,

  /** A manifest of the primary language's ecosystem. */
  manifest: 1000,
  /** A manifest of another ecosystem. */
  secondaryManifest: 500,
  readme: 900,
  entryPoint: 240,
  /** What is written for contributors and agents, times a share by document. */
  contributorDocs: 420,
  /** In a folder that bears the project's name. */
  namedPackage: 60,
  /** A file that the manifest names as what runs or is imported. */
  manifestPointer: 220,
  /** A file that the README links to. */
  readmeLink: 120,

  primaryLanguage: 100,
  program: 60,
  prose: 20,
  data: -60,
  unknownKind: -60,
  /** Every folder down. */
  depth: -8,
  /** The most often and most recently changed file; others by the logarithm of their changes. */
  history: 200,

  example: -60,
  housekeeping: -150,
  legal: -400,
  changelog: -400,
  test: -700,
  vendored: -900,
  translation: -5000,
  /** So low that content decides only when all else is shown. */
  binaryName: -20000,
} as const;

/** What a document for contributors has of `contributorDocs`, by its name without the ending. */
export const CONTRIBUTOR_DOC_SHARES: ReadonlyMap<string, number> = new Map([
  ['agents', 1],
  ['claude', 1],
  ['gemini', 0.8],
  ['copilot-instructions', 0.8],
  ['architecture', 1],
  ['design', 0.7],
  ['contributing', 0.7],
  ['development', 0.7],
  ['hacking', 0.7],
]);

/** The most of the budget that the tree takes. */
export const TREE_SHARE = 0.25;
/**
 * Characters, and the most of the budget, that are kept for the source's name, address, host and notes: files have the
 * same room whichever way one commit was reached.
 */
export const ADDRESS_ROOM = 700;
export const ADDRESS_SHARE = 0.05;
/** However small the budget: room for a short name and a full id. */
export const LEAST_ADDRESS_ROOM = 150;
/** The most of the budget that the head's optional parts, and that warnings, take. */
export const HEAD_SHARE = 0.15;
export const NOTICES_SHARE = 0.05;

/** The most of what remains that one file takes while others wait. */
export const FILE_SHARE = 0.4;
/** A file may take so many characters even where its share is less: scraps are of no use. */
export const FILE_FLOOR = 1_500;
/** The least room for a cut file's text that is worth using, in characters. A cut at a line end leaves some of it. */
export const LEAST_HEAD = 400;
