import type { Content } from '../content/content.ts';

/** A file that was read to its end, in which nothing was replaced. */
export function contentOf(text: string): Content {
  return {
    text,
    size: text.length,
    whole: true,
    encoding: 'UTF-8',
    secrets: [],
    language: undefined,
    sourceChars: (length) => length,
  };
}
