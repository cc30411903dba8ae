import { visibleName } from '../../../text/visible.ts';
import { plural } from '../../../text/words.ts';
import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/**
 * What imports a file that changed or is in hand may have to change with it, and what one imports explains it. A link says less
 * where that file has many of its kind. Beside a question, links alone put nothing first.
 */
export const touched: Signal = ({ entry }, { graph, focus, hasChanges }) => {
  if (!graph) return undefined;
  const { imports, importedBy } = graph.linksOf(entry.path);
  const reasons = [named('imports', imports), named('imported by', importedBy)].filter(Boolean);
  if (reasons.length === 0) return undefined;
  let links = 0;
  for (const path of imports) links += 1 / Math.sqrt(Math.max(1, graph.importersOf(path)));
  for (const path of importedBy) links += 1 / Math.sqrt(Math.max(1, graph.importsOf(path)));
  const worth = WEIGHTS.touchedWorth * Math.log2(1 + links);
  const points = focus ? worth : WEIGHTS.touched + worth;
  return { points, worth, why: `${reasons.join(' and ')}, ${hasChanges ? 'changed' : 'in hand'}` };
};

function named(how: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  const more = others.length > 0 ? ` and ${plural(others.length, 'other')}` : '';
  return `${how} ${visibleName(first)}${more}`;
}
