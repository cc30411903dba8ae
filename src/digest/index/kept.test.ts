import { chmodSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryFile, memorySource } from '../../../test/memory-source.ts';
import { type DigestOptions, digest, digestSource } from '../digest.ts';
import { select } from '../sieve/select.ts';
import { giveAway, tempFolder, withoutPrivileges, write } from '../source/fixture.ts';

const FILES: readonly MemoryFile[] = [
  { path: 'hub.ts', content: 'export const hub = 1;\n' },
  { path: 'user.ts', content: "import { hub } from './hub';\nexport const user = hub;\n" },
  { path: 'large.ts', content: `export function f(): void {\n${'  g();\n'.repeat(500)}}\n`.repeat(10) },
];

/** Files whose contents are named by themselves, and which of them were read. */
function watched(files: readonly MemoryFile[], read: string[]) {
  const source = memorySource(files);
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  return {
    ...source,
    contentId: ({ path }: { path: string }) => String(contents.get(path)),
    read: (...[entry, limit]: Parameters<typeof source.read>) => {
      read.push(entry.path);
      return source.read(entry, limit);
    },
  };
}

async function digested(
  files: readonly MemoryFile[],
  cache?: { folder: string; limit: number },
  { include = [], ...options }: DigestOptions = {},
) {
  const read: string[] = [];
  const budget = { unit: 'chars', limit: 3000 } as const;
  const all: DigestOptions = { budget, ...options, remote: { cache } };
  const { text, warnings } = await digestSource(watched(files, read), select(include, []), all);
  return { text, warnings, read };
}

function newPlace() {
  return { folder: join(tempFolder(), 'cache'), limit: 1_000_000 };
}

describe('what was found out about files', () => {
  it('is kept: the next digest reads only what it shows', async () => {
    const place = newPlace();
    const first = await digested(FILES, place);
    const options: DigestOptions = { budget: { unit: 'chars', limit: 2900 } };
    const second = await digested(FILES, place, options);
    expect(second.text).toBe((await digested(FILES, undefined, options)).text);
    expect(first.read.filter((path) => path === 'user.ts')).toHaveLength(2);
    expect(second.read.filter((path) => path === 'user.ts')).toHaveLength(1);
  });

  it('is the digest itself, if all is as it was', async () => {
    const place = newPlace();
    const first = await digested(FILES, place);
    const second = await digested(FILES, place);
    expect(second).toEqual({ ...first, read: [] });
  });

  it('is no digest with a warning, since the next may have none', async () => {
    const place = newPlace();
    const read: string[] = [];
    const source = { ...watched(FILES, read), survey: async () => false };
    const make = () => digestSource(source, select([], []), { remote: { cache: place } });
    expect((await make()).warnings).toMatchObject([{ code: 'NO_GRAPH' }]);
    const once = read.length;
    await make();
    expect(read).toHaveLength(2 * once);
  });

  it('changes no digest, whatever was asked and there before', async () => {
    const file = fc.record({
      path: fc.constantFrom('hub.ts', 'user.ts', 'large.ts', 'notes.md'),
      content: fc.constantFrom(...FILES.map(({ content }) => content), 'export const hub = 2;\n', ''),
    });
    const options = fc.record(
      {
        budget: fc.constantFrom(
          { unit: 'chars', limit: 1500 } as const,
          {
            unit: 'tokens',
            limit: 800,
          } as const,
        ),
        format: fc.constantFrom('markdown' as const, 'xml' as const),
        include: fc.constantFrom(['*.ts'], ['hub.ts'], ['*.ts', '*.md']),
        graph: fc.boolean(),
        focus: fc.constantFrom('hub', 'what does f do?'),
        redact: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const files = fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1 });
    const outcome = (...asked: Parameters<typeof digested>) =>
      digested(...asked).then(
        ({ text, warnings }) => ({ text, warnings }),
        ({ message }: Error) => message,
      );
    const steps = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 1 })), { minLength: 4, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(files, files, fc.tuple(options, options), steps, async (some, others, asked, all) => {
        const place = newPlace();
        for (const [which, how] of all) {
          const own = [some, others, some.map(changedALittle)][which] ?? [];
          expect(await outcome(own, place, asked[how])).toEqual(await outcome(own, undefined, asked[how]));
        }
      }),
      { numRuns: 25 },
    );
  });

  /** To something of the same size. */
  function changedALittle({ path, content }: MemoryFile): MemoryFile {
    return { path, content: String(content).replaceAll('1', '2') };
  }

  it('does not count for a file whose contents are others now', async () => {
    const place = newPlace();
    await digested(FILES, place);
    const changed = FILES.map(({ path, content }) => ({
      path,
      content: path === 'large.ts' ? String(content).replaceAll('f(', 'renamed(') : 'export {};\n',
    }));
    const { text } = await digested(changed, place);
    expect(text).toBe((await digested(changed)).text);
    expect(text).toContain('renamed(');
  });

  it('is done without where the cache is damaged or can not be used', async () => {
    const { text } = await digested(FILES);
    const place = newPlace();
    await digested(FILES, place);
    const [entry] = readdirSync(place.folder).filter((name) => name.startsWith('folder-'));
    const own = join(place.folder, entry ?? '');
    for (const name of readdirSync(join(own, 'digests'))) writeFileSync(join(own, 'digests', name), '["half');
    writeFileSync(join(own, 'files.json'), '["half');
    expect((await digested(FILES, place)).text).toBe(text);
    const inAFile = join(tempFolder(), 'file');
    writeFileSync(inAFile, '');
    for (const folder of [inAFile, join(inAFile, 'below')]) {
      expect(await digested(FILES, { folder, limit: 1000 })).toMatchObject({ text, warnings: [] });
    }
  });

  it('is done without where nothing may be written', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o555);
    giveAway(folder);
    const place = { folder: join(folder, 'cache'), limit: 1000 };
    const { text } = await withoutPrivileges(() => digested(FILES, place));
    expect(text).toBe((await digested(FILES)).text);
    expect(existsSync(place.folder)).toBe(false);
  });
});

describe('a folder', () => {
  it('is told apart by what changed in it, even if size and time are the same', async () => {
    const root = tempFolder();
    const cache = newPlace();
    const options: DigestOptions = { remote: { cache } };
    write(root, { 'a.ts': "import './b';\n", 'b.ts': '1;\n', 'c.ts': '2;\n' });
    const longAgo = new Date(1_500_000_000_000);
    const importsIn = async (): Promise<string | undefined> => {
      const { files } = await digest(root, options);
      return files.find(({ reasons }) => reasons.some(({ signal }) => signal === 'imported'))?.path;
    };
    expect(await importsIn()).toBe('b.ts');
    write(root, { 'a.ts': "import './c';\n" });
    utimesSync(join(root, 'a.ts'), longAgo, longAgo);
    expect(await importsIn()).toBe('c.ts');
    expect(await importsIn()).toBe('c.ts');
  });

  it('has an entry of its own in the cache', async () => {
    const root = tempFolder();
    const cache = newPlace();
    write(root, { 'a.py': `${'def f():\n    pass\n'.repeat(200)}` });
    await digest(root, { budget: { unit: 'chars', limit: 1500 }, remote: { cache } });
    const [entry] = readdirSync(cache.folder).filter((name) => name.startsWith('folder-'));
    const about = JSON.parse(readFileSync(join(cache.folder, entry ?? '', 'entry.json'), 'utf8'));
    expect(about).toEqual({ kind: 'folder', address: root });
  });
});
