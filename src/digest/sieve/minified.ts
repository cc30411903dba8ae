import type { Language } from '../language/language.ts';

/** A text whose long lines are the least part of it was written by hand. */
const LONG_SHARE = 0.8;
/** Hand-written code beside a long line is worth showing from so many characters on. */
const WORTH_SHOWING = 1_000;
/** Of which so much is white space at the least, however little it is indented. */
const LEAST_WHITE = 0.12;
const SAMPLE = 65_536;

/** From how many characters a line counts as one that a tool wrote, and how many of them a text needs. */
const SCRIPT = { line: 200, least: 2_000 };
const CODE = { line: 1_000, least: 10_000 };
const DATA = { line: 5_000, least: 5_000 };

/** Data that people write in many lines and tools in one. Lines of CSV or JSON Lines are as long as their records. */
const ONE_LINE_DATA = new Set(['GeoJSON', 'JSON', 'JSON with Comments', 'SVG', 'XML']);

/**
 * Whether a text's lines are such as only tools write: code without line breaks and nearly without spaces, data in
 * one enormous line. Prose is not, whose paragraphs may be one line each, nor are tables and notebooks.
 */
export function isMinified(path: string, text: string, language: Language | undefined): boolean {
  const type = language?.type;
  if (
    type === 'prose' ||
    language?.name === 'Jupyter Notebook' ||
    path.endsWith('.jsonl') ||
    path.endsWith('.ndjson')
  )
    return false;
  if (type === 'data') {
    return ONE_LINE_DATA.has(language?.name as string) && isLongLined(text, DATA, 0);
  }
  const script =
    language?.name === 'JavaScript' || language?.name === 'CSS' || language?.name === 'TypeScript';
  return isLongLined(text, script ? SCRIPT : CODE, script ? 0.05 : 0) && whiteShare(text) < LEAST_WHITE;
}

/** Whether nearly all of a text is in long lines. `tolerated` is the share that may be in short ones, however long the text. */
function isLongLined(text: string, { line, least }: typeof CODE, tolerated: number): boolean {
  if (text.length < least) return false;
  const most = Math.min(text.length * (1 - LONG_SHARE), Math.max(WORTH_SHOWING, text.length * tolerated));
  let short = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end + 1;
    if (stop - start < line) {
      short += stop - start;
      if (short > most) return false;
    }
    start = stop;
  }
  return true;
}

function whiteShare(text: string): number {
  const sample = text.slice(0, SAMPLE);
  return (sample.match(/\s/g)?.length ?? 0) / sample.length;
}
