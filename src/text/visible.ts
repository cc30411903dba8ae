/**
 * Text in which nothing can deceive its reader or act on a terminal; everything else stays byte for byte, and
 * text with nothing to show comes back as the same string.
 *
 * - Controls become their pictures (U+2400 and on, U+2421 for DEL): ESC is `␛`. TAB, LF and CR before LF stay.
 * - C1 controls, bidirectional controls, line and paragraph separators, invisible and deprecated format
 *   characters become their number: `<U+202E>`.
 * - Tag characters become their number too, but for those of a well-formed flag emoji (UTS #51, ED-14a), and
 *   so does a variation selector after another one: both carry hidden messages and nothing else.
 * - A lone surrogate becomes U+FFFD.
 *
 * What scripts and emoji need stays: zero-width spaces, joiners and non-joiners, soft hyphens, single
 * variation selectors.
 */
export function visible(text: string): string {
  if (!SUSPECT.test(text) && text.isWellFormed()) {
    return text;
  }
  return text.toWellFormed().replace(DECEPTIVE, show);
}

/**
 * A path or another name for a place that has one line: as `visible`, and line feeds, carriage returns and
 * tabs become pictures (`␊`, `␍`, `␉`), bytes that were not UTF-8 (U+DC80 to U+DCFF in an entry's path) become
 * `\xHH`.
 */
export function visibleName(name: string): string {
  if (!SUSPECT_NAME.test(name) && name.isWellFormed()) {
    return name;
  }
  return visible(
    name.replace(LONE_BYTE, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`),
  ).replace(LINE_CONTROL, picture);
}

/**
 * JSON that stands for the same value, in which all that `visible` would show is escaped (RFC 8259, section 7). A line
 * feed takes the place of a carriage return alone, which is white space there.
 */
export function visibleJson(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return json.replace(DECEPTIVE, (match) => {
    if (match === '\r') return '\n';
    return match.codePointAt(0) === FLAG ? match : match.split('').map(escaped).join('');
  });
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

// Deceptive characters outside the tags and selectors above the BMP, which \udb40 stands for.
const SUSPECT =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2061-\u206f\ufff9-\ufffb\udb40]|\r(?!\n)|[\ufe00-\ufe0f]{2}/;
const SUSPECT_NAME =
  /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2061-\u206f\ufff9-\ufffb\udb40]|[\ufe00-\ufe0f]{2}/;
const DECEPTIVE =
  /\u{1f3f4}(?:[\u{e0061}-\u{e007a}]{2}|[\u{e0030}-\u{e0039}]{3})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,4}\u{e007f}|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2061-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]|\r(?!\n)/gu;
const LONE_BYTE = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;
const LINE_CONTROL = /[\t\n\r]/g;

function show(match: string): string {
  const code = match.codePointAt(0) ?? 0;
  if (code === FLAG) {
    return match;
  }
  return code < 0x20 || code === 0x7f
    ? picture(match)
    : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

const FLAG = 0x1f3f4;

/** The symbol of a C0 control or of DEL in Unicode's block of control pictures. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
}
