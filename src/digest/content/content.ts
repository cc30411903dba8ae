import { RedactionError, redactSecrets, type SecretFound } from '../../secrets/secrets.ts';
import { cutHead } from '../../text/cut.ts';
import { lineStarts } from '../../text/lines.ts';
import { visible } from '../../text/visible.ts';
import { type Language, languageOf, languageOfScript } from '../language/language.ts';
import { NotFetched } from '../not-fetched.ts';
import { isBinary } from '../sieve/binary.ts';
import { isLfsPointer } from '../sieve/lfs.ts';
import { sieveByContent } from '../sieve/sieve.ts';
import type { Attributes, Entry, OmitReason, Source } from '../types.ts';
import { decode, decodedLength } from './decode.ts';

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
  /** Characters of the file itself that a head of `text` of so many characters stands for. */
  readonly sourceChars: (length: number) => number;
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
  /** Asked for by its own name: shown even if it is generated or minified. */
  readonly named?: boolean;
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
    const omit = options.named ? undefined : sieveByContent(entry.path, decoded.text, attributes);
    if (omit) return { omit };
    const size = held ? decoded.text.length : await decodedLength(source.stream(entry), decoded.encoding);
    const prepared = await prepare(decoded.text, held, options);
    return {
      ...prepared,
      size,
      encoding: decoded.encoding,
      language: languageOf(entry.path, attributes) ?? languageOfScript(decoded.text),
    };
  } catch (error) {
    return rejectionOf(error);
  }
}

type Prepared = Pick<Content, 'text' | 'whole' | 'secrets' | 'sourceChars'>;

/** Makes a text safe to show: all of it, or at least as much of its head as can be shown. */
async function prepare(source: string, held: boolean, { redact, most }: LoadOptions): Promise<Prepared> {
  for (let take = most + MARGIN; ; take *= 2) {
    const whole = held && source.length <= take;
    const head = source.slice(0, take);
    const shown = visible(head);
    const { text, found } = redact ? await redactSecrets(shown) : { text: shown, found: [] };
    // The end of a text that goes on may be the half of a secret.
    const safe = whole ? text : cutHead(text, Math.max(0, text.length - MARGIN / 2));
    if (!whole && safe.length < most && take < source.length) continue;
    let lines: Lines | undefined;
    const sourceChars = (length: number): number => {
      const visibleChars = found.reduce(
        (chars, secret) =>
          secret.at < length ? chars + secret.replaced - Math.min(secret.length, length - secret.at) : chars,
        length,
      );
      if (shown === head) return visibleChars;
      lines ??= linesOf(head);
      return charsBefore(head, lines, visibleChars);
    };
    return { text: safe, whole, secrets: found, sourceChars };
  }
}

/** Where each line of a text begins, in it and in what is visible of it; the last entries are where both end. */
interface Lines {
  readonly starts: readonly number[];
  readonly visibleStarts: readonly number[];
}

/** No sequence of characters that is shown in another way goes over a line feed. */
function linesOf(text: string): Lines {
  const starts = [...lineStarts(text), text.length];
  let length = 0;
  const visibleStarts = starts.map((start, line) => {
    if (line > 0) length += visible(text.slice(starts[line - 1], start)).length;
    return length;
  });
  return { starts, visibleStarts };
}

/** The longest head of a text that has at most `length` characters once it is made visible. */
function charsBefore(text: string, { starts, visibleStarts }: Lines, length: number): number {
  const line = lastWhere(visibleStarts.length - 1, (at) => (visibleStarts[at] as number) <= length);
  const start = starts[line] as number;
  const rest = length - (visibleStarts[line] as number);
  const own = (starts[line + 1] ?? text.length) - start;
  return start + lastWhere(own, (chars) => visible(text.slice(start, start + chars)).length <= rest);
}

/** The last number up to `most` of which something is true that is true of 0 and false of all after the first that it is false of. */
function lastWhere(most: number, isTrue: (at: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isTrue(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof RedactionError)
    return { omit: 'unreadable', warning: 'is not shown: the search for secrets failed on it' };
  if (error instanceof NotFetched) return { omit: 'unfetched', warning: error.message };
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { omit: 'vanished', warning: 'vanished while it was read' };
  if (typeof code === 'string') return { omit: 'unreadable', warning: `could not be read (${code})` };
  throw error;
}
