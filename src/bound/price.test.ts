import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { measureOf } from '../measure/measure.ts';
import { openSpool } from '../spool/spool.ts';
import { bound, boundResult } from './bound.ts';
import { type Facts, META_KEY } from './facts.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-price-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = Array.from({ length: 1200 }, (_, n) => `${n}: é ${(n * 7919) % 1000}`).join('\n');
const LIMIT = '2000tok';
const READERS = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };

/** What is cut, without the names that are new each time. */
function unnamed(text: string, { handle = '', folder = '' }: Facts): string {
  return text.replaceAll(handle, 'HANDLE').replaceAll(basename(dirname(folder)), 'SESSION');
}

test.each([
  ['calls', READERS],
  ['paths', undefined],
])('a cut within tokens is the same each time but for the names in its %s', async (_, readers) => {
  const tokens = await measureOf('tokens');
  const texts = new Set<string>();
  const results = new Set<string>();
  for (let time = 0; time < 8; time++) {
    const options = { limit: LIMIT, spool: openSpool({ folder }), readers };
    const { text, facts } = await bound(TEXT, options);
    texts.add(unnamed(text, facts as Facts));
    const cut: object & { _meta?: unknown } = await boundResult(
      { content: [{ type: 'text', text: TEXT }] },
      options,
    );
    results.add(unnamed(JSON.stringify(cut), (cut._meta as Record<string, Facts>)[META_KEY] as Facts));
    expect(tokens(text)).toBeLessThanOrEqual(2000);
    expect(tokens(JSON.stringify(cut))).toBeLessThanOrEqual(2000);
  }
  expect([texts.size, results.size]).toEqual([1, 1]);
});
