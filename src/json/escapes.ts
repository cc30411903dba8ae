/** JSON's escapes (RFC 8259, section 7). */
const ESCAPE = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g;

/** What the letters behind a backslash stand for, if not for themselves. */
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** In JSON: two escapes that make one character, or a control sequence whose start is escaped; an escape. */
const UNFINISHED = [
  /\\u(?:001b(?:\[[\d;]*)?|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?)$/i,
  /\\(?:u[\da-f]{0,3})?$/i,
];

/** How far back an unfinished escape or control sequence is looked for, in characters. */
const REACH = 256;

/**
 * The inside of JSON with what its escapes stand for, each a UTF-16 code unit. `found` is told of each escape where it
 * ends, in the JSON and in what is given. Half a surrogate pair is U+FFFD.
 */
export function unescaped(json: string, found: (jsonEnd: number, end: number) => void): string {
  let surplus = 0;
  const text = json.replace(ESCAPE, (whole, hex: string | undefined, letter: string, at: number) => {
    const end = at + whole.length;
    surplus += whole.length - 1;
    found(end, end - surplus);
    return hex === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16));
  });
  return text.toWellFormed();
}

/** How much of the inside of JSON there is without the escape that isn't finished at its end. */
export function lengthOutsideEscapes(json: string): number {
  for (const pattern of UNFINISHED) {
    const length = json.length - (pattern.exec(json.slice(-REACH))?.[0].length ?? 0);
    if (length < json.length && backslashesBefore(json, length) % 2 === 0) return length || json.length;
  }
  return json.length;
}

function backslashesBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return at - start;
}
