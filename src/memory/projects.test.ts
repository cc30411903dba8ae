import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Memory } from './memory.ts';
import { findProject, initProject } from './projects.ts';

let base: string;
let data: string;
let repository: string;
let below: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-projects-')));
  data = join(base, 'data');
  repository = join(base, 'repository');
  below = join(repository, 'packages', 'one');
  mkdirSync(below, { recursive: true });
  mkdirSync(join(repository, '.git'));
});

afterEach(() => rmSync(base, { recursive: true }));

describe('a new memory', () => {
  test("is at the repository's root, wherever in it the user is", async () => {
    expect(await initProject(below, data)).toBe(join(repository, '.plimsoll'));
    expect(findProject(below, data)).toEqual({ folder: join(repository, '.plimsoll'), isWanted: true });
    expect(await initProject(repository, data)).toBe(join(repository, '.plimsoll'));
  });

  test('is at the root of a work tree or a submodule, whose .git is a file', async () => {
    writeFileSync(join(repository, 'packages', '.git'), 'gitdir: /somewhere\n');
    expect(await initProject(below, data)).toBe(join(repository, 'packages', '.plimsoll'));
  });

  test('is in the folder itself where there is no repository', async () => {
    const folder = join(base, 'plain');
    mkdirSync(folder);
    expect(await initProject(folder, data)).toBe(join(folder, '.plimsoll'));
  });

  test('is not made where one is on the way to the root: that one is read from then on', async () => {
    const brought = join(repository, 'packages', '.plimsoll');
    mkdirSync(brought);
    expect(await initProject(below, data)).toBe(brought);
    expect(existsSync(join(repository, '.plimsoll'))).toBe(false);
  });

  test('does not hide one that is read already, unless its folder was made by hand', async () => {
    const workspace = join(base, 'workspace');
    const folder = join(workspace, 'one');
    mkdirSync(folder, { recursive: true });
    const outer = await initProject(workspace, data);
    const inner = join(folder, '.plimsoll');
    await expect(initProject(folder, data)).rejects.toMatchObject({
      code: 'BAD_USAGE',
      message: expect.stringMatching(`${outer}.*make the folder '${inner}' yourself`),
    });
    expect(existsSync(inner)).toBe(false);
    mkdirSync(inner);
    expect(await initProject(folder, data)).toBe(inner);
  });

  test('is refused in one line where something else has its name', async () => {
    writeFileSync(join(repository, '.plimsoll'), '');
    await expect(initProject(below, data)).rejects.toMatchObject({
      code: 'MEMORY_UNWRITABLE',
      message: `Cannot make the folder '${join(repository, '.plimsoll')}': something else has that name. Move it away and try again.`,
    });
  });
});

describe('the list of projects', () => {
  const list = () => join(data, 'projects.json');

  test.each([
    ['["/one",\n "/two', /projects\.json is damaged at line 2, column 7: /],
    ['\n', /projects\.json is damaged at line 2, column 1: /],
    ['{"a": 1}', /projects\.json is damaged at line 1, column 1: it must be a list of folders/],
    ['["/one", 2]', /it must be a list of folders/],
  ])('is left alone and named where it is damaged: %j', async (text, message) => {
    const project = await initProject(repository, data);
    writeFileSync(list(), text);
    const refusal = { code: 'MEMORY_DAMAGED', message: expect.stringMatching(message) };
    await expect(initProject(repository, data)).rejects.toMatchObject(refusal);
    expect(readFileSync(list(), 'utf8')).toBe(text);

    const memory = new Memory({ folder: data, workFolder: below, who: 'test' });
    await expect(memory.get('a')).rejects.toMatchObject(refusal);
    await expect(memory.set('a', '1', { scope: 'project' })).rejects.toMatchObject(refusal);
    expect(memory.where().fault).toMatch(message);
    for (const attempt of [
      memory.set('a', '1'),
      memory.delete('a'),
      memory.undo(1),
      memory.setMany([{ key: 'a', json: '1' }]),
      memory.planMany([]),
      memory.addDiary('x'),
      memory.importDiary([]),
    ]) {
      await expect(attempt).rejects.toMatchObject(refusal);
    }
    await memory.set('a', '1', { scope: 'global' });
    expect(existsSync(join(project, 'context.json'))).toBe(false);
  });

  test('is no matter where no project has a memory', async () => {
    mkdirSync(data);
    writeFileSync(list(), '[');
    const memory = new Memory({ folder: data, workFolder: below, who: 'test' });
    await memory.set('a', '1');
    expect(memory.where().fault).toBeUndefined();
  });

  test('that is a folder is named', async () => {
    await initProject(repository, data);
    rmSync(list());
    mkdirSync(list());
    expect(() => findProject(below, data)).toThrow(
      expect.objectContaining({
        code: 'MEMORY_UNREADABLE',
        message: expect.stringMatching(/^Cannot read '.*projects\.json': it is a folder/),
      }),
    );
  });
});

test('whose folder was removed is told of, in the folders that it was read in', async () => {
  const open = (workFolder: string) => new Memory({ folder: data, workFolder, who: 'test' }).where();
  const project = await initProject(below, data);
  expect(open(below).removed).toBeUndefined();
  rmSync(project, { recursive: true });
  expect(open(below)).toMatchObject({ places: [{ scope: 'global' }], removed: project });
  expect(open(base).removed).toBeUndefined();
  await initProject(below, data);
  expect(open(below)).toMatchObject({
    places: [{ scope: 'project' }, { scope: 'global' }],
    removed: undefined,
  });
});

test('whose folder was removed is told of also where one further up is read instead', async () => {
  const open = () => new Memory({ folder: data, workFolder: below, who: 'test' }).where();
  const outer = await initProject(repository, data);
  const inner = join(below, '.plimsoll');
  mkdirSync(inner);
  await initProject(below, data);
  expect(open()).toMatchObject({ places: [{ folder: inner }, {}], removed: undefined });
  rmSync(inner, { recursive: true });
  expect(open()).toMatchObject({ places: [{ folder: outer }, {}], removed: inner });
  mkdirSync(inner);
  rmSync(outer, { recursive: true });
  expect(open()).toMatchObject({ places: [{ folder: inner }, {}], removed: undefined });
});

describe('a repository within the folder of a memory', () => {
  const open = (workFolder: string) => new Memory({ folder: data, workFolder, who: 'test' });

  test.each([
    ['submodule', () => writeFileSync(join(repository, 'packages', '.git'), 'gitdir: ../.git/modules/x\n')],
    ['clone', () => mkdirSync(join(repository, 'packages', '.git'))],
  ])('does not read it, be it a %s; it is told of, and one of its own is made', async (_, make) => {
    const outer = await initProject(repository, data);
    expect(open(below).where()).toMatchObject({ places: [{ folder: outer }, {}], around: undefined });
    make();
    expect(open(below).where()).toMatchObject({
      places: [{ scope: 'global' }],
      around: outer,
      inMainTree: undefined,
    });
    await expect(open(below).set('a', '1', { scope: 'project' })).rejects.toMatchObject({
      code: 'BAD_USAGE',
    });
    const inner = await initProject(below, data);
    expect(inner).toBe(join(repository, 'packages', '.plimsoll'));
    expect(open(below).where()).toMatchObject({ places: [{ folder: inner }, {}], around: undefined });
  });

  test('reads it through a link', async () => {
    const outer = await initProject(repository, data);
    mkdirSync(join(repository, 'packages', '.git'));
    symlinkSync(outer, join(repository, 'packages', '.plimsoll'));
    expect(open(below).where()).toMatchObject({ places: [{ folder: outer }, {}], around: undefined });
  });

  test('is not told of one that nobody asked for', () => {
    mkdirSync(join(repository, '.plimsoll'));
    mkdirSync(join(repository, 'packages', '.git'));
    expect(open(below).where()).toMatchObject({ unwanted: undefined, around: undefined });
  });
});

test.each([
  ['beside it', 'tree'],
  ['in it', join('repository', '.worktrees', 'x')],
])(
  'each work tree of a repository, %s, has a memory of its own, and the main one is told of',
  async (_, place) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: repository });
    rmSync(join(repository, '.git'), { recursive: true });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    const tree = join(base, place);
    git('worktree', 'add', '-q', tree);
    const open = () => new Memory({ folder: data, workFolder: tree, who: 'test' }).where();

    expect(open().inMainTree).toBeUndefined();
    const main = await initProject(below, data);
    expect(open()).toMatchObject({ places: [{ scope: 'global' }], inMainTree: main, around: undefined });
    mkdirSync(join(tree, '.plimsoll'));
    expect(open()).toMatchObject({ unwanted: join(tree, '.plimsoll'), inMainTree: undefined });
    expect(await initProject(tree, data)).toBe(join(tree, '.plimsoll'));
    expect(open()).toMatchObject({
      places: [{ scope: 'project' }, { scope: 'global' }],
      inMainTree: undefined,
    });
  },
);
