import { visibleName } from '../../../text/visible.ts';
import { plural } from '../../../text/words.ts';
import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/**
 * What imports a changed file may have to change with it, and what one imports explains it. A link says less where the
 * changed file has many of its kind.
 */
export const touched: Signal = ({ entry }, { graph }) => {
  if (!graph) return undefined;
  const { imports, importedBy } = graph.linksOf(entry.path);
  const reasons = [named('imports', imports), named('imported by', importedBy)].filter(Boolean);
  if (reasons.length === 0) return undefined;
  let links = 0;
  for (const path of imports) links += 1 / Math.sqrt(Math.max(1, graph.importersOf(path)));
  for (const path of importedBy) links += 1 / Math.sqrt(Math.max(1, graph.importsOf(path)));
  const worth = WEIGHTS.touchedWorth * Math.log2(1 + links);
  return { points: WEIGHTS.touched + worth, worth, why: `${reasons.join(' and ')}, changed` };
};

function named(how: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  const more = others.length > 0 ? ` and ${plural(others.length, 'other')}` : '';
  return `${how} ${visibleName(first)}${more}`;
}
