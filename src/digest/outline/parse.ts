import { parserOf } from './grammars.ts';
import { languages } from './languages/languages.ts';
import type { Outline, OutlineFailure } from './outline.ts';
import { Walk } from './walk.ts';

/** Characters of the longest text that is parsed. */
export const LONGEST = 1_000_000;
const TIME_LIMIT = 1_000;

/**
 * Outlines a text in this thread. It may throw, and after that the parser of its language may not be used again.
 *
 * @param language the name as Linguist has it
 */
export async function parse(text: string, language: string): Promise<Outline | OutlineFailure> {
  const syntax = languages.get(language);
  if (!syntax) return { failure: 'parser' };
  if (text.length > LONGEST) return { failure: 'size' };
  if (typeof syntax === 'function') return syntax(text);
  const parser = await parserOf(syntax.grammar);
  const deadline = performance.now() + TIME_LIMIT;
  const tree = parser.parse(syntax.prepare?.(text) ?? text, null, {
    progressCallback: () => performance.now() > deadline,
  });
  if (!tree) {
    parser.reset();
    return { failure: 'time' };
  }
  try {
    const walk = new Walk(syntax, text);
    walk.within(tree.rootNode);
    return walk.outline();
  } finally {
    tree.delete();
  }
}
