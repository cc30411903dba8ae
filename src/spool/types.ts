/** Where a result came from, for those who look for it later and for the call that would make it again. */
export interface Origin {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'text';
  readonly server?: string | undefined;
  /** The tool's or the prompt's name, or the resource's address. */
  readonly name?: string | undefined;
  /** The arguments as JSON, cut if they are long. */
  readonly arguments?: string | undefined;
}

/** A place in a text to start reading at: the characters and bytes before it, and its line, from 1. */
export type Checkpoint = readonly [char: number, byte: number, line: number];

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
  /** Which byte of the exact file each line of the view starts at: a head line, then `line<TAB>byte`. Absolute. */
  readonly map?: string | undefined;
  /** Of a medium whose base64 can't be made again from its bytes: the file with the base64. Absolute. */
  readonly encoded?: string | undefined;
  /** The part whose file this one shares: it is what that text says as JSON or, if its kind is `text`, the text. */
  readonly of?: string | undefined;
  /** Where a shared file says the value of an object's one key: that key. `at` leads to the value. */
  readonly key?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Of the exact bytes. */
  readonly bytes: number;
  /** Characters (UTF-16 code units) and lines of a text; zero for media. */
  readonly chars: number;
  readonly lines: number;
  /** Whether every byte is a character. */
  readonly ascii?: boolean | undefined;
  /** Whether the bytes are not all UTF-8: lone surrogates take three bytes (WTF-8); see `decodeText`. */
  readonly wtf8?: boolean | undefined;
  /** One for about every MiB, in order. */
  readonly checkpoints?: readonly Checkpoint[] | undefined;
  /** In lower-case hexadecimal, of the exact bytes. */
  readonly sha256: string;
}

/** A result that is kept. */
export interface Kept {
  readonly handle: string;
  readonly folder: string;
  readonly parts: readonly Part[];
}

/** What there is of a handle: the whole, or what is remembered of one that was deleted to keep the spool small. */
export type Found =
  | { readonly kept: Kept; readonly origin: Origin; readonly at: number }
  | { readonly expired: Origin; readonly at: number };

/** A kept result in a list. */
export interface Listed {
  readonly kept: Kept;
  readonly origin: Origin;
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
  /** All its files together. */
  readonly bytes: number;
}

/** Why a result is not kept, in a few words that fit into `the rest was not kept (…)`. */
export interface NotKept {
  readonly reason: string;
}
