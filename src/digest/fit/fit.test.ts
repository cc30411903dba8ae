import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Content, Rejection } from '../content/content.ts';
import { type Candidate, candidateMaker } from '../rank/candidate.ts';
import { FILE_FLOOR, FILE_SHARE, LEAST_HEAD } from '../rank/weights.ts';
import { type FileView, fitFiles } from './fit.ts';

const FRAME = 50;

function file(path: string, size: number): Candidate {
  const traits = { language: undefined, vendored: false, binaryName: false, named: false };
  return candidateMaker()({ path, kind: 'file', size }, traits);
}

function lines(chars: number): string {
  return `${'x'.repeat(49)}\n`.repeat(Math.ceil(chars / 50)).slice(-chars);
}

function content(text: string): Content {
  return {
    text,
    size: text.length,
    whole: true,
    encoding: 'UTF-8',
    secrets: [],
    language: undefined,
    sourceChars: (length) => length,
  };
}

const write = (view: FileView): string => 'f'.repeat(FRAME) + view.text;
const load = async ({ entry }: Candidate): Promise<Content | Rejection> => content(lines(entry.size));
const prefetch = async (): Promise<void> => {};
const reader = { prefetch, load };

async function shownOf(files: Candidate[], room: number, loader = load, later: Candidate[] = []) {
  const { shown } = await fitFiles([files, later], { room, reader: { prefetch, load: loader }, write });
  return shown.map(({ file, mode, text }) => [file.entry.path, mode, text.length] as const);
}

describe('fit', () => {
  it('shows files whole in order while they fit', async () => {
    expect(await shownOf([file('a', 1000), file('b', 2000)], 10_000)).toEqual([
      ['a', 'full', 1000],
      ['b', 'full', 2000],
    ]);
  });

  it('gives one file at most its share while others wait', async () => {
    const files = Array.from({ length: 30 }, (_, i) => file(`f${i}`, 100_000));
    const shown = await shownOf(files, 20_000);
    expect(shown[0]?.[2]).toBeLessThanOrEqual(20_000 * FILE_SHARE + FILE_FLOOR);
    expect(shown[1]?.[2]).toBeLessThanOrEqual(12_000 * FILE_SHARE);
    expect(shown.length).toBeGreaterThan(4);
  });

  it('spends on cut files what nobody else takes', async () => {
    const room = 20_000;
    const shown = await shownOf([file('a', 100_000), file('b', 1_000)], room);
    const spent = shown.reduce((sum, [, , chars]) => sum + chars + FRAME, 0);
    expect(spent).toBeGreaterThan(room - 100);
    expect(shown[1]).toEqual(['b', 'full', 1000]);
  });

  it('leaves out a file of which too little would be left, and still fits a smaller one', async () => {
    const shown = await shownOf([file('a', 1_400), file('b', 9_000), file('c', 200)], 1_400 + FRAME + 300);
    expect(shown).toEqual([
      ['a', 'full', 1400],
      ['c', 'full', 200],
    ]);
  });

  it('lets cut files have what is left before the next batch', async () => {
    const shown = await shownOf([file('README.md', 500_000)], 30_000, load, [file('README.fr.md', 500)]);
    expect(shown.map(([path]) => path)).toEqual(['README.md']);
    expect(shown[0]?.[2]).toBeGreaterThan(29_000);
    const both = await shownOf([file('a', 500)], 30_000, load, [file('test', 500)]);
    expect(both.map(([path]) => path)).toEqual(['a', 'test']);
  });

  it('cuts at a line end', async () => {
    const { shown } = await fitFiles([[file('a', 100_000)]], { room: 5_000, reader, write });
    expect(shown[0]?.text.endsWith('\n')).toBe(true);
  });

  it('does not read what cannot fit', async () => {
    const read: string[] = [];
    const files = [file('a', 5_000), ...Array.from({ length: 1000 }, (_, i) => file(`big${i}`, 50_000))];
    await shownOf(files, 5_000 + FRAME + 100, async (asked) => {
      read.push(asked.entry.path);
      return load(asked);
    });
    expect(read.length).toBeLessThan(5);
  });

  it('tells what it will load, in few calls and hardly more than it needs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 }),
        fc.nat(100_000),
        async (sizes, room) => {
          const told: string[][] = [];
          const loaded: string[] = [];
          const { shown } = await fitFiles([sizes.map((size, i) => file(`f${i}`, size))], {
            room,
            reader: {
              prefetch: async (files) => void told.push(files.map(({ entry }) => entry.path)),
              load: async (asked) => {
                expect(told.flat()).toContain(asked.entry.path);
                loaded.push(asked.entry.path);
                return load(asked);
              },
            },
            write,
          });
          expect(new Set(told.flat()).size).toBe(told.flat().length);
          expect(told.length).toBeLessThanOrEqual(1 + loaded.length / 3);
          expect(told.flat().length).toBeLessThanOrEqual(shown.length + 25);
        },
      ),
    );
  });

  it('passes over files that turn out not to be worth showing', async () => {
    const { shown, rejected } = await fitFiles([[file('a', 10), file('b', 10)]], {
      room: 1_000,
      reader: {
        prefetch,
        load: async (asked) => (asked.entry.path === 'a' ? { omit: 'binary' } : load(asked)),
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
        fc.array(fc.nat(30_000), { maxLength: 30 }),
        fc.nat(30),
        fc.nat(60_000),
        async (sizes, split, room) => {
          const files = sizes.map((size, i) => file(`f${i}`, size));
          const batches = [files.slice(0, split), files.slice(split)];
          const { shown } = await fitFiles(batches, { room, reader, write: escaping });
          expect(shown.reduce((sum, { section }) => sum + section.length, 0)).toBeLessThanOrEqual(room);
          for (const { mode, text } of shown)
            if (mode === 'head') expect(text.length).toBeGreaterThanOrEqual(LEAST_HEAD * 0.7);
        },
      ),
    );
  });
});
