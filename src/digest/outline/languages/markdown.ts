import { lineOfWords } from '../doc.ts';
import type { Outline } from '../outline.ts';
import { Builder, endOf, withoutBlanks } from '../text/builder.ts';

const ATX = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const LONGEST_NAME = 300;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*\r?$/;
const FENCE = /^(?: {0,3}|[ \t]*(?:[-*+]|\d+[.)])[ \t]+)(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d+[.)])[ \t]/;
const PARAGRAPH = /^ {0,3}(?![-*+>#|]|\d+[.)]\s|<)\S/;
const FRONT_MATTER = /^(?:---|\+\+\+)[ \t]*\r?$/;

interface Heading {
  readonly name: string;
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

/** Headings with their sections. */
export function markdown(text: string): Outline {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const builder = new Builder(lines);
  const open: number[] = [];
  const sections = headings.map((heading) => {
    while ((open.at(-1) ?? 0) >= heading.level) open.pop();
    return { ...heading, depth: open.push(heading.level) - 1 };
  });
  sections.forEach(({ name, start, end: bodyStart, depth }, index) => {
    const next = withoutBlanks(lines, bodyStart, sections[index + 1]?.start ?? lines.length);
    builder.define({
      name,
      signature: { start, end: bodyStart },
      end: withoutBlanks(lines, bodyStart - 1, endOf(sections, index, lines.length)),
      body: { start: bodyStart, end: (lines[next - 1] ?? '').trim() === '' ? bodyStart : next },
      depth,
      doc: firstWords(lines, bodyStart, next),
    });
  });
  return builder.outline();
}

/** The first line of a section if it's of a paragraph. */
function firstWords(lines: readonly string[], start: number, end: number): number | undefined {
  let row = start;
  while (row < end && (lines[row] ?? '').trim() === '') row++;
  return row < end && PARAGRAPH.test(lines[row] ?? '') ? lineOfWords(lines, row, row + 1) : undefined;
}

function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let inList = false;
  for (let row = afterFrontMatter(lines); row < lines.length; row++) {
    const line = lines[row] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence) {
      row = closingFence(lines, row, fence);
      continue;
    }
    if (/^ {0,3}<!--/.test(line)) {
      row = closingComment(lines, row);
      continue;
    }
    if (LIST_ITEM.test(line)) inList = true;
    else if (/^\S/.test(line)) inList = false;
    const atx = inList ? undefined : ATX.exec(line);
    if (atx) {
      const name = plainText((atx[2] ?? '').trimEnd().replace(/(?<=^|[ \t])#+$/, ''));
      if (name) headings.push({ name, level: atx[1]?.length ?? 1, start: row, end: row + 1 });
      continue;
    }
    const below = SETEXT.exec(lines[row + 1] ?? '')?.[1];
    if (below && PARAGRAPH.test(line)) {
      let start = row;
      while (start > (headings.at(-1)?.end ?? 0) && PARAGRAPH.test(lines[start - 1] ?? '')) start--;
      const name = plainText(lines.slice(start, row + 1).join(' '));
      headings.push({ name, level: below.startsWith('=') ? 1 : 2, start, end: row + 2 });
      row++;
    }
  }
  return headings;
}

function afterFrontMatter(lines: readonly string[]): number {
  const first = lines[0] ?? '';
  if (!FRONT_MATTER.test(first)) return 0;
  const end = lines.findIndex((line, row) => row > 0 && line.trim() === first.trim());
  return end > 0 ? end + 1 : 0;
}

function closingFence(lines: readonly string[], from: number, fence: string): number {
  const closing = new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`);
  for (let row = from + 1; row < lines.length; row++) if (closing.test(lines[row] ?? '')) return row;
  return lines.length;
}

function closingComment(lines: readonly string[], from: number): number {
  for (let row = from; row < lines.length; row++) if ((lines[row] ?? '').includes('-->')) return row;
  return lines.length;
}

/** A heading's text without its marks. */
function plainText(text: string): string {
  return text
    .slice(0, LONGEST_NAME)
    .replace(/!?\[([^\][]*)\](?:\([^()]*\)|\[[^\][]*\])?/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/[`*]|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
