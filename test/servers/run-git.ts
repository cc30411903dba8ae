import { execFile } from 'node:child_process';
import { CLIENT_ENVIRONMENT } from './git-environment.ts';

export interface GitRun {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs git as a client of a server in this process, which must not be kept waiting. */
export function runGit(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<GitRun> {
  return new Promise((resolve) => {
    execFile('git', args, { env: { ...CLIENT_ENVIRONMENT, ...env } }, (error, output, errors) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: output.trim(), errors });
    });
  });
}
