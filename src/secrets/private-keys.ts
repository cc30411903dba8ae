import type { Span } from './span.ts';

/**
 * The bodies of private keys in PEM and PGP armour (RFC 7468, RFC 9580), as they stand in files, in JSON, YAML
 * and string literals, whole or without their end. The BEGIN and END lines are no part of a span. A body that
 * is elided or a filler is no key.
 */
export function privateKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const begin of text.matchAll(BEGIN)) {
    const start = begin.index + begin[0].length;
    const window = text.slice(start, start + LONGEST);
    const mark = window.search(MARK);
    const before = mark < 0 ? window : window.slice(0, mark);
    const closed = window.startsWith('-----END', mark);
    const body = closed ? before : before.slice(0, endOfKeyLines(before));
    const cut = start + body.length === text.length && !body.endsWith('\n');
    if (isKey(body, cut ? LEAST_CUT : LEAST)) {
      spans.push({ start: start + leadOf(body), end: start + endOf(body), rule: 'private-key' });
    }
  }
  return spans;
}

const BEGIN = /-----BEGIN ?(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const MARK = /-----(?:BEGIN|END)/;

/** No key is longer, in UTF-16 code units. */
const LONGEST = 32_768;

/** The base64 of the shortest key (Ed25519 in PKCS #8) has 64 characters. */
const LEAST = 48;
/** What is left of a key at the end of a text may be shorter. */
const LEAST_CUT = 16;

const LEAD = /^(?:\\+[nr]|[\s"'`+,;.#*>|/\\])+/;

/** What stands around the base64 of a body or a line: newlines, quotes and operators, comment marks. */
const leadOf = (text: string) => LEAD.exec(text)?.[0].length ?? 0;

/** Where the base64 ends, which may itself end in `+` and `/`. */
function endOf(text: string): number {
  let end = text.length;
  for (;;) {
    const tail = TAIL.exec(text.slice(Math.max(0, end - 8), end))?.[0].length ?? 0;
    if (tail === 0) {
      return end;
    }
    end -= tail;
  }
}

const TAIL = /(?:\\+[nr]|[\s"'`,;#*>|\\]|["'`]\s*[+.]|\s\/\/)$/;

const LINE_END = /(?<=\n|\\[nr])/;
const HEADER = /^[A-Z][A-Za-z-]*: /;

/** Where a body without an END line stops: behind the last line of base64, be the newlines escaped or not. */
function endOfKeyLines(text: string): number {
  let end = 0;
  let at = 0;
  for (const line of text.split(LINE_END)) {
    at += line.length;
    const content = line.slice(0, endOf(line)).slice(leadOf(line));
    if (/^[A-Za-z0-9+/=]{16,}$/.test(content)) {
      end = at;
    } else if (end > 0 && /^[A-Za-z0-9+/=]+$/.test(content)) {
      return at;
    } else if (content !== '' && !HEADER.test(content)) {
      return end;
    }
  }
  return end;
}

const RUN = /[A-Za-z0-9+/]{16,}/g;
const HEADER_LINES = /^[A-Z][A-Za-z-]*: .*$/gm;
const SURROUNDINGS = /\\+[nrt]|[\s"'`,;#*>|\\=]/g;
const ELLIPSIS = /\.{3}|…|<[^>]{0,40}>|\[[^\]]{0,40}\]|\*{3}/;
const ELIDED = 200;

/** Lines are longer, in every tool's format; words of code are shorter. */
const LINE_LENGTH = 32;

/** Whether a body is base64 for the most part, at least `least` characters, not a filler and not elided. */
function isKey(body: string, least: number): boolean {
  const runs = body.match(RUN) ?? [];
  const base64 = runs.join('');
  const all = body.replace(HEADER_LINES, '').replace(SURROUNDINGS, '');
  return (
    base64.length >= least &&
    base64.length >= runs.length * Math.min(LINE_LENGTH, least) &&
    base64.length >= all.length * 0.7 &&
    new Set(base64).size >= 10 &&
    !(base64.length < ELIDED && ELLIPSIS.test(body))
  );
}
