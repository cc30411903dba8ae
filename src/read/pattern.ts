import { PlimsollError } from '../errors.ts';
import { shortened } from './parts.ts';

/** The longest pattern, in UTF-16 code units. */
const LONGEST = 1000;

/** The largest program of a regular expression, in RE2's instructions: each may be done for each character. */
const LARGEST = 1000;

/** In a regular expression of RE2: what is quoted, escaped or a class, and the end of a line. */
const DOLLARS = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\$/g;

export interface PatternAsked {
  readonly pattern: string;
  /**
   * Whether it is a regular expression (RE2's syntax; `^` and `$` match at lines, `$` also before a CRLF); plain text
   * otherwise.
   */
  readonly regex?: boolean | undefined;
  /** By Unicode's simple case folding. */
  readonly ignoreCase?: boolean | undefined;
}

export interface Pattern {
  /** The first match that starts at `from` or later. */
  find(text: string, from: number): Match | undefined;
  /** How many UTF-16 code units a match may have that is surely found whole where a text is searched in stretches. */
  readonly reach: number;
  /** How many bytes may be searched without holding up other work. */
  readonly stretch: number;
}

export interface Match {
  readonly start: number;
  readonly end: number;
}

/**
 * A pattern of which a match is found in time linear in the text, whatever the pattern is.
 * Throws `BAD_PATTERN` for an empty or overlong pattern, and for a regular expression that RE2 doesn't have.
 */
export async function compilePattern({
  pattern,
  regex = false,
  ignoreCase = false,
}: PatternAsked): Promise<Pattern> {
  if (pattern === '') throw new PlimsollError('BAD_PATTERN', 'The pattern is empty.');
  if (pattern.length > LONGEST) {
    throw new PlimsollError('BAD_PATTERN', `The pattern is longer than ${LONGEST} characters.`);
  }
  return regex ? expression(pattern, ignoreCase) : plain(pattern, ignoreCase);
}

function plain(pattern: string, ignoreCase: boolean): Pattern {
  const text = pattern.toWellFormed();
  const literal = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), ignoreCase ? 'giu' : 'gu');
  return {
    // Case folding makes two code units of one at most.
    reach: text.length * (ignoreCase ? 2 : 1),
    stretch: 256 * 1024,
    find(text, from) {
      literal.lastIndex = from;
      const match = literal.exec(text);
      return match ? { start: match.index, end: literal.lastIndex } : undefined;
    },
  };
}

async function expression(pattern: string, ignoreCase: boolean): Promise<Pattern> {
  const { RE2JS } = await import('re2js');
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  let compiled: InstanceType<typeof RE2JS>;
  try {
    RE2JS.compile(pattern, flags);
    compiled = RE2JS.compile(withLineEnds(pattern), flags);
  } catch (error) {
    const reason = shortened((error as Error).message.replace(/^error parsing regexp: /, ''));
    throw new PlimsollError(
      'BAD_PATTERN',
      `Not a regular expression of RE2 (which has no lookaround and no backreferences): ${reason}.`,
      { cause: error },
    );
  }
  if (compiled.programSize() > LARGEST) {
    throw new PlimsollError('BAD_PATTERN', 'The regular expression is too large: it repeats too much.');
  }
  let tested: string | undefined;
  let matches = false;
  return {
    reach: 2000,
    stretch: (compiled.programSize() > 100 ? 8 : 16) * 1024,
    find(text, from) {
      // A test is many times faster than a search, which tells the place as well.
      if (text !== tested) matches = compiled.test(text);
      tested = text;
      const matcher = matches ? compiled.matcher(text) : undefined;
      return matcher?.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

/** The same regular expression with a `$` that also matches before the carriage return of a CRLF. */
function withLineEnds(pattern: string): string {
  return pattern.replace(DOLLARS, (token) => (token === '$' ? '(?:\\r?$)' : token));
}
