import { languageOf, languageOfScript } from '../language/language.ts';
import type { Attributes, Entry, OmitReason } from '../types.ts';
import type { Clues } from './clues.ts';
import { isGenerated } from './marks.ts';
import { isMinified } from './minified.ts';
import { reasonOfName } from './names.ts';

/** Reasons that `linguist-generated=false` contradicts. */
const WRITTEN_BY_TOOLS: ReadonlySet<OmitReason> = new Set([
  'lock',
  'generated',
  'minified',
  'source-map',
  'build-output',
]);

/**
 * Why a file is never worth showing, as far as its kind, its attributes and its name tell; `undefined` where its
 * content decides. Attributes are stronger than names: `linguist-generated=false` and `linguist-vendored=false`
 * keep a file that its name would leave out.
 */
export function sieveByPath(entry: Entry, attributes: Attributes, clues: Clues): OmitReason | undefined {
  if (entry.kind !== 'file') return entry.kind;
  if (entry.size === 0) return 'empty';
  const { path } = entry;
  const reason = clues.reasonOfPlace(path) ?? reasonOfName(path, path.slice(path.lastIndexOf('/') + 1));
  if (reason && !isContradicted(reason, attributes)) return reason;
  if (attributes.generated) return 'generated';
  return attributes.vendored ? 'vendored' : undefined;
}

function isContradicted(reason: OmitReason, attributes: Attributes): boolean {
  return reason === 'vendored'
    ? attributes.vendored === false
    : attributes.generated === false && WRITTEN_BY_TOOLS.has(reason);
}

/**
 * Why a text isn't worth showing: it says itself that a tool wrote it, or its lines are such as nobody writes.
 * `linguist-generated=false` keeps it.
 *
 * @param text the decoded file, or the head of a long one
 */
export function sieveByContent(path: string, text: string, attributes: Attributes): OmitReason | undefined {
  if (attributes.generated === false) return undefined;
  if (path.endsWith('.map') && text.startsWith('{"version":3')) return 'source-map';
  const language = languageOf(path, attributes) ?? languageOfScript(text);
  if (isGenerated(path, text, language)) return 'generated';
  return isMinified(path, text, language) ? 'minified' : undefined;
}
