import type { LongText } from '../../json/held.ts';
import { textOf } from '../../json/long-text.ts';
import type { Cost, Gap, Words } from '../types.ts';

/** Words whose length changes with the figures in them. */
export const WORDS: Words = {
  notice: (gaps) => `[cut below: ${gaps.map(({ from, to }) => `${from} to ${to}`).join(', ')}]`,
  marker: ({ from, to, chars, bytes, lines }) =>
    `[... ${chars} characters, ${bytes} bytes, lines ${lines?.from} to ${lines?.to}, left out; read "on" from ${from} to ${to} ...]`,
  further: ({ chars }) => `[... ${chars} ...]`,
  brief: ({ chars }) => `[... ${chars} ...]`,
};

export const LENGTH: Cost = (text) => text.length;

/** What a text takes within a JSON string. */
export const ESCAPED: Cost = (text) => JSON.stringify(text).length - 2;

/** A text of which only so many characters are held at either end, and notable lines. */
export function longText(text: string, window: number): LongText {
  return textOf(text, { textChars: window, listBytes: window });
}

/** What is kept of a text that lacks such gaps, in order. */
export function keptOf(text: string, gaps: readonly Gap[]): string[] {
  const edges = [0, ...gaps.flatMap(({ from, to }) => [from, to]), text.length];
  return edges.flatMap((edge, index) => (index % 2 === 0 ? [text.slice(edge, edges[index + 1])] : []));
}
