const MARKERS =
  /^\s*(?:(?:\/\*+!?|\*+\/?|\/\/+[!/]?|#+!?|--+|;+|"""|'''|[rRuUbB]{0,2}("""|'''|"|')|<!--|@(?:module|type)?doc\b)\s*)*/;
/** Words for tools, not for readers. */
const DIRECTIVE =
  /^(?:eslint|@ts-|ts-|prettier-|biome-|tslint|jshint|global\b|noqa|type:|pylint|mypy:|pyright:|fmt:|ruff:|nolint|go:|istanbul|c8\b|v8\b|rubocop:|frozen_string_literal|shellcheck|swiftlint|ktlint|NOLINT|clang-format|phpcs|phpstan-|region\b|endregion\b|-\*-|vim:)/i;
const TAG = /<[^<>]*>/g;
const WORDS = /\p{L}{2,}/u;

/** Of a comment's lines, the first that says something in words; undefined if none does. */
export function lineOfWords(lines: readonly string[], start: number, end: number): number | undefined {
  for (let row = start; row < end; row++) {
    const words = (lines[row] ?? '').replace(MARKERS, '').replace(TAG, '');
    if (words.startsWith('@')) continue;
    if (WORDS.test(words) && !DIRECTIVE.test(words)) return row;
  }
  return undefined;
}
