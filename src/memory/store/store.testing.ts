import type { ChildProcess } from 'node:child_process';
import { build } from 'tsdown';
import { onTestFinished, vi } from 'vitest';
import { outcomeOf, startModule } from '../../../test/scripts.ts';
import { FILES, type Files } from './files.ts';

/** A system call's name, and what it is called with. */
export type Call = readonly [name: keyof Files, args: readonly unknown[]];

/** The system's calls, with something done before and after each of them, also of those that fail. */
export function watch(before: (...call: Call) => void, after: (...call: Call) => void = () => {}): Files {
  const watched = Object.entries({ ...FILES }).map(([name, call]) => {
    const watchedCall = (...args: unknown[]) => {
      before(name as keyof Files, args);
      try {
        return Reflect.apply(call as (...args: unknown[]) => unknown, FILES, args);
      } finally {
        after(name as keyof Files, args);
      }
    };
    return [name, watchedCall];
  });
  return Object.fromEntries(watched) as Files;
}

/** Has this process's own clock go faster until the test is over. */
export function hasten(times: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() * times);
  onTestFinished(() => void vi.restoreAllMocks());
}

/** An error as the system gives it. */
export function systemError(code: string, errno: number): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: not to be shown`), { code, errno: -errno });
}

/** Makes in `folder` what `startScript` runs. */
export async function buildStore(folder: string): Promise<void> {
  const entry = ['src/memory/store/files.ts', 'src/memory/store/lock.ts', 'src/memory/store/update.ts'];
  const rest = { config: false, format: 'esm', clean: false, dts: false, logLevel: 'silent' } as const;
  await build({ entry, outDir: folder, ...rest });
}

/** What a script has besides its arguments in `args`. */
const PRELUDE = `
  import fs from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { FILES } from './files.mjs';
  import { withLock } from './lock.mjs';
  import { readFile, updateFile } from './update.mjs';
  const args = process.argv.slice(1);
  const isWhole = (bytes) => {
    try { return Boolean(JSON.parse(bytes)); } catch { return false; }
  };
  /** Changes the value of a file of JSON. */
  const change = (path, edit, files = FILES) => updateFile(path, (bytes) => {
    const value = JSON.parse(bytes ?? '{}');
    edit(value);
    return { bytes: Buffer.from(JSON.stringify(value)), answer: value };
  }, { isWhole, files });
`;

/** Starts a JavaScript module that may use the store, in a process of its own, where it was built. */
export function startScript(...start: Start): ChildProcess {
  return startModule(PRELUDE, ...start);
}

/** Runs such a module to its end, and gives its exit code and what it printed, errors included. */
export function runScript(...start: Start): Promise<[number | null, string]> {
  return outcomeOf(startScript(...start));
}

type Start = [built: string, script: string, args: readonly string[], setup?: string];
