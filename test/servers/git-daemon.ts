import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { SERVER_ENVIRONMENT } from './git-environment.ts';
import { listen } from './listen.ts';

export interface GitDaemon {
  /** `git://127.0.0.1:PORT`; a repository's path below the root follows. */
  readonly url: string;
  close(): Promise<void>;
}

const ATTEMPTS = 5;

/** Serves every repository below a folder by `git daemon`. */
export async function serveGitDaemon(root: string): Promise<GitDaemon> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const daemon = start(root, port);
    if (await isReady(daemon)) return { url: `git://127.0.0.1:${port}`, close: () => end(daemon) };
  }
  throw new Error('git daemon does not start');
}

/** A port that nobody listens on; somebody may take it before the daemon does. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** The daemon leads a process group, so that the processes it starts for its clients end with it. */
function start(root: string, port: number): ChildProcess {
  const args = ['--listen=127.0.0.1', `--port=${port}`, '--reuseaddr', '--export-all', `--base-path=${root}`];
  return spawn('git', ['daemon', '--verbose', '--log-destination=stderr', ...args], {
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
}

/** Waits until the daemon says that it listens; `false` if it ends instead. */
async function isReady(daemon: ChildProcess): Promise<boolean> {
  const log = createInterface({ input: daemon.stderr as NodeJS.ReadableStream });
  return new Promise((resolve) => {
    log.on('line', (line) => {
      if (line.includes('Ready to rumble')) resolve(true);
    });
    log.once('close', () => resolve(false));
  });
}

/** A process that serves a client heeds no milder signal. */
async function end(daemon: ChildProcess): Promise<void> {
  const ended = once(daemon, 'exit');
  process.kill(-(daemon.pid as number), 'SIGKILL');
  await ended;
}
