import { describe, expect, it } from 'vitest';
import { memorySource } from '../../test/memory-source.ts';
import { type DigestOptions, digestSource } from './digest.ts';
import { select } from './sieve/select.ts';

const FILES = [
  { path: 'a/hub.ts', content: 'export const hub = 1;\n' },
  ...Array.from({ length: 5 }, (_, i) => ({
    path: `a/user${i}.ts`,
    content: "import { hub } from './hub';\n",
  })),
];

function reasonsIn(options: DigestOptions, source = memorySource(FILES)) {
  return digestSource(source, select([], []), options).then(({ files, warnings }) => ({
    first: files[0]?.path,
    signals: new Set(files.flatMap(({ reasons }) => reasons.map(({ signal }) => signal))),
    warnings,
  }));
}

describe('who imports whom', () => {
  it('counts for the choice', async () => {
    const { first, signals } = await reasonsIn({});
    expect(first).toBe('a/hub.ts');
    expect([...signals]).toEqual(expect.arrayContaining(['imported', 'importing']));
  });

  it('does not count without it', async () => {
    const { signals, warnings } = await reasonsIn({ graph: false });
    expect([...signals]).not.toContain('imported');
    expect(warnings).toEqual([]);
  });

  it('is done without, with a word, where files can only be had by requests that are counted', async () => {
    const source = { ...memorySource(FILES), survey: async () => false };
    const { signals, warnings } = await reasonsIn({}, source);
    expect([...signals]).not.toContain('imported');
    expect(warnings).toMatchObject([{ code: 'NO_GRAPH', message: expect.stringContaining('6 files') }]);
  });
});

describe('a question', () => {
  it('is answered by the file that has it, which says by which words', async () => {
    const more = [...FILES, { path: 'z/deep/zstd.ts', content: 'export function decodeZstd(): void {}\n' }];
    const { files } = await digestSource(memorySource(more), select([], []), {
      focus: 'zstd fails to decode',
    });
    expect(files[0]?.path).toBe('z/deep/zstd.ts');
    expect(files[0]?.reasons).toEqual([
      expect.objectContaining({ signal: 'focus', why: expect.stringContaining('zstd') }),
    ]);
  });
});
