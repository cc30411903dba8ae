import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DigestOptions, digest } from './digest.ts';
import { commit, git, repository, tempFolder, write } from './source/fixture.ts';

const CHARS = (limit: number) => ({ unit: 'chars', limit }) as const;

/** Functions of ten lines each, so that a file is long and its changed line stands in a body. */
function functions(count: number, mark = ''): string {
  return Array.from({ length: count }, (_, i) => {
    const body = Array.from({ length: 8 }, (_, j) => `  step(${i}, ${j});\n`).join('');
    const marked = i === count - 2 ? body.replace(`step(${i}, 4)`, `step(${i}, 4)${mark}`) : body;
    return `export function run${i}(): void {\n${marked}}\n`;
  }).join('');
}

const FILES = {
  'package.json': '{ "name": "sample" }\n',
  'README.md': '# Sample\n',
  'src/core.ts': functions(80),
  'src/user.ts': "import { run1 } from './core.ts';\nexport const user = run1;\n",
  'src/base.ts': 'export const base = 1;\n',
  'src/aside.ts': functions(40),
  'src/gone.ts': 'export const gone = 1;\n',
  'test/core.test.ts': 'check();\n',
  'data/list.json': '[1]\n',
};

/** A repository in which a source file, a test and a list changed, one file is new and one is gone. */
function changedRepository(): string {
  const root = repository(FILES);
  write(root, {
    'src/core.ts': `import { base } from './base.ts';\n${functions(80, '.changed(base)')}`,
    'test/core.test.ts': 'check();\n'.repeat(200),
    'data/list.json': '[1, 2]\n',
    'src/added.ts': 'export const added = 1;\n',
  });
  rmSync(join(root, 'src/gone.ts'));
  return root;
}

async function orderOf(root: string, options: DigestOptions): Promise<string[]> {
  return (await digest(root, { budget: CHARS(200_000), ...options })).files.map(({ path }) => path);
}

describe('a digest of changes', () => {
  it('has changed files first, source before tests before data, then what they touch, then the rest', async () => {
    const order = await orderOf(changedRepository(), { since: 'HEAD' });
    expect(order.slice(0, 4)).toEqual(['src/core.ts', 'src/added.ts', 'test/core.test.ts', 'data/list.json']);
    expect(order.slice(4, 6).toSorted()).toEqual(['src/base.ts', 'src/user.ts']);
    expect(order.slice(6)).toContain('package.json');
    expect(order).not.toContain('src/gone.ts');
  });

  it('gives the room to what changed before what that touches, however much that is', async () => {
    const users = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `src/user${i}.ts`,
        `import { run1 } from './core.ts';\n${functions(60)}`,
      ]),
    );
    const root = repository({ ...FILES, ...users });
    write(root, { 'src/core.ts': functions(80, '.changed()'), 'src/small.ts': functions(5) });
    const { files } = await digest(root, { since: 'HEAD', budget: CHARS(20_000) });
    const modes = files.map(({ path, mode }) => [path, mode]);
    expect(modes.slice(0, 2)).toEqual([
      ['src/small.ts', 'full'],
      ['src/core.ts', 'full'],
    ]);
  });

  it('says why each file stands where it does', async () => {
    const { files } = await digest(changedRepository(), { since: 'HEAD' });
    const why = (path: string): string | undefined =>
      files.find((file) => file.path === path)?.reasons[0]?.why;
    expect(why('src/core.ts')).toBe('1. of what changed: modified');
    expect(why('src/user.ts')).toBe('imports src/core.ts, changed');
    expect(why('src/base.ts')).toBe('imported by src/core.ts, changed');
  });

  it('puts nothing for touched where imports are not read', async () => {
    const { files } = await digest(changedRepository(), { since: 'HEAD', graph: false });
    const signals = files.flatMap(({ reasons }) => reasons.map(({ signal }) => signal));
    expect(signals).toContain('changed');
    expect(signals).not.toContain('touched');
  });

  it('shows of a long file the lines that changed, each with its signature, and names them', async () => {
    const { text, files } = await digest(changedRepository(), { since: 'HEAD', budget: CHARS(4000) });
    expect(files.find(({ path }) => path === 'src/core.ts')?.mode).toBe('outline');
    expect(text).toMatch(/^\d+: {3}step\(78, 4\)\.changed\(base\);$/m);
    expect(text).toMatch(/^\d+: export function run78\(\): void \{$/m);
    expect(text).toContain('changed lines: 1, 787');
    expect(text.length).toBeLessThanOrEqual(4000);
  });

  it('shows the lines that changed of what defines nothing', async () => {
    const prose = Array.from({ length: 2000 }, (_, i) => `plain words, ${i + 1}\n`).join('');
    const root = repository({ 'notes.txt': prose });
    write(root, { 'notes.txt': prose.replace('words, 1500\n', 'words, altered\n') });
    const { text } = await digest(root, { since: 'HEAD', budget: CHARS(3000) });
    expect(text).toContain('1500: plain words, altered');
  });

  it.each(['markdown', 'xml'] as const)(
    'tells in its head since when, how many and what is gone (%s)',
    async (format) => {
      const root = changedRepository();
      const id = git(root, ['rev-parse', 'HEAD']).trim();
      const { text, changes } = await digest(root, { since: 'main', format });
      const counts = '5 files changed since main at ID: 1 added, 3 modified, 1 deleted';
      expect(text).toContain(counts.replace('ID', id.slice(0, 12)));
      expect(text.slice(0, 1000)).toContain('src/gone.ts');
      expect(changes).toEqual({ ref: 'main', commit: id, added: 1, modified: 3, deleted: 1 });
    },
  );

  it('names as many deleted files as have their place, and counts the others', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `old/file${String(i).padStart(3, '0')}.ts`);
    const root = repository({ keep: 'x\n', ...Object.fromEntries(names.map((name) => [name, 'x\n'])) });
    rmSync(join(root, 'old'), { recursive: true });
    const { text } = await digest(root, { since: 'HEAD' });
    expect(text).toContain('300 deleted');
    expect(text).toMatch(/old\/file039\.ts, 260 more/);
    const least = await digest(root, { since: 'HEAD', budget: CHARS(1200) });
    expect(least.text).toContain('300 deleted');
    expect(least.text.length).toBeLessThanOrEqual(1200);
  });

  it('compares two commits', async () => {
    const root = changedRepository();
    commit(root);
    write(root, { 'src/aside.ts': 'later\n' });
    commit(root);
    const { changes, files } = await digest(root, { since: 'HEAD~2', ref: 'HEAD~1' });
    expect(changes).toMatchObject({ added: 1, modified: 3, deleted: 1 });
    expect(files[0]?.path).toBe('src/core.ts');
  });

  it('says so where nothing changed, and shows the source as ever', async () => {
    const root = repository(FILES);
    const { text, changes } = await digest(root, { since: 'HEAD' });
    expect(text).toContain('nothing changed since HEAD at ');
    expect(changes).toMatchObject({ added: 0, modified: 0, deleted: 0 });
    expect(await orderOf(root, { since: 'HEAD' })).toEqual(await orderOf(root, {}));
  });

  it('does not count the file that it is written to', async () => {
    const root = repository(FILES);
    write(root, { 'digest.md': 'the one before\n' });
    const { changes } = await digest(root, { since: 'HEAD', without: join(root, 'digest.md') });
    expect(changes).toMatchObject({ added: 0 });
  });

  it('is not made together with a question', async () => {
    const made = digest(tempFolder(), { since: 'main', focus: 'why' });
    await expect(made).rejects.toMatchObject({ code: 'BAD_USAGE' });
  });
});
