import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { build } from 'tsdown';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startModule } from './scripts.ts';

/** Where nothing has to wait for a disk, if there is such a place. */
const QUICK = '/dev/shm';

/** A folder for much writing, gone after the test. */
export function quickFolder(): string {
  const folder = mkdtempSync(join(isWritable(QUICK) ? QUICK : tmpdir(), 'plimsoll-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Builds what {@link startMemory} needs, for the tests of a file, in the folder that it gives. */
export function builtMemory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-built-'));
  const entry = { memory: 'src/memory/memory.ts', files: 'src/memory/store/files.ts' };
  const rest = { config: false, format: 'esm', clean: false, dts: false, logLevel: 'silent' } as const;
  beforeAll(() => build({ entry, outDir: folder, ...rest }).then(() => {}));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a script has, besides its arguments in `args`. */
const PRELUDE = `
  import fs from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { FILES } from './files.mjs';
  import { Memory } from './memory.mjs';
  const args = process.argv.slice(1);
  /** Says something; when it returns, that is said, whatever becomes of the process. */
  const say = (...words) => fs.writeSync(1, words.join(' ') + '\\n');
  /** What a file holds, nothing if there is none. */
  const look = (path) => {
    try { return fs.readFileSync(path, 'utf8'); } catch (error) { if (error.code !== 'ENOENT') throw error; return ''; }
  };
`;

/** Starts a JavaScript module that may use the memory. It doesn't outlive the test. */
export function startMemory(
  built: string,
  script: string,
  args: readonly (string | number)[],
  setup?: string,
): ChildProcess {
  const child = startModule(PRELUDE, built, script, args.map(String), setup);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** How a process ended, and what it had said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** Waits for the end of a process; `hear` gets each line that it says as it comes. */
export async function ended(child: ChildProcess, hear: (line: string) => void = () => {}): Promise<Ended> {
  const lines: string[] = [];
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  createInterface({ input: child.stdout as Readable }).on('line', (line) => {
    lines.push(line);
    hear(line);
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, lines, errors };
}
