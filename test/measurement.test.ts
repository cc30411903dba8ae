import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fiveFileRepository } from '../bench/generate/five.mjs';
import { LIST_README_BYTES, listRepository } from '../bench/generate/list.mjs';
import { writeRepository } from '../bench/generate/write.mjs';
import { digest } from '../src/digest/digest.ts';

const LIMIT = 40_000;
const TRANSLATION = /^README-\w+\.md$/;

const folder = mkdtempSync(join(tmpdir(), 'measurement-'));
afterAll(() => rmSync(folder, { recursive: true }));

function repository(name: string, files: readonly (readonly [string, string])[]): string {
  const path = join(folder, name);
  writeRepository(path, files);
  return path;
}

const digestOf = (path: string) => digest(path, { budget: { unit: 'chars', limit: LIMIT } });

describe('a repository shaped like a well-known list', async () => {
  const files = listRepository();
  const result = await digestOf(repository('list', files));
  const paths = result.files.map((file) => file.path);

  test('has the sizes that were published', () => {
    const sizes = files.map(([, content]) => Buffer.byteLength(content));
    expect(sizes).toHaveLength(10);
    expect(sizes[0]).toBe(LIST_README_BYTES);
    expect(sizes.filter((size) => size > 245_000 && size < 260_000)).toHaveLength(7);
  });

  test('fills the budget and keeps it', () => {
    expect(result.text.length).toBeLessThanOrEqual(LIMIT);
    expect(result.text.length).toBeGreaterThanOrEqual(0.95 * LIMIT);
  });

  test('leads with its README, and translations come after everything else', () => {
    expect(paths[0]).toBe('README.md');
    expect(paths.filter((path) => TRANSLATION.test(path))).toEqual([]);
  });

  test('shows translations last where there is room for them', async () => {
    const all = await digest(join(folder, 'list'), { budget: { unit: 'chars', limit: 4_000_000 } });
    const order = all.files.map(({ path }) => path);
    expect(order).toHaveLength(10);
    expect(order[0]).toBe('README.md');
    expect(order.slice(0, 3).toSorted()).toEqual(['CONTRIBUTING.md', 'LICENSE', 'README.md']);
  });
});

describe('a repository of five files', async () => {
  const files = fiveFileRepository();
  const result = await digestOf(repository('five', files));

  test('is shown whole', () => {
    const whole = result.files.filter((file) => file.mode === 'full').map((file) => file.path);
    expect(whole.toSorted()).toEqual(files.map(([path]) => path).toSorted());
    for (const [, content] of files) expect(result.text).toContain(content.trimEnd());
  });

  test('stays far below the budget', () => {
    expect(result.text.length).toBeLessThan(5000);
  });
});
