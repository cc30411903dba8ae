import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect } from 'vitest';

export const MAIN = resolve('dist/cli/main.js');

/** Variables of whoever runs the tests that would lead to their own models, transcripts and memory. */
const FOREIGN =
  /^(?:(?:PLIMSOLL|GOPHER|OLLAMA|XDG|CLAUDE|CODEX|GEMINI|GPTME|COPILOT|AIDER)_|(?:HTTPS?|ALL|NO)_PROXY$)/i;

const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));

/** A machine of the test's own: a home, a current folder, and the folder of memory. */
export interface Place {
  readonly base: string;
  readonly home: string;
  readonly here: string;
  readonly data: string;
}

export let place: Place;

beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-transcript-')));
  place = { base, home: join(base, 'home'), here: join(base, 'here'), data: join(base, 'data') };
  mkdirSync(place.home);
  mkdirSync(place.here);
});

afterEach(() => rmSync(place.base, { recursive: true }));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

export function environment(more: Env = {}): NodeJS.ProcessEnv {
  const { home, data } = place;
  return { ...own, HOME: home, USERPROFILE: home, PLIMSOLL_DATA_DIR: data, ...more };
}

export interface Running {
  readonly child: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

/** Starts `plimsoll`; nothing of it is a terminal. */
export function started(args: readonly string[], env: Env = {}): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: place.here,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  );
  return { child, outcome };
}

export function plimsoll(...args: string[]): Promise<Outcome> {
  return started(args).outcome;
}

/** What a command prints that goes well and has nothing to warn of. */
export async function printed(...args: string[]): Promise<string> {
  const { stdout, ...rest } = await plimsoll(...args);
  expect(rest).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** What a command says that fails, in one line. */
export async function failed(code: number, ...args: string[]): Promise<string> {
  const { stderr, ...rest } = await plimsoll(...args);
  expect(rest).toEqual({ code, stdout: '' });
  expect(stderr).toMatch(/^plimsoll: [^\n]+\n$/);
  return stderr;
}

export interface Said {
  readonly role?: 'user' | 'assistant';
  readonly time?: string;
  readonly more?: object;
}

/** A line of a session of Claude Code. */
export function said(id: string, content: unknown, { role = 'user', time, more }: Said = {}): string {
  const record = { type: role, uuid: id, sessionId: 's1', timestamp: time ?? '2026-03-02T09:00:00.000Z' };
  return `${JSON.stringify({ ...record, message: { role, content }, ...more })}\n`;
}

/** Writes a file below the current folder, or where an absolute path says; gives its path. */
export function written(path: string, ...lines: (string | Buffer)[]): string {
  const whole = resolve(place.here, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, Buffer.concat(lines.map((line) => Buffer.from(line))));
  return whole;
}

/** What memory holds; none if there is none. */
export function facts(): unknown {
  const path = join(place.data, 'context.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** All that is written below a folder, names and contents. */
export function allIn(folder: string): string {
  if (!existsSync(folder)) return '';
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return files.map((path) => `${path}\n${readFileSync(path, 'latin1')}`).join('\n');
}
