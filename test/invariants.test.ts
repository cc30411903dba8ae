import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Digest, type DigestOptions, digestSource } from '../src/digest/digest.ts';
import { select } from '../src/digest/sieve/select.ts';
import { PlimsollError } from '../src/errors.ts';
import { measureOf } from '../src/measure/measure.ts';
import { type MemoryFile, memorySource } from './memory-source.ts';

const EVERYTHING = select([], []);

function run(files: readonly MemoryFile[], options: DigestOptions): Promise<Digest> {
  return digestSource(memorySource(files), EVERYTHING, options);
}

/** The least budget that a refusal names. */
async function leastOf(files: readonly MemoryFile[], options: DigestOptions): Promise<number> {
  const unit = options.budget?.unit ?? 'chars';
  const error = await run(files, { ...options, budget: { unit, limit: 1 } }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(PlimsollError);
  expect((error as PlimsollError).code).toBe('BUDGET_TOO_SMALL');
  return Number(/least that would do is ([\d,]+)/.exec((error as Error).message)?.[1]?.replaceAll(',', ''));
}

const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'const x = 1;\n',
      'The quick brown fox.\n',
      'a\r\n',
      '\n',
      '    return value\n',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('```', '`', '``````````\n', '</file><instruction>', '## Ledger\n', ']]>'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u{1F469}\u200D\u{1F4BB}',
      'e\u0301\u0302',
      '\u{1F1E9}\u{1F1EA}',
      '\uD800',
      '\u202E',
      '\u001b[31m',
      '\u0007',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const text = fc
  .tuple(
    fc.array(piece, { maxLength: 40 }),
    fc.oneof({ weight: 8, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.nat(4000) }),
  )
  .map(([pieces, times]) => pieces.join('').repeat(times));
/** UTF-16, in which lone surrogates are possible. */
const wide = text.map((content) => Buffer.from(`\ufeff${content}`, 'utf16le'));
const name = fc.oneof(
  fc.constantFrom(
    'README.md',
    'main.ts',
    'Cargo.toml',
    'data.json',
    'a b.txt',
    "it's.md",
    'new\nline.py',
    'ünï.rs',
    '`.md',
    'x.test.js',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((s) => `${s.replace(/[/\0]/g, '_')}.txt`),
);
const path = fc
  .tuple(fc.array(fc.constantFrom('src', 'tests', 'docs', 'deep', 'lib'), { maxLength: 30 }), name)
  .map(([folders, file]) => [...folders, file].join('/'));
const tree: fc.Arbitrary<MemoryFile[]> = fc.uniqueArray(
  fc.record({ path, content: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: wide }) }),
  {
    selector: ({ path }) => path,
    minLength: 1,
    maxLength: 25,
  },
);
const format = fc.constantFrom('markdown' as const, 'xml' as const);

function expectLedgerToAddUp(files: readonly MemoryFile[], digest: Digest): void {
  expect(digest.files.length + digest.omitted.count).toBe(files.length);
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  expect(digest.source.bytes).toBe(bytes);
  expect(digest.files.reduce((sum, file) => sum + file.bytes, 0) + digest.omitted.size).toBe(bytes);
  expect(Object.values(digest.omitted.byReason).reduce((a, b) => a + b, 0)).toBe(digest.omitted.count);
  expect(Object.values(digest.omitted.sizeByReason).reduce((a, b) => a + b, 0)).toBe(digest.omitted.size);
  expect(digest.tree.shown + digest.tree.omitted).toBe(files.length);
}

describe('the budget', () => {
  it('is never exceeded, from the least to 10 MB, and the ledger adds up', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        format,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (files, format, at) => {
          const least = await leastOf(files, { format });
          const limit = Math.floor(least * (10_000_000 / least) ** at);
          const digest = await run(files, { format, budget: { unit: 'chars', limit } });
          expect(digest.text.length).toBeLessThanOrEqual(limit);
          expect(digest.text.isWellFormed()).toBe(true);
          expect(digest.budget.used).toBe(digest.text.length);
          expect(digest.budget.tree + digest.budget.files + digest.budget.overhead).toBe(digest.budget.used);
          expectLedgerToAddUp(files, digest);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is met at the least that a refusal names, and refused just below', async () => {
    await fc.assert(
      fc.asyncProperty(tree, format, async (files, format) => {
        const least = await leastOf(files, { format });
        const digest = await run(files, { format, budget: { unit: 'chars', limit: least } });
        expect(digest.text.length).toBeLessThanOrEqual(least);
        await expect(
          run(files, { format, budget: { unit: 'chars', limit: least - 1 } }),
        ).rejects.toMatchObject({
          code: 'BUDGET_TOO_SMALL',
        });
      }),
      { numRuns: 50 },
    );
  });

  it('holds in tokens, counted on the finished text', async () => {
    const tokens = await measureOf('tokens');
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 0, max: 20_000 }), async (files, extra) => {
        const least = await leastOf(files, { budget: { unit: 'tokens', limit: 1 } });
        const limit = least + extra;
        const digest = await run(files, { budget: { unit: 'tokens', limit } });
        expect(tokens(digest.text)).toBeLessThanOrEqual(limit);
        expect(digest.budget.used).toBe(tokens(digest.text));
        expectLedgerToAddUp(files, digest);
      }),
      { numRuns: 25 },
    );
  });

  it('is used: nothing is idle while a cut file has more to show', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 3_000, max: 60_000 }), async (files, limit) => {
        const digest = await run(files, { budget: { unit: 'chars', limit } });
        if (digest.files.some(({ mode }) => mode === 'head'))
          expect(digest.budget.used).toBeGreaterThan(limit * 0.8);
      }),
      { numRuns: 80 },
    );
  });

  it('holds for thousands of files and for a file of millions of characters', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      path: `d${i % 70}/sub${i % 7}/f${i}.ts`,
      content: `export const v${i} = ${i};\n`.repeat(i % 50),
    }));
    const files = [
      ...many,
      { path: 'huge.md', content: 'A line of an enormous document.\n'.repeat(150_000) },
    ];
    for (const limit of [2_000, 40_000, 1_000_000]) {
      const digest = await run(files, { budget: { unit: 'chars', limit } });
      expect(digest.text.length).toBeLessThanOrEqual(limit);
      if (limit >= 40_000) expect(digest.text.length).toBeGreaterThan(limit * 0.95);
      expectLedgerToAddUp(files, digest);
    }
  });
});

describe('determinism', () => {
  it('gives the same bytes for the same source and settings, whatever the order of its files', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        format,
        fc.integer({ min: 3_000, max: 50_000 }),
        async (files, format, limit) => {
          const options: DigestOptions = { format, budget: { unit: 'chars', limit } };
          const first = await run(files, options);
          expect(await run([...files].reverse(), options)).toEqual(first);
        },
      ),
      { numRuns: 40 },
    );
  });
});
