import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import { newCache, servePartly, withoutUserConfig } from './remote.ts';
import { folderWith, git } from './repository.ts';
import { send } from './servers/answer.ts';
import { gitBackend } from './servers/git-backend.ts';
import { addCommit } from './varied-repository.ts';

const MAIN = resolve('dist/cli/main.js');
const KILLS = 50;
const AT_ONCE = 5;
const SEED = 20_261_201;

withoutUserConfig();

/** A small repository on a host that takes its time, so that a run has its moments. */
async function serveSlowly(): Promise<{ readonly path: string; readonly address: string }> {
  const root = folderWith({});
  const path = join(root, 'r.git');
  git(root, 'init', '-q', '--bare', '-b', 'main', path);
  const { url } = await servePartly(root, path, {
    hook: (request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://host');
      const place = { root, path: pathname, query: search.slice(1) };
      void gitBackend(request, place).then((answer) =>
        send(response, answer, { kind: 'slow', bytesPerSecond: 50_000 }),
      );
      return true;
    },
  });
  const address = `${url}/r.git`;
  git(path, 'config', 'remote.origin.url', address);
  return { path, address };
}

/** Adds a commit of which each blob is new. */
function change(path: string, random: () => number): string {
  const noise = () => Array.from({ length: 200 }, () => `// ${random().toString(36)}\n`).join('');
  return addCommit(path, 'main', { 'README.md': noise(), 'src/a.ts': noise(), 'src/b/c.ts': noise() });
}

/** The document as a clone's, without anything fetched. */
async function expected(path: string): Promise<string> {
  return (await digest(path, { ref: 'main' })).text;
}

function start(address: string, folder: string): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'digest', address, '--quiet'], {
    cwd: dirname(folder),
    env: { ...process.env, PLIMSOLL_CACHE_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function finish(child: ChildProcess): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

async function killAt(child: ChildProcess, moment: number): Promise<boolean> {
  const exit = once(child, 'exit');
  await pause(moment);
  child.kill('SIGKILL');
  await exit;
  return child.signalCode === 'SIGKILL';
}

function scratchIn(folder: string): string[] {
  return existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : [];
}

/** Numbers from 0 to 1 that lie evenly, however many of them are taken: multiples of the golden ratio. */
function spread(index: number): number {
  return (index * 0.618_034) % 1;
}

/** Numbers from 0 to 1, always the same: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('whenever a run is killed, the next ones find a cache that is whole', { timeout: 120_000 }, async () => {
  const { path, address } = await serveSlowly();
  const { folder, limit } = newCache();
  const random = randomFrom(SEED);
  const commits = [change(path, random)];
  const begin = performance.now();
  const { folder: other } = newCache();
  const runs = await Promise.all(Array.from({ length: AT_ONCE }, () => finish(start(address, other))));
  const duration = performance.now() - begin;
  expect(runs.map(({ code }) => code)).toEqual(Array(AT_ONCE).fill(0));

  const offset = random();
  let victims = 0;
  let killed = 0;
  let left = 0;
  while (killed < KILLS || left === 0) {
    expect(victims).toBeLessThan(3 * KILLS);
    commits.push(change(path, random));
    const batch = Array.from({ length: AT_ONCE }, () =>
      killAt(start(address, folder), spread(victims++ + offset) * duration),
    );
    killed += (await Promise.all(batch)).filter(Boolean).length;
    left += scratchIn(folder).length;
    const { text } = await digest(address, { remote: { cache: { folder, limit } } });
    expect(text).toBe(await expected(path));
    expect(scratchIn(folder)).toEqual([]);
  }

  const [entry = ''] = readdirSync(folder).filter((name) => name.startsWith('git-'));
  const marked = readdirSync(join(folder, entry, 'commits'));
  expect(marked.length).toBeGreaterThanOrEqual(KILLS / AT_ONCE);
  for (const commit of marked) {
    expect(commits).toContain(commit);
    git(join(folder, entry, 'repository.git'), 'archive', '--output', '/dev/null', '--format', 'tar', commit);
  }
});

test('runs that fetch the same new repository at the same time all succeed', async () => {
  const { path, address } = await serveSlowly();
  change(path, randomFrom(SEED));
  const { folder } = newCache();
  const runs = await Promise.all(Array.from({ length: 3 }, () => finish(start(address, folder))));
  const stdout = await expected(path);
  expect(runs).toEqual(Array(3).fill({ code: 0, stdout, stderr: '' }));
  expect(scratchIn(folder)).toEqual([]);
});
