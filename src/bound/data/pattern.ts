import type { RE2JS } from 're2js';

/** A pattern of a schema (ECMA-262 with the `u` flag), matched in time linear in the text. */
export interface Pattern {
  /** Whether a text matches; undefined if the pattern is one that can't be matched in linear time. */
  matches(text: string): boolean | undefined;
}

/** Compiles patterns, each once. */
export class Patterns {
  readonly #re2: typeof RE2JS;
  readonly #compiled = new Map<string, Pattern>();

  constructor(re2: typeof RE2JS) {
    this.#re2 = re2;
  }

  /** Throws for what is no pattern. */
  compile(source: string): Pattern {
    let pattern = this.#compiled.get(source);
    if (!pattern) {
      pattern = this.#compile(source);
      this.#compiled.set(source, pattern);
    }
    return pattern;
  }

  #compile(source: string): Pattern {
    new RegExp(source, 'u');
    try {
      const re2 = this.#re2.compile(this.#re2.translateRegExp(asRe2(source)));
      return { matches: (text) => re2.test(text) };
    } catch {
      return { matches: () => undefined };
    }
  }
}

const SPACES = '\\t\\n\\x0b\\f\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const LINE_ENDS = '\\n\\r\\u2028\\u2029';

/** A pattern with what means less in RE2 than in ECMA-262 written out: white space, and the dot. */
function asRe2(source: string): string {
  let inClass = false;
  return source.replace(/\\[\s\S]|[[\].]/g, (token) => {
    if (token === '[') inClass = true;
    if (token === ']') inClass = false;
    if (token === '\\s') return inClass ? SPACES : `[${SPACES}]`;
    if (token === '\\S' && inClass) throw new RangeError('not to be written in RE2');
    if (token === '\\S') return `[^${SPACES}]`;
    return token === '.' && !inClass ? `[^${LINE_ENDS}]` : token;
  });
}
