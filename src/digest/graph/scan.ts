/** What ends a stretch in which nothing is imported. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['/*', '*/'],
  ['<!--', '-->'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['=begin', '\n=end'],
  ['=', '\n=cut'],
  ['#', '\n'],
  ['//', '\n'],
]);

/**
 * What a pattern finds. Its first group is what opens a comment or a long text, which is passed over; one that is
 * never closed opens nothing.
 */
export function* finds(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const unclosed = new Set<string>();
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const opening = found[1];
    let next = pattern.lastIndex;
    if (opening === undefined) yield found;
    else {
      const closing = CLOSING.get(opening) ?? opening;
      const end = unclosed.has(closing) ? -1 : text.indexOf(closing, next);
      if (end < 0) unclosed.add(closing);
      else next = end + closing.length;
    }
    pattern.lastIndex = next;
  }
}

/** The names of a list such as `a, b as c`, without what they are called here. */
export function namesIn(list: string): string[] {
  return list.split(',').flatMap((item) => /[\w.*\\:$]+/.exec(item)?.[0] ?? []);
}

/** `a.{b, c}` as `a.b` and `a.c`: a prefix that ends with its separator, and what stands in the braces. */
export function spread(prefix: string, list: string | undefined): string[] {
  return list === undefined ? [prefix] : namesIn(list).map((name) => prefix + name);
}
