type Token = string | Uint8Array;

const ANY = 'any';
const STAR = 'star';
const GLOBSTAR = 'globstar';

type SegmentTest = (text: string) => boolean;

/**
 * Compiles a pattern of a `.gitignore` or `.gitattributes` file, as gitignore(5) and git's wildmatch
 * define it: `*`, `?` and `[…]` stop at a `/`, and a part that is `**` stands for any number of folders.
 * As in git, what stands before the first special character is compared first and the rest by itself, so
 * that `a**` + `/b` takes in `ab` and `a/x/b`.
 * Pattern and text are byte strings (see `byteString`), since git compares bytes.
 * A match takes time in proportion to the two lengths' product at most, whatever the pattern.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const special = pattern.search(SPECIAL);
  if (special < 0) return (path) => path === pattern;
  const prefix = pattern.slice(0, special);
  const segments = parse(pattern.slice(special));
  if (!segments) return () => false;
  const tests = segments.map((segment) => (segment === GLOBSTAR ? segment : compileSegment(segment)));
  const only = tests[0];
  if (tests.length === 1 && typeof only === 'function') {
    return (path) =>
      path.startsWith(prefix) && !path.includes('/', prefix.length) && only(path.slice(prefix.length));
  }
  return (path) => path.startsWith(prefix) && matchSegments(tests, path.slice(prefix.length).split('/'));
}

const SPECIAL = /[*?[\\]/;

/** Tokens by path part; `undefined` where the pattern is malformed and so matches nothing. */
function parse(pattern: string): (Token[] | typeof GLOBSTAR)[] | undefined {
  const segments: (Token[] | typeof GLOBSTAR)[] = [];
  let tokens: Token[] = [];
  let stars = 0;
  let at = 0;
  const endSegment = () => {
    segments.push(stars > 1 && tokens.length === 1 ? GLOBSTAR : tokens);
    tokens = [];
    stars = 0;
  };
  while (at < pattern.length) {
    const char = pattern[at] as string;
    at += 1;
    if (char === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
      stars += 1;
    } else if (char === '?') {
      tokens.push(ANY);
    } else if (char === '/') {
      endSegment();
    } else if (char === '[') {
      const set = parseSet(pattern, at);
      if (!set) return undefined;
      tokens.push(set.members);
      at = set.end;
    } else if (char !== '\\') {
      tokens.push(char);
    } else if (at === pattern.length) {
      return undefined;
    } else {
      const escaped = pattern[at] as string;
      at += 1;
      if (escaped === '/') endSegment();
      else tokens.push(escaped);
    }
  }
  endSegment();
  return segments;
}

/** The bytes that the set whose text starts at `start` names, and where it ends. */
function parseSet(pattern: string, start: number): { members: Uint8Array; end: number } | undefined {
  const members = new Uint8Array(256);
  let at = start;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at += 1;
  const first = at;
  let rangeFrom = -1;
  while (at === first || pattern[at] !== ']') {
    const char = pattern[at];
    if (char === undefined) return undefined;
    if (char === '-' && rangeFrom >= 0 && pattern[at + 1] !== undefined && pattern[at + 1] !== ']') {
      const end = pattern[at + 1] === '\\' ? at + 2 : at + 1;
      if (end >= pattern.length) return undefined;
      members.fill(1, rangeFrom, Math.max(rangeFrom, pattern.charCodeAt(end) + 1));
      rangeFrom = -1;
      at = end + 1;
      continue;
    }
    if (char === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && pattern[close - 1] === ':') {
        const inClass = CLASSES[pattern.slice(at + 2, close - 1)];
        if (!inClass) return undefined;
        for (let code = 0; code < 128; code++) if (inClass.test(String.fromCharCode(code))) members[code] = 1;
        rangeFrom = -1;
        at = close + 1;
        continue;
      }
    }
    if (char === '\\') at += 1;
    if (at >= pattern.length) return undefined;
    rangeFrom = pattern.charCodeAt(at);
    members[rangeFrom] = 1;
    at += 1;
  }
  if (negated) for (let code = 0; code < 256; code++) members[code] = members[code] ? 0 : 1;
  return { members, end: at + 1 };
}

/** The named classes as git has them: ASCII only, and white space without form feed and vertical tab. */
const CLASSES: Readonly<Record<string, RegExp>> = Object.assign(Object.create(null), {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
});

function isLiteral(token: Token): token is string {
  return typeof token === 'string' && token.length === 1;
}

function compileSegment(tokens: readonly Token[]): SegmentTest {
  if (tokens.every(isLiteral)) {
    const literal = tokens.join('');
    return (text) => text === literal;
  }
  if (tokens[0] === STAR && tokens.slice(1).every(isLiteral)) {
    const end = tokens.slice(1).join('');
    return (text) => text.endsWith(end);
  }
  if (tokens.at(-1) === STAR && tokens.slice(0, -1).every(isLiteral)) {
    const start = tokens.slice(0, -1).join('');
    return (text) => text.startsWith(start);
  }
  return (text) => matchTokens(tokens, text);
}

/** Only the latest star ever needs to give way: what an earlier one matched can stay as short as it is. */
function matchTokens(tokens: readonly Token[], text: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starEnd = 0;
  while (at < text.length) {
    const current = tokens[token];
    if (current === STAR) {
      star = token;
      starEnd = at;
      token += 1;
    } else if (current !== undefined && matchesOne(current, text, at)) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      starEnd += 1;
      at = starEnd;
      token = star + 1;
    } else {
      return false;
    }
  }
  while (tokens[token] === STAR) token += 1;
  return token === tokens.length;
}

function matchesOne(token: Token, text: string, at: number): boolean {
  if (typeof token !== 'string') return token[text.charCodeAt(at)] === 1;
  return token === ANY || token === text[at];
}

/** As `matchTokens`, a part at a time. A `**` at the end stands for at least one part. */
function matchSegments(tests: readonly (SegmentTest | typeof GLOBSTAR)[], parts: readonly string[]): boolean {
  let test = 0;
  let at = 0;
  let star = -1;
  let starEnd = 0;
  while (at < parts.length) {
    const current = tests[test];
    if (current === GLOBSTAR) {
      star = test;
      starEnd = at;
      test += 1;
    } else if (current?.(parts[at] as string)) {
      test += 1;
      at += 1;
    } else if (star >= 0) {
      starEnd += 1;
      at = starEnd;
      test = star + 1;
    } else {
      return false;
    }
  }
  return test === tests.length;
}
