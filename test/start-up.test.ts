import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The files that Node reads before the command does anything: what is imported, and what that imports. */
function readAtStart(entry: string): Set<string> {
  const found = new Set([entry]);
  for (const file of found) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];/gm,
    )) {
      found.add(join(dirname(file), path as string));
    }
  }
  return found;
}

it('outlines are not loaded until they are needed', () => {
  const files = readAtStart('dist/cli/main.js');
  expect(files.size).toBeGreaterThan(1);
  expect([...files].filter((file) => /outline|tree-sitter/.test(file))).toEqual([]);
});
