import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commitHostileNames, commitManyFiles, HostileRepository } from './hostile-repository.ts';
import { folderWith, write } from './repository.ts';
import { serveGit } from './servers/git-http.ts';
import { serve } from './servers/github-fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAIN = resolve('dist/cli/main.js');
const MOST_MEMORY = 500 * 1024;

/** A user whose git would run a program for a filter that a repository's attributes name. */
function home(): string {
  const folder = folderWith({});
  const evil = `!touch ${join(folder, 'owned')}; cat`;
  const config = `[filter "evil"]\n\tsmudge = "${evil}"\n\tclean = "${evil}"\n\trequired = true\n[diff "evil"]\n\ttextconv = "${evil}"\n`;
  write(folder, { '.gitconfig': config, 'cwd/.keep': '', 'tmp/.keep': '', 'cache/.keep': '' });
  return folder;
}

/** Runs the command as that user; what it writes anywhere but into its cache, and its largest resident set in kB. */
async function digest(args: readonly string[], extra: NodeJS.ProcessEnv = {}) {
  const folder = home();
  const before = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    PLIMSOLL_CACHE_DIR: join(folder, 'cache'),
    ...extra,
  };
  const child = spawn(process.execPath, [MAIN, 'digest', ...args], { cwd: join(folder, 'cwd'), env });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, ...family(child.pid as number).map(residentSet));
  }, 20);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  clearInterval(watch);
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !before.includes(name) && !name.startsWith('cache/'),
  );
  return { code, stdout, stderr, written, peak };
}

function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => family(Number(child)))];
  } catch {
    return [];
  }
}

/** The most that a process has held in memory so far, in kB. */
function residentSet(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The document from its tree on: the head names the way. */
function body(document: string): string {
  return document.slice(document.indexOf('\n## Tree'));
}

const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe('a hostile repository', () => {
  const base = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'));
  const repository = new HostileRepository(join(base, 'hostile.git'));

  afterAll(() => rmSync(base, { recursive: true }));

  beforeAll(async () => {
    commitHostileNames(repository);
    commitManyFiles(repository);
    await repository.commitLargeFile('large', 2 ** 31);
  });

  test.each(['main', 'wide', 'large'])(
    '%s is the same by git as from the disk, in bounded memory',
    async (branch) => {
      const server = await serveGit(base);
      const here = await digest([repository.folder, '--ref', branch, '--budget', '60000']);
      const there = await digest([`${server.url}/hostile.git`, '--ref', branch, '--budget', '60000']);
      await server.close();
      for (const { code, stdout, stderr, written, peak } of [here, there]) {
        expect({ code, stderr, written }).toEqual({ code: 0, stderr: '', written: [] });
        expect(stdout).not.toMatch(CONTROLS);
        expect(peak).toBeGreaterThan(10_000);
        expect(peak).toBeLessThan(MOST_MEMORY);
      }
      expect(body(there.stdout)).toBe(body(here.stdout));
    },
  );

  test.each(['main', 'wide', 'large'])(
    '%s by the API writes nothing, runs nothing, in bounded memory',
    async (branch) => {
      const server = await serve({ 'evil/hostile': { path: repository.folder } });
      const { code, stdout, stderr, written, peak } = await digest(
        [`${server.url}/evil/hostile`, '--ref', branch],
        {
          PLIMSOLL_GITHUB_API: `${server.url}/api/v3`,
        },
      );
      expect({ code, written }).toEqual({ code: 0, written: [] });
      expect(stdout + stderr).not.toMatch(CONTROLS);
      expect(stdout).toContain('README.md');
      expect(peak).toBeLessThan(MOST_MEMORY);
      if (branch === 'wide') expect(stdout).toContain('## Tree (incomplete: ');
      if (branch === 'large') expect(stdout).toContain('larger than the 100 MB that GitHub gives out');
    },
  );
});
