import { describe, expect, test } from 'vitest';
import { select } from '../sieve/select.ts';
import { tempFolder, write } from '../source/fixture.ts';
import { browse } from './open.ts';
import { type Found, searchFiles } from './search.ts';

const FILES = 1500;

/** Searches a folder with one line that matches in each file, where bringing files and looking at the clock take time. */
async function search(
  takes: { readonly bringing: number; readonly look: number },
  from?: string,
): Promise<Found> {
  const files = Array.from({ length: FILES }, (_, i) => [`${String(i).padStart(4, '0')}.txt`, 'needle\n']);
  const address = { kind: 'path', path: tempFolder() } as const;
  write(address.path, Object.fromEntries(files));
  return browse({ address, selection: select([], []) }, (opened) => {
    let now = 0;
    const clock = () => {
      now += takes.look;
      return now;
    };
    const prefetch = async () => {
      now += takes.bringing;
    };
    Object.assign(opened.source, { prefetch });
    const asked = { pattern: 'needle', redact: false, from };
    return searchFiles(opened, asked, 1_000_000, { time: 10_000, clock });
  });
}

describe('a search that takes long', () => {
  test('ends where it is, and goes on there', async () => {
    const first = await search({ bringing: 0, look: 10 });
    expect(first.isOutOfTime).toBe(true);
    expect(first.searched).toBeLessThan(FILES);
    const next = first.next as string;
    expect(next).toBe(`${String(first.searched).padStart(4, '0')}.txt:1`);
    const rest = await search({ bringing: 0, look: 0 }, next);
    expect(rest).toMatchObject({ searched: FILES - first.searched, isOutOfTime: false });
    expect(rest.next).toBeUndefined();
  });

  test('brings no more files than it must where that is slow', async () => {
    const first = await search({ bringing: 11_000, look: 0 });
    expect(first).toMatchObject({ searched: 1000, isOutOfTime: true, next: '1000.txt:1' });
    expect(await search({ bringing: 11_000, look: 0 }, first.next)).toMatchObject({
      searched: 500,
      isOutOfTime: false,
    });
  });

  test('brings all where that is fast', async () => {
    expect(await search({ bringing: 10, look: 0 })).toMatchObject({ searched: FILES, isOutOfTime: false });
  });
});
