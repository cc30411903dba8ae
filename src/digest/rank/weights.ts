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
  manifest: 1600,
  /** A manifest of another ecosystem. */
  secondaryManifest: 800,
  /** What a manifest, and a README, has of room. */
  manifestWorth: 300,
  readme: 1000,
  readmeWorth: 350,
  entryPoint: 120,
  /** What is written for contributors and agents, times a share by document. */
  contributorDocs: 300,
  /** In a folder that bears the project's name. */
  namedPackage: 60,
  /** A file that the manifest names as what runs or is imported. */
  manifestPointer: 220,
  /** A file that the README links to. */
  readmeLink: 120,

  primaryLanguage: 150,
  program: 60,
  prose: 20,
  data: -330,
  unknownKind: -330,
  /** Every folder down. */
  depth: -8,
  /** A file that changed twice as often lately, nearly. */
  history: 70,
  /** So often did a file change that gains nothing. */
  historyFloor: 0.0015,
  /** A file that is twice as long, where there is history, and where there is none. */
  size: 20,
  sizeAlone: 50,
  /** A file that twice as many import, nearly, where there is history, and where there is none. */
  imported: 20,
  importedAlone: 30,
  /** A file that imports twice as many, nearly. */
  importing: 15,
  importingAlone: 60,
  markup: -170,
  /** What answers the reader's question twice as well, and every place that is twice as far down. */
  share: 200,
  place: -70,
  /** Nothing of the reader's question is in it. */
  noMatch: -1500,

  /** What the reader has in hand, and the room it is given. */
  inHand: 20_000,
  inHandWorth: 2000,
  /** What changed, and what a change touches: so many points that nothing else comes before. */
  changed: 20_000,
  touched: 10_000,
  /** The same for the room they are given; of what is touched, for twice as many links to what changed, nearly. */
  changedWorth: 2000,
  touchedWorth: 300,
  /** In the order of what changed, every place that is twice as far down, for its room. */
  changedPlaceWorth: -60,

  example: -60,
  housekeeping: -150,
  legal: -400,
  changelog: -400,
  test: -300,
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
export const TREE_SHARE = 0.08;
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

/** So many points more make a file worth twice as much. */
export const DOUBLING = 100;
/** The least room for a cut file's text that is worth using, in characters. A cut at a line end leaves some of it. */
export const LEAST_HEAD = 400;
