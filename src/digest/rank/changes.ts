import type { Change, Changes } from '../types.ts';
import type { Candidate } from './candidate.ts';
import { isCode } from './code.ts';
import type { PlacedChange } from './signals/signal.ts';
import { isTest } from './signals/test.ts';

/** Bytes of a line, as a rule. */
const LINE = 40;

/** Puts what changed in order: source before tests, documents and data; of each, the files with most changed lines first. */
export function placeChanges(
  candidates: readonly Candidate[],
  changes: Changes | undefined,
): (file: Candidate) => PlacedChange | undefined {
  const found = candidates.flatMap((file) => {
    const change = changes?.files.get(file.entry.path);
    return change ? [{ file, change, kind: kindOf(file), lines: linesIn(file, change) }] : [];
  });
  found.sort((a, b) => a.kind - b.kind || b.lines - a.lines);
  const placed = new Map(found.map(({ file, change }, place) => [file, { ...change, place }]));
  return (file) => placed.get(file);
}

function kindOf(file: Candidate): number {
  if (isTest(file)) return 1;
  if (isCode(file.language)) return 0;
  return file.language?.type === 'prose' ? 2 : 3;
}

function linesIn({ entry }: Candidate, { lines }: Change): number {
  if (!lines) return entry.size / LINE;
  return lines.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
