import { readdirSync, readFileSync } from 'node:fs';
import type { Lines, Outline } from './outline.ts';

/** A text, and the language that it claims to be in. */
export interface Sample {
  readonly text: string;
  readonly language: string;
}

const FOLDER = new URL('languages/golden/', import.meta.url);

/** The golden files. */
export function goldenSamples(): Sample[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => ({
      language: name.slice(0, -'.txt'.length),
      text: readFileSync(new URL(encodeURIComponent(name), FOLDER), 'utf8'),
    }));
}

/** What is wrong with an outline whatever its file is; undefined if nothing is. */
export function faultOf({ imports, definitions }: Outline, text: string): string | undefined {
  const count = text.split('\n').length;
  const inside = ({ start, end }: Lines, of: Lines): boolean => start >= of.start && end <= of.end;
  const file = { start: 0, end: count };
  for (const lines of imports)
    if (!inside(lines, file) || lines.start >= lines.end) return 'an import lies outside';
  const open: Lines[] = [];
  for (const { name, signature, whole, body, doc, depth } of definitions) {
    if (name === '') return 'a name is empty';
    if (!inside(whole, file) || whole.start >= whole.end) return `${name} lies outside`;
    if (!inside(signature, whole) || signature.start >= signature.end) return `${name}: its signature`;
    if (body && (!inside(body, whole) || body.start < signature.end || body.start >= body.end))
      return `${name}: its body`;
    if (doc !== undefined && (doc < whole.start || doc >= whole.end)) return `${name}: its doc`;
    if (depth > open.length) return `${name}: its depth`;
    const before = open[depth];
    open.length = depth;
    const parent = open.at(-1);
    if (parent && !inside(whole, parent)) return `${name} is not in what it stands in`;
    // Two may share the line where the one ends and the other starts; what one statement defines ends together.
    if (before && whole.start < before.end - 1 && whole.end !== before.end)
      return `${name} starts before what precedes it ends`;
    open.push(whole);
  }
  return undefined;
}
