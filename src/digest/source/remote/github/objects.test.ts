import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { newCache } from '../../../../cache/cache.testing.ts';
import { PlimsollError } from '../../../../errors.ts';
import type { TreeItem } from '../../objects.ts';
import { BlobStore } from './blob-store.ts';
import { singly } from './fetchers.ts';
import { GitHubObjects, type GitHubObjectsOptions } from './objects.ts';

type Open = Parameters<typeof singly>[1];

const FILES = Array.from({ length: 40 }, (_, at) => {
  const text = `file ${at}\n`;
  const id = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
  return { path: `${at}.txt`, mode: '100644', id, size: text.length, text };
});
const IDS = FILES.map(({ id }) => id);

const bytesOf: Open = async ({ path }: TreeItem) => {
  const file = FILES.find((each) => each.path === path);
  return (async function* () {
    yield Buffer.from(file?.text ?? '');
  })();
};

async function objectsBy(opens: readonly Open[], more: Partial<GitHubObjectsOptions> = {}) {
  const { cache } = newCache();
  onTestFinished(() => cache.close());
  const store = new BlobStore(cache, await cache.open('github', 'https://github.com/o/r'));
  const fetchers = opens.map((open) => singly(store, open));
  return new GitHubObjects({ tree: { items: FILES }, store, fetchers, uncounted: fetchers.length, ...more });
}

test('files are fetched side by side, but never more than ten, and each once', async () => {
  let now = 0;
  let most = 0;
  let all = 0;
  const objects = await objectsBy([
    async (item) => {
      all++;
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return bytesOf(item);
    },
  ]);
  await Promise.all([objects.prefetch(IDS), objects.read(IDS[0] as string, 100)]);
  await objects.prefetch(IDS);
  expect({ most, all }).toEqual({ most: 10, all: 40 });
  expect((await objects.read(IDS[7] as string, 100)).toString()).toBe('file 7\n');
});

test('progress counts every file once', async () => {
  const steps: { done: number; total: number; bytes: number }[] = [];
  const objects = await objectsBy([bytesOf], { onFetched: (step) => steps.push(step) });
  await objects.prefetch(IDS.slice(0, 10));
  await objects.prefetch(IDS.slice(0, 11));
  expect(steps.at(-1)).toEqual({ done: 11, total: 11, bytes: 10 * 7 + 8 });
});

test('what does not come one way is asked of the next, and told of if it comes by none', async () => {
  const asked: string[][] = [[], []];
  const opens = [0, 1].map(
    (way): Open =>
      async (item) => {
        asked[way]?.push(item.path);
        if (item.path === '3.txt') return (async function* () {})();
        if (way === 0 && item.path < '2') throw new PlimsollError('HOST_FAILED', 'not here');
        return bytesOf(item);
      },
  );
  const objects = await objectsBy(opens);
  await objects.prefetch(IDS);
  expect(asked[0]).toHaveLength(40);
  expect(asked[1]?.sort()).toEqual(
    FILES.map(({ path }) => path)
      .filter((path) => path < '2' || path === '3.txt')
      .sort(),
  );
  expect((await objects.read(IDS[12] as string, 100)).toString()).toBe('file 12\n');
  await expect(objects.read(IDS[3] as string, 1)).rejects.toThrow('is not what was asked for');
});

test('where the limit is met and there is no other way, the host is not asked again', async () => {
  let asked = 0;
  const limited: Open = async () => {
    asked++;
    throw new PlimsollError('RATE_LIMITED', 'the limit');
  };
  const objects = await objectsBy([limited]);
  await objects.prefetch(IDS);
  expect(asked).toBeLessThanOrEqual(10);
  await expect(objects.read(IDS[39] as string, 1)).rejects.toMatchObject({
    code: 'NOT_FETCHED',
    message: 'could not be fetched (the limit)',
  });
  await objects.close();
});
