import { type Language, languageOf, languageOfScript } from '../language/language.ts';
import { isBinary } from '../sieve/binary.ts';
import { isLfsPointer } from '../sieve/lfs.ts';
import { sieveByContent } from '../sieve/sieve.ts';
import type { Attributes, Entry, OmitReason, Source } from '../types.ts';
import { decode, decodedLength } from './decode.ts';
import { RedactionError, redactSecrets, type SecretFound } from './secrets.ts';
import { visible } from './visible.ts';

/** A file's text, ready to be shown. */
export interface Content {
  /** Secrets replaced, deceptive characters made visible. Only the head of a very long file. */
  readonly text: string;
  /** Characters of the decoded file, whole. */
  readonly size: number;
  /** True where `text` is the file to its end. */
  readonly whole: boolean;
  /** How its bytes were decoded, such as `UTF-8` or `Shift_JIS`. */
  readonly encoding: string;
  readonly secrets: readonly SecretFound[];
  /** By its name, or else by the interpreter that its first line names. */
  readonly language: Language | undefined;
}

/** Why a file's text can't be shown or isn't worth it. */
export interface Rejection {
  readonly omit: OmitReason;
  /** What the user should know beyond the reason. */
  readonly warning?: string;
}

export interface LoadOptions {
  readonly redact: boolean;
  /** Characters that can be shown at the most: more of a text is not prepared. */
  readonly most: number;
}

/** Files up to so many bytes are held whole; of longer ones only what can be shown. */
const HOLD = 8 * 1024 * 1024;
/** Half of it is longer than any secret, so that none is shown in part where the prepared text ends. */
const MARGIN = 16_384;
const MOST_BYTES_A_CHAR = 4;

/**
 * Reads a file and prepares its text: binary, LFS pointers, generated and minified files are told apart by
 * their content, the text is decoded, secrets are replaced, deceptive characters made visible.
 * A file that can't be read is a rejection, never an error.
 */
export async function load(
  source: Source,
  entry: Entry,
  attributes: Attributes,
  options: LoadOptions,
): Promise<Content | Rejection> {
  try {
    const limit = Math.max(entry.size <= HOLD ? HOLD : 0, (options.most + MARGIN) * MOST_BYTES_A_CHAR);
    const bytes = await source.read(entry, limit);
    if (bytes.length === 0) return { omit: 'empty' };
    if (isLfsPointer(bytes) !== undefined) return { omit: 'lfs-pointer' };
    if (isBinary(bytes)) return { omit: 'binary' };

    const held = bytes.length < limit;
    const decoded = await decode(bytes, !held);
    const omit = sieveByContent(entry.path, decoded.text, attributes);
    if (omit) return { omit };
    const size = held ? decoded.text.length : await decodedLength(source.stream(entry), decoded.encoding);
    const whole = held && decoded.text.length <= options.most + MARGIN;
    const prepared = visible(whole ? decoded.text : decoded.text.slice(0, options.most + MARGIN));
    const redacted = options.redact ? await redactSecrets(prepared) : { text: prepared, found: [] };
    return {
      // The end of a text that goes on may be the half of a secret.
      text: whole ? redacted.text : redacted.text.slice(0, -MARGIN / 2),
      size,
      whole,
      encoding: decoded.encoding,
      secrets: redacted.found,
      language: languageOf(entry.path, attributes) ?? languageOfScript(prepared),
    };
  } catch (error) {
    return rejectionOf(error);
  }
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof RedactionError)
    return { omit: 'unreadable', warning: 'is not shown: the search for secrets failed on it' };
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { omit: 'vanished', warning: 'vanished while it was read' };
  if (typeof code === 'string') return { omit: 'unreadable', warning: `could not be read (${code})` };
  throw error;
}
