import { plural } from '../../../text/words.ts';
import { WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** What imports many of the project's files is where they come together. */
export const importing: Signal = ({ entry }, { graph, hasHistory }) => {
  const imports = graph?.importsOf(entry.path) ?? 0;
  if (imports === 0) return undefined;
  const points = hasHistory ? WEIGHTS.importing : WEIGHTS.importingAlone;
  return {
    points: points * Math.log2(1 + imports / 2),
    why: `imports ${plural(Math.ceil(imports), 'file')}`,
  };
};
