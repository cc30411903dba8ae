import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { environment, MAIN, run, temporaryFolder } from './wrapped.ts';

export interface Serving {
  /** Options of `plimsoll serve`. */
  readonly options?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** The command that serves, and what it is to be run with; its data goes into a folder of its own. */
export function serveCommand({ options = [], env = {} }: Serving = {}) {
  return {
    command: [process.execPath, MAIN, 'serve', ...options],
    env: { ...environment(temporaryFolder()), ...env },
  };
}

/** Starts `plimsoll serve` on HTTP, and gives its address. */
export async function serveOverHttp(serving: Serving = {}): Promise<string> {
  const { command, env } = serveCommand({ ...serving, options: ['--http', '0', ...(serving.options ?? [])] });
  const { child } = run(command, { env, ...(serving.cwd !== undefined && { cwd: serving.cwd }) });
  for await (const line of createInterface(child.stderr as Readable)) {
    const address = /http:\/\/\S+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('The server has ended');
}
