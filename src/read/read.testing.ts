import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { FactsGatherer } from '../spool/facts.ts';
import type { Kept, Part } from '../spool/types.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-read-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** A kept result of these parts, in the order given; texts in UTF-8. */
export function keptOf(
  parts: Readonly<Record<string, string | Uint8Array>>,
  facts: Partial<Part> = {},
): Kept {
  return {
    handle: 'testhandle2345abcdef',
    folder,
    parts: Object.entries(parts).map(([name, content]) =>
      partOf(name, Buffer.from(content as string), facts),
    ),
  };
}

function partOf(name: string, bytes: Buffer, facts: Partial<Part>): Part {
  const path = join(folder, `${files++}.txt`);
  writeFileSync(path, bytes);
  const gatherer = new FactsGatherer();
  gatherer.write(bytes);
  const { longestLine: _, ...counts } = gatherer.finish();
  return { name, at: '/content/0/text', kind: 'text', path, ...counts, ...facts };
}
