import { parserOf } from './grammars.ts';
import { languages } from './languages/languages.ts';
import type { Outline, OutlineFailure } from './outline.ts';
import { type Syntax, Walk } from './walk.ts';

/** Characters of the longest text that is parsed. */
export const LONGEST = 1_000_000;
const TIME_LIMIT = 1_000;
/** A file that defines more is data. */
const MOST_DEFINITIONS = 10_000;

/**
 * Outlines a text in this thread. It may throw, and after that the parser of its language may not be used again.
 *
 * @param language the name as Linguist has it
 */
export async function parse(text: string, language: string): Promise<Outline | OutlineFailure> {
  const how = languages.get(language);
  if (!how) return { failure: 'parser' };
  if (text.length > LONGEST) return { failure: 'size' };
  const outline = typeof how === 'function' ? how(text) : await walk(text, how);
  if (outline && outline.definitions.length > MOST_DEFINITIONS) return { failure: 'size' };
  return outline ?? { failure: 'time' };
}

/** Parses a text and goes through its tree; undefined if the parser takes too long. */
async function walk(text: string, syntax: Syntax): Promise<Outline | undefined> {
  const parser = await parserOf(syntax.grammar);
  const deadline = performance.now() + TIME_LIMIT;
  const tree = parser.parse(syntax.prepare?.(text) ?? text, null, {
    progressCallback: () => performance.now() > deadline,
  });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    const walk = new Walk(syntax, text);
    walk.within(tree.rootNode);
    return walk.outline();
  } finally {
    tree.delete();
  }
}
