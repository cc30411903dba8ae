import { afterEach, describe, expect, it, vi } from 'vitest';
import { built } from './built.ts';
import { Outliner } from './outliner.ts';

/** A worker that answers as the real one does, or stops working if the text says so. */
const FAKE_SOURCE = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ text }) => {
    if (text === 'hang') for (;;);
    if (text === 'throw') throw new Error('broken');
    if (text === 'exit') process.exit(3);
    const definition = { name: text, signature: { start: 0, end: 1 }, whole: { start: 0, end: 1 }, depth: 0, exported: true };
    parentPort.postMessage({ result: { imports: [], definitions: [definition] }, memory: text === 'grown' ? 1e9 : 0 });
  });`;
const FAKE = new URL(`data:text/javascript,${encodeURIComponent(FAKE_SOURCE)}`);

/** The real worker, with a parser that prints. */
const PRINTING_SOURCE = `
  import { parentPort } from 'node:worker_threads';
  import '${built('outline/worker.js')}';
  parentPort.on('message', () => console.log('printed by a parser'));`;
const PRINTING = new URL(`data:text/javascript,${encodeURIComponent(PRINTING_SOURCE)}`);

const open: Outliner[] = [];
const outliner = (script?: URL): Outliner => {
  const made = new Outliner(script);
  open.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const namesOf = async (outlines: Outliner, texts: readonly string[]) => {
  const results = await Promise.all(texts.map((text) => outlines.outline(text, 'Go')));
  return results.map((result) =>
    'failure' in result ? result.failure : result.definitions.map(({ name }) => name),
  );
};

describe('Outliner', () => {
  it('outlines in workers', async () => {
    const outlines = outliner();
    const texts = ['package a\nfunc A() {}\n', 'package b\ntype B int\n'];
    expect(await namesOf(outlines, texts)).toEqual([['A'], ['B']]);
  });

  it('knows which languages it can outline', () => {
    expect(Outliner.canOutline('TypeScript')).toBe(true);
    expect(Outliner.canOutline('Befunge')).toBe(false);
    expect(Outliner.canOutline('constructor')).toBe(false);
  });

  it('tells of a language without a grammar, of a text that is too long, and of one that defines too much', async () => {
    const outlines = outliner();
    expect(await outlines.outline('1', 'Befunge')).toEqual({ failure: 'parser' });
    expect(await outlines.outline('x'.repeat(1_000_001), 'Go')).toEqual({ failure: 'size' });
    expect(await outlines.outline('a = 1\n'.repeat(10_001), 'TOML')).toEqual({ failure: 'size' });
  });

  it.each(['throw', 'exit'])('goes on after a worker that ends by %s', async (way) => {
    const texts = ['a', way, 'b', 'c', 'd', 'e'];
    expect(await namesOf(outliner(FAKE), texts)).toEqual([['a'], 'parser', ['b'], ['c'], ['d'], ['e']]);
  });

  it('goes on after a worker that does not answer', async () => {
    expect(await namesOf(outliner(FAKE), ['hang', 'a', 'hang', 'b'])).toEqual(['time', ['a'], 'time', ['b']]);
  });

  it('replaces a worker whose memory has grown', async () => {
    const texts = ['grown', 'a', 'grown', 'b', 'grown', 'c'];
    expect(await namesOf(outliner(FAKE), texts)).toEqual(texts.map((text) => [text]));
  });

  it('leaves stdout to documents and protocols, whatever a worker prints', async () => {
    const stdout = vi.spyOn(process.stdout, 'write');
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(await namesOf(outliner(PRINTING), ['package a\nfunc A() {}\n'])).toEqual([['A']]);
      await vi.waitFor(() => expect(stderr.mock.calls.join('')).toContain('printed by a parser'));
      expect(stdout.mock.calls.join('')).not.toContain('printed by a parser');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('settles what waits when it is closed, and what comes after', async () => {
    const outlines = outliner(FAKE);
    const waiting = namesOf(
      outlines,
      Array.from({ length: 20 }, () => 'hang'),
    );
    await outlines.close();
    expect(await waiting).toEqual(Array.from({ length: 20 }, () => 'parser'));
    expect(await outlines.outline('a', 'Go')).toEqual({ failure: 'parser' });
  });
});
