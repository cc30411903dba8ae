/** Where a result came from, for those who look for it later and for the call that would make it again. */
export interface Origin {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'text';
  readonly server?: string | undefined;
  /** The tool's or the prompt's name, or the resource's address. */
  readonly name?: string | undefined;
  /** The arguments as JSON, cut if they are long. */
  readonly arguments?: string | undefined;
}

/** One file of a kept result. */
export interface Part {
  /** Its name within the result: `1`, `2`, `structured`, `result`. */
  readonly name: string;
  /** Where it stands in the result: a JSON pointer (RFC 6901); empty for the whole. */
  readonly at: string;
  readonly kind: 'text' | 'json' | 'media';
  /** The file with the exact bytes, absolute. */
  readonly path: string;
  /** The same for people and line-based readers, if that differs: JSON indented, giant lines wrapped. Absolute. */
  readonly view?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Of the exact bytes. */
  readonly bytes: number;
  /** Characters (UTF-16 code units) and lines of a text. */
  readonly chars: number;
  readonly lines: number;
  /** In lower-case hexadecimal, of the exact bytes. */
  readonly sha256: string;
}

/** A result that is kept. */
export interface Kept {
  readonly handle: string;
  readonly folder: string;
  readonly parts: readonly Part[];
}

/** Why a result is not kept, in a few words that fit into `the rest was not kept (…)`. */
export interface NotKept {
  readonly reason: string;
}
