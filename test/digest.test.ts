import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { digest, digestSource } from '../src/digest/digest.ts';
import { select } from '../src/digest/sieve/select.ts';
import { memorySource } from './memory-source.ts';
import { commitAll, folderWith, git, repositoryWith, write } from './repository.ts';

const ALL = select([], []);
const CHARS = (limit: number) => ({ unit: 'chars', limit }) as const;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function pathsOf({ files }: Awaited<ReturnType<typeof digest>>): string[] {
  return files.map(({ path }) => path);
}

describe('digest', () => {
  it('shows a work tree as it stands: changed, new, and without what was deleted', async () => {
    const folder = repositoryWith({ 'README.md': 'old\n', 'gone.ts': 'x\n', '.gitignore': 'secret.txt\n' });
    write(folder, { 'README.md': 'new text\n', 'added.ts': 'y\n', 'secret.txt': 'ignored\n' });
    rmSync(join(folder, 'gone.ts'));
    const result = await digest(folder);
    expect(pathsOf(result)).toEqual(['README.md', 'added.ts', '.gitignore']);
    expect(result.text).toContain('new text');
    expect(result.text).not.toContain('ignored');
    expect(result.source).toMatchObject({
      kind: 'git',
      ref: 'main',
      commit: git(folder, 'rev-parse', 'HEAD'),
    });
  });

  it('shows a commit by its ref and leaves the work tree alone', async () => {
    const folder = repositoryWith({ 'README.md': 'first\n' });
    write(folder, { 'README.md': 'second\n' });
    commitAll(folder);
    write(folder, { 'README.md': 'uncommitted\n' });
    expect((await digest(folder, { ref: 'HEAD~1' })).text).toContain('\nfirst\n');
    expect((await digest(folder, { ref: 'main' })).text).toContain('\nsecond\n');
    expect(git(folder, 'status', '--porcelain')).toBe('M README.md');
  });

  it('digests a folder inside a repository, under the rules of the whole', async () => {
    const folder = repositoryWith({ '.gitignore': '*.log\n', 'src/a.ts': 'a\n', 'other.ts': 'b\n' });
    write(folder, { 'src/debug.log': 'noise\n' });
    const result = await digest(join(folder, 'src'));
    expect(pathsOf(result)).toEqual(['a.ts']);
    expect(result.source.subfolder).toBe('src');
  });

  it('keeps a tracked log that a rule lets through', async () => {
    const folder = repositoryWith({ '.gitignore': '*.log\n!important.log\n', 'important.log': 'keep me\n' });
    expect(pathsOf(await digest(folder))).toContain('important.log');
  });

  it('counts what .ignore and .plimsollignore take out', async () => {
    const folder = repositoryWith({ '.plimsollignore': 'notes/\n', 'notes/a.md': '12345', 'a.ts': 'x\n' });
    const result = await digest(folder);
    expect(result.omitted.byReason).toMatchObject({ ignored: 1 });
    expect(result.omitted.sizeByReason).toMatchObject({ ignored: 5 });
    expect(result.text).toContain('| left out: ignored by .ignore or .plimsollignore | 1 | 5 |');
  });

  it('names symlinks, submodules and LFS pointers as what they are, and follows none', async () => {
    const outside = folderWith({ 'outside.txt': 'not yours\n' });
    const sub = repositoryWith({ 'lib.ts': 'sub\n' });
    const folder = repositoryWith({
      'README.md': 'x\n',
      'model.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1234567\n`,
    });
    symlinkSync(join(outside, 'outside.txt'), join(folder, 'leak.txt'));
    symlinkSync('..', join(folder, 'loop'));
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'sub');
    commitAll(folder);
    const { text, omitted } = await digest(folder);
    expect(text).not.toContain('not yours');
    expect(text).toMatch(/^loop -> \.\.$/m);
    expect(text).toMatch(/^sub \(submodule at [0-9a-f]{12}\)$/m);
    expect(text).toMatch(/^model\.bin \(Git LFS pointer to 1,234,567 bytes\)$/m);
    expect(omitted.byReason).toMatchObject({ symlink: 2, repository: 1, 'lfs-pointer': 1 });
  });

  it('names binaries in the tree and counts them, and shows text whatever its extension', async () => {
    const folder = folderWith({
      'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      'notes.dat': 'plain text\n',
      'nul.txt': 'a\0b',
    });
    const result = await digest(folder);
    expect(pathsOf(result)).toEqual(['notes.dat']);
    expect(result.omitted.byReason).toEqual({ binary: 2 });
    for (const name of ['logo.png', 'nul.txt', 'notes.dat'])
      expect(result.text).toMatch(new RegExp(`^${name}$`, 'm'));
  });

  it('decodes other encodings and names them', async () => {
    const folder = folderWith({
      'sjis.c': Buffer.concat([
        Buffer.from('/* '),
        Buffer.from('93fa967b8cea82cc8352838183938367', 'hex'),
        Buffer.from(' */\nint main(void) { return 0; }\n'),
      ]),
      'utf16.txt': Buffer.from('\ufeffhello wide\n', 'utf16le'),
      'bom.md': '\ufeff# Title\n',
    });
    const { text } = await digest(folder);
    expect(text).toContain('/* 日本語のコメント */');
    expect(text).toMatch(/decoded from Shift\\?_JIS/);
    expect(text).toContain('hello wide');
    expect(text).toContain('decoded from UTF-8 with BOM');
  });

  it('shows text with replacement characters and unusual markup rather than skipping it', async () => {
    const folder = folderWith({
      'a.html': '<p>\ufffd</p>\n<![if !vml]><o:p></o:p>\n',
      'b.md': 'x \ufffd y\n',
    });
    expect(pathsOf(await digest(folder)).sort()).toEqual(['a.html', 'b.md']);
  });

  it('replaces secrets in place, lists them by rule and line, and keeps the file', async () => {
    const token = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
    const folder = folderWith({ 'config.py': `before = 1\ntoken = "${token}"\nafter = 2\n` });
    const result = await digest(folder);
    expect(result.text).not.toContain(token);
    expect(result.text).toMatch(/before = 1\ntoken = "\[redacted: [a-z-]+\]"\nafter = 2\n/);
    expect(result.files[0]?.secrets).toMatchObject([{ line: 2 }]);
    expect(result.text).toContain('1 secret replaced.');
    const shown = await digest(folder, { redact: false });
    expect(shown.text).toContain(token);
    expect(shown.text).toContain('Secrets are shown as they are.');
  });

  it('keeps secrets out of the description in the head', async () => {
    const token = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
    const folder = folderWith({
      'package.json': JSON.stringify({ name: 'x', description: `with ${token}` }),
    });
    expect((await digest(folder)).text).not.toContain(token);
  });

  it('tells truly how much a cut left out, whatever was replaced or made visible', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i} \u0001\u0085 ${'x'.repeat(70)}\n`).join(
      '',
    );
    const folder = folderWith({ 'README.md': lines });
    const { files, text } = await digest(folder, { budget: CHARS(5_000) });
    const shown = [...text.matchAll(/^line \d+ .*$/gm)].length;
    const carried = lines.split('\n').slice(0, shown).join('\n').length + 1;
    expect(files).toMatchObject([{ mode: 'head', chars: carried, size: lines.length }]);
  });

  it('shows the head of a file that is all secrets, well formed', async () => {
    const body = 'MIIEpAIBAAKCAQEA04up8hoqzS1APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\n'.repeat(25);
    const key = `-----BEGIN RSA PRIVATE ${'KEY-----'}\n${body}-----END RSA PRIVATE ${'KEY-----'}\n\u{1F600}\n`;
    const folder = folderWith({ 'README.md': key.repeat(80) });
    const { files, text } = await digest(folder);
    expect(files[0]?.chars).toBeGreaterThan(10_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('MIIEpAIBAAKCAQEA04up8');
  });

  it('reads a README of nothing but newlines in no time', async () => {
    const folder = folderWith({ 'README.md': `# x\n${'\n'.repeat(150_000)}`, 'a.ts': 'x\n' });
    expect(pathsOf(await digest(folder))).toContain('a.ts');
  }, 5_000);

  it('leaves out the file that it is written to, whatever its name', async () => {
    const folder = folderWith({ 'a.ts': 'x\n', '*.md': 'an older digest\n', 'b.md': 'y\n' });
    const result = await digest(folder, { without: join(folder, '*.md') });
    expect(pathsOf(result).toSorted()).toEqual(['a.ts', 'b.md']);
    expect(result.source.files).toBe(2);
  });

  it.each([Number.NaN, 0, -1, 5000.5, Number.POSITIVE_INFINITY, '3000' as never])(
    'refuses a budget of %s',
    async (limit) => {
      const folder = folderWith({ 'a.ts': 'x\n' });
      await expect(digest(folder, { budget: CHARS(limit) })).rejects.toMatchObject({ code: 'BAD_BUDGET' });
    },
  );

  it('does not let a cut show the half of a secret', async () => {
    const key = `-----BEGIN RSA PRIVATE ${'KEY-----'}\n${'MIIEpAIBAAKCAQEA04up8hoqzS1APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\n'.repeat(24)}-----END RSA PRIVATE ${'KEY-----'}\n`;
    const folder = folderWith({ 'README.md': 'text of a line\n'.repeat(120) + key + 'more\n'.repeat(2000) });
    for (let limit = 2_600; limit < 5_200; limit += 200) {
      expect((await digest(folder, { budget: CHARS(limit) })).text).not.toContain('MIIEpAIBAAKCAQEA04up8');
    }
  });

  it('shows what is named literally, even of a kind that is left out', async () => {
    const folder = folderWith({ 'package-lock.json': '{ "lockfileVersion": 3 }\n', 'a.ts': 'x\n' });
    expect(pathsOf(await digest(folder))).toEqual(['a.ts']);
    expect(pathsOf(await digest(folder, { include: ['package-lock.json'] }))).toEqual(['package-lock.json']);
    expect(pathsOf(await digest(folder, { include: ['*.json', '*.ts'] }))).toEqual(['a.ts']);
    write(folder, {
      'web/gen.go': '// Code generated by x. DO NOT EDIT.\npackage x\n',
      'web/dist/a.min.js': 'x',
    });
    expect(pathsOf(await digest(folder, { include: ['gen.go'] }))).toEqual(['web/gen.go']);
    expect(pathsOf(await digest(folder, { include: ['web'] }))).toEqual([]);
  });

  it('gives full paths, so that files of one name are told apart', async () => {
    const folder = folderWith({ 'a/index.ts': '1\n', 'b/index.ts': '2\n' });
    const { text } = await digest(folder);
    expect(text).toContain('### `a/index.ts`');
    expect(text).toContain('### `b/index.ts`');
  });

  it('lists and counts every one of 12,000 files', async () => {
    const folder = folderWith({});
    for (let i = 0; i < 12_000; i++) writeFileSync(join(folder, `f${i}.txt`), 'x');
    const result = await digest(folder);
    expect(result.source.files).toBe(12_000);
    expect(result.files.length + result.omitted.count).toBe(12_000);
    expect(result.tree.shown + result.tree.omitted).toBe(12_000);
  });

  it('outlines a file with something to make visible on each of thousands of lines', async () => {
    const folder = folderWith({ 'a.ts': '/* \u0007 */ export const x = 1;\n'.repeat(8_000) });
    const { files } = await digest(folder, { budget: CHARS(20_000) });
    expect(files).toMatchObject([{ mode: 'outline' }]);
  });

  it('holds no memory from one call to the next', async () => {
    const folder = folderWith({
      'a.ts': `const x = '${'x'.repeat(120)}';\n`.repeat(2_000),
      'b.md': 'text\n'.repeat(20_000),
    });
    const heapAfter = async (runs: number): Promise<number> => {
      for (let i = 0; i < runs; i++) await digest(folder);
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(5);
    expect((await heapAfter(40)) - before).toBeLessThan(8_000_000);
  });
});

describe('a source that changes or resists while it is read', () => {
  it('loses only the file that vanishes', async () => {
    const folder = folderWith({ 'README.md': 'x\n', 'a.ts': 'a\n', 'b.ts': 'b\n' });
    const result = await digest(folder, {
      onProgress: ({ stage }) => {
        if (stage === 'ranking') rmSync(join(folder, 'a.ts'));
      },
    });
    expect(pathsOf(result)).toEqual(['README.md', 'b.ts']);
    expect(result.omitted.byReason).toEqual({ vanished: 1 });
    expect(result.warnings).toMatchObject([{ message: expect.stringContaining('a.ts') }]);
    expect(result.text).toContain('Warning: a.ts vanished');
  });

  it('keeps the budget when files grow, shrink and turn into something else', async () => {
    const folder = folderWith({
      'grow.md': 'x\n',
      'shrink.md': 'y\n'.repeat(5_000),
      'turn.md': 'z\n',
      'swap.md': 'w\n',
    });
    const outside = folderWith({ 'outside.txt': 'not yours\n' });
    const result = await digest(folder, {
      budget: CHARS(4_000),
      onProgress: ({ stage }) => {
        if (stage !== 'ranking') return;
        writeFileSync(join(folder, 'grow.md'), 'line of text\n'.repeat(100_000));
        writeFileSync(join(folder, 'shrink.md'), '');
        writeFileSync(join(folder, 'turn.md'), Buffer.from([0, 1, 2]));
        rmSync(join(folder, 'swap.md'));
        symlinkSync(join(outside, 'outside.txt'), join(folder, 'swap.md'));
      },
    });
    expect(result.text.length).toBeLessThanOrEqual(4_000);
    expect(result.text).not.toContain('not yours');
    expect(result.files.length + result.omitted.count).toBe(4);
  });

  it('stops when asked to', async () => {
    const folder = folderWith({ 'a.ts': 'a\n' });
    await expect(digest(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('what cannot be digested', () => {
  it.each([
    ['a missing path', () => join(folderWith({}), 'nothing-here'), {}, 'SOURCE_NOT_FOUND'],
    ['a file', () => join(folderWith({ 'a.txt': 'x' }), 'a.txt'), {}, 'SOURCE_NOT_A_FOLDER'],
    ['an empty folder', () => folderWith({}), {}, 'SOURCE_EMPTY'],
    ['a ref of a plain folder', () => folderWith({ a: 'x' }), { ref: 'main' }, 'NOT_A_REPOSITORY'],
    ['a ref that is not there', () => repositoryWith({ a: 'x' }), { ref: 'nope' }, 'BAD_REF'],
    ['a ref like an option', () => repositoryWith({ a: 'x' }), { ref: '--all' }, 'BAD_REF'],
    ['a budget of 50', () => repositoryWith({ a: 'x' }), { budget: CHARS(50) }, 'BUDGET_TOO_SMALL'],
    [
      'a pattern that nothing matches',
      () => folderWith({ a: 'x' }),
      { include: ['*.zzz'] },
      'NOTHING_MATCHES',
    ],
    ['an unbalanced pattern', () => folderWith({ a: 'x' }), { exclude: ['[a'] }, 'BAD_GLOB'],
  ])('%s', async (_, source, options, code) => {
    await expect(digest(source(), options)).rejects.toMatchObject({
      code,
      message: expect.not.stringMatching(/\n/),
    });
  });

  it('the inside of a bare repository, whose newest commit can be', async () => {
    const folder = repositoryWith({ 'README.md': 'x\n' });
    const bare = join(folderWith({}), 'bare.git');
    git(folder, 'clone', '-q', '--bare', folder, bare);
    await expect(digest(join(bare, 'refs'))).rejects.toMatchObject({ code: 'BARE_REPOSITORY' });
    expect((await digest(bare)).source).toMatchObject({ ref: 'main' });
    expect(pathsOf(await digest(bare, { ref: 'HEAD' }))).toEqual(['README.md']);
  });

  it('a ref where there is no commit', async () => {
    const folder = folderWith({ 'a.ts': 'x\n' });
    git(folder, 'init', '-q');
    await expect(digest(folder, { ref: 'HEAD' })).rejects.toMatchObject({ code: 'NO_COMMIT' });
    const result = await digest(folder);
    expect(pathsOf(result)).toEqual(['a.ts']);
    expect(result.text).toContain('no commit yet');
  });
});

describe('the way to a source', () => {
  it('changes nothing but the head, whatever is told of it and however small the budget', async () => {
    const files = Array.from({ length: 60 }, (_, i) => ({
      path: `${i % 3 === 0 ? 'x' : i % 3 === 1 ? 'with-a-long-name' : 'src'}/file${i}.ts`,
      content: `export const value${i} = ${i};\n`.repeat(1 + i),
    }));
    const plain = memorySource(files, { kind: 'git', name: 'x', ref: 'main', commit: 'a'.repeat(40) });
    const byId = { ...plain, facts: { ...plain.facts, ref: 'a'.repeat(40) } };
    const host = {
      description: 'd'.repeat(500),
      stars: 12_345,
      topics: Array(40).fill('topic'),
      license: 'MIT',
    };
    const facts = {
      ...plain.facts,
      name: 'a-long-owner/with-a-long-name',
      url: `https://${'h'.repeat(90)}.example/o/r`,
      host,
    };
    const notes = [{ code: 'RENAMED', message: 'It has moved. '.repeat(30) }];
    const told = { ...plain, facts, notes };
    const chars = [900, 1200, 1500, 2000, 3000, 5000, 8000, 13_000, 20_000, 40_000].map(CHARS);
    const tokens = [1000, 2500, 4000, 9990, 10_000].map((limit) => ({ unit: 'tokens', limit }) as const);
    for (const budget of [...chars, ...tokens]) {
      const [a, b, c] = [
        await digestSource(plain, ALL, { budget }),
        await digestSource(told, ALL, { budget }),
        await digestSource(byId, ALL, { budget }),
      ];
      const rest = ({ text }: typeof a): string => text.slice(text.indexOf('\n## Tree'));
      expect(rest(b)).toBe(rest(a));
      expect(rest(c)).toBe(rest(a));
      expect(b.budget.used).toBeLessThanOrEqual(budget.limit);
      expect(b.warnings).toEqual(notes);
    }
  });
});
