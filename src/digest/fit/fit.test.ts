import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rejection } from '../content/content.ts';
import type { Outline } from '../outline/outline.ts';
import { type Candidate, candidateMaker } from '../rank/candidate.ts';
import { LEAST_HEAD } from '../rank/weights.ts';
import { type FileView, fitFiles, type Loaded, type Offer } from './fit.ts';
import { contentOf } from './fixture.ts';

const FRAME = 50;

function file(path: string, size: number): Candidate {
  const traits = { language: undefined, vendored: false, binaryName: false, named: false };
  return candidateMaker()({ path, kind: 'file', size }, traits);
}

function offer(path: string, size: number, value = 1, voice = false): Offer {
  return { file: file(path, size), value, ...(voice && { speaksFor: [path] }) };
}

function lines(chars: number): string {
  return `${'x'.repeat(49)}\n`.repeat(Math.ceil(chars / 50)).slice(-chars);
}

/** Every tenth line begins a definition. */
function outlineOf(text: string): Outline {
  const count = Math.ceil(text.length / 50);
  const definitions = Array.from({ length: Math.floor(count / 10) }, (_, i) => ({
    name: `f${i}`,
    kind: 'function' as const,
    exported: true,
    depth: 0,
    signature: { start: i * 10, end: i * 10 + 1 },
    body: { start: i * 10 + 1, end: i * 10 + 10 },
    whole: { start: i * 10, end: i * 10 + 10 },
  }));
  return { imports: [], definitions } as unknown as Outline;
}

const write = (view: FileView): string => 'f'.repeat(FRAME) + view.text;
type Load = (file: Candidate, outlined: boolean) => Promise<Loaded | Rejection>;
const load: Load = async ({ entry }) => ({ content: contentOf(lines(entry.size)) });
const loadOutlined: Load = async ({ entry }, outlined) => {
  const text = lines(entry.size);
  return { content: contentOf(text), ...(outlined && { outline: outlineOf(text) }) };
};
const prefetch = async (): Promise<void> => {};
const plain = { prefetch, load, hasOutline: () => false };
const outlining = { prefetch, load: loadOutlined, hasOutline: () => true };

async function shownOf(offers: Offer[], room: number, reader = plain) {
  const { shown } = await fitFiles(offers, { room, reader, write });
  return shown.map(({ file, mode, text }) => [file.entry.path, mode, text.length] as const);
}

const sum = (shown: readonly { section: string }[]): number =>
  shown.reduce((total, { section }) => total + section.length, 0);

describe('fit', () => {
  it('shows files whole in order while they fit', async () => {
    expect(await shownOf([offer('a', 1000), offer('b', 2000)], 10_000)).toEqual([
      ['a', 'full', 1000],
      ['b', 'full', 2000],
    ]);
  });

  it('shows outlines of many files before all of one', async () => {
    const offers = Array.from({ length: 40 }, (_, i) => offer(`f${i}`, 20_000));
    const shown = await shownOf(offers, 40_000, outlining);
    expect(shown.length).toBeGreaterThan(12);
    expect(new Set(shown.map(([, mode]) => mode))).toEqual(new Set(['outline']));
  });

  it('shows all of a file that is worth many times what others are', async () => {
    const offers = [
      offer('a', 20_000, 1000),
      ...Array.from({ length: 40 }, (_, i) => offer(`f${i}`, 20_000)),
    ];
    const shown = await shownOf(offers, 40_000, outlining);
    expect(shown[0]).toEqual(['a', 'full', 20_000]);
    expect(shown.length).toBeGreaterThan(4);
  });

  it('lets every package speak where there is room for it, however little it is worth', async () => {
    const offers = [
      ...Array.from({ length: 40 }, (_, i) => offer(`f${i}`, 5_000, 1000)),
      ...Array.from({ length: 10 }, (_, i) => offer(`voice${i}`, 5_000, 0.001, true)),
    ];
    const voices = async (room: number): Promise<number> =>
      (await shownOf(offers, room, outlining)).filter(([path]) => path.startsWith('voice')).length;
    expect(await voices(10 * 400)).toBe(10);
    expect(await voices(10 * 250)).toBe(10);
    expect(await voices(10 * 150)).toBe(0);
  });

  it('lets the next best of a package speak where the best turns out not to be worth showing', async () => {
    const speaking = (path: string): Offer => ({ ...offer(path, 5_000, 0.001), speaksFor: ['p'] });
    const offers = [
      ...Array.from({ length: 40 }, (_, i) => offer(`f${i}`, 5_000, 1000)),
      speaking('generated'),
      ...Array.from({ length: 3000 }, (_, i) => offer(`g${i}`, 5_000, 0.01)),
      speaking('source'),
    ];
    const reader = {
      ...outlining,
      load: async (asked: Candidate, outlined: boolean) =>
        asked.entry.path === 'generated' ? { omit: 'generated' as const } : outlining.load(asked, outlined),
    };
    const paths = (await shownOf(offers, 4000, reader)).map(([path]) => path);
    expect(paths).toContain('source');
    expect(paths).not.toContain('generated');
  });

  it('spends on files shown in part what nobody else takes', async () => {
    const room = 20_000;
    for (const reader of [plain, outlining]) {
      const { shown } = await fitFiles([offer('a', 100_000), offer('b', 1_000)], { room, reader, write });
      expect(sum(shown)).toBeGreaterThan(room - 400);
      expect(shown[1]).toMatchObject({ mode: 'full', chars: 1000 });
    }
  });

  it('leaves out a file of which too little would be left, and still fits a smaller one', async () => {
    const shown = await shownOf([offer('a', 1_400), offer('b', 9_000), offer('c', 200)], 1_400 + FRAME + 300);
    expect(shown).toEqual([
      ['a', 'full', 1400],
      ['c', 'full', 200],
    ]);
  });

  it('wants no outlines where everything has room', async () => {
    const wanted: boolean[] = [];
    const reader = {
      ...outlining,
      load: async (asked: Candidate, outlined: boolean) => {
        wanted.push(outlined);
        return loadOutlined(asked, outlined);
      },
    };
    await shownOf([offer('a', 2_000), offer('b', 3_000)], 20_000, reader);
    expect(wanted).toEqual([false, false]);
    await shownOf([offer('a', 20_000), offer('b', 30_000)], 20_000, reader);
    expect(wanted.slice(2)).toEqual([true, true]);
  });

  it('cuts at a line end', async () => {
    const { shown } = await fitFiles([offer('a', 100_000)], { room: 5_000, reader: plain, write });
    expect(shown[0]?.text.endsWith('\n')).toBe(true);
  });

  it('does not read what cannot fit', async () => {
    const read: string[] = [];
    const offers = [
      offer('a', 5_000, 100),
      ...Array.from({ length: 1000 }, (_, i) => offer(`big${i}`, 50_000, 0.01)),
    ];
    await shownOf(offers, 5_000 + FRAME + 100, {
      ...plain,
      load: async (asked, outlined) => {
        read.push(asked.entry.path);
        return load(asked, outlined);
      },
    });
    expect(read.length).toBeLessThan(5);
  });

  it('tells what it will load, each once, in few calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(20_000), fc.nat(8)), { minLength: 1, maxLength: 200 }),
        fc.nat(100_000),
        fc.boolean(),
        async (files, room, outlined) => {
          const told: string[][] = [];
          const reader = outlined ? outlining : plain;
          await fitFiles(
            files.map(([size, doublings], i) => offer(`f${i}`, size, 2 ** doublings)),
            {
              room,
              reader: {
                ...reader,
                prefetch: async (files) => void told.push(files.map(({ entry }) => entry.path)),
                load: async (asked, wanted) => {
                  expect(told.flat()).toContain(asked.entry.path);
                  return reader.load(asked, wanted);
                },
              },
              write,
            },
          );
          expect(new Set(told.flat()).size).toBe(told.flat().length);
          expect(told.length).toBeLessThanOrEqual(12);
        },
      ),
    );
  });

  it('passes over files that turn out not to be worth showing', async () => {
    const { shown, rejected } = await fitFiles([offer('a', 10), offer('b', 10)], {
      room: 1_000,
      reader: {
        ...plain,
        load: async (asked, outlined) =>
          asked.entry.path === 'a' ? { omit: 'binary' } : load(asked, outlined),
      },
      write,
    });
    expect(shown.map(({ file }) => file.entry.path)).toEqual(['b']);
    expect([...rejected].map(([{ entry }, { omit }]) => [entry.path, omit])).toEqual([['a', 'binary']]);
  });

  it('never spends more than its room, even where writing makes a text longer', async () => {
    const escaping = (view: FileView): string => 'f'.repeat(FRAME) + view.text.replaceAll('x', '&amp;');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(30_000), fc.nat(8), fc.boolean()), { maxLength: 30 }),
        fc.boolean(),
        fc.nat(60_000),
        async (files, outlined, room) => {
          const offers = files.map(([size, doublings, voice], i) =>
            offer(`f${i}`, size, 2 ** doublings, voice),
          );
          const reader = outlined ? outlining : plain;
          const { shown } = await fitFiles(offers, { room, reader, write: escaping });
          expect(sum(shown)).toBeLessThanOrEqual(room);
          for (const { mode, text } of shown)
            if (mode === 'head') expect(text.length).toBeGreaterThanOrEqual(LEAST_HEAD * 0.7);
        },
      ),
    );
  });
});
