/** Which files an import may mean; each counts by its share. */
export type Resolve = (spec: string, from: string) => readonly string[];

/** What there is to import. */
export interface Sources {
  /** The files in the languages that import each other, sorted as they were given. */
  readonly paths: readonly string[];
  /** Whether there is such a file, in any language. */
  readonly has: (path: string) => boolean;
  /** Folders of packages by the names others import them by. */
  readonly packages: ReadonlyMap<string, string>;
  /** All that these files import, by file. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

/** How files of some languages import each other. */
export interface ImportLanguage {
  /** As Linguist names them. */
  readonly names: readonly string[];
  /** What a text imports, as `resolver` understands it. Linear in the text's length, whatever it holds. */
  readonly read: (text: string) => Iterable<string>;
  readonly resolver: (sources: Sources) => Resolve;
}
