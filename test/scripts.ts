import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Starts a JavaScript module in a process of its own, in the folder `built`. `prelude` stands before `script`; `setup`
 * is shell that comes before all.
 */
export function startModule(
  prelude: string,
  built: string,
  script: string,
  args: readonly string[],
  setup = '',
): ChildProcess {
  const node = [process.execPath, '--input-type=module', '--eval', prelude + script];
  return spawn('sh', ['-c', `${setup}\nexec "$0" "$@"`, ...node, ...args], {
    cwd: built,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Waits for a process to end, and gives its exit code and what it printed, errors included. */
export async function outcomeOf(child: ChildProcess): Promise<[number | null, string]> {
  const output = [child.stdout, child.stderr].map((stream) => text(stream as Readable));
  const [[code], ...printed] = await Promise.all([once(child, 'close'), ...output]);
  return [code, printed.join('')];
}
