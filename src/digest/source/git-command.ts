import { type ChildProcess, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { decodeName } from './names.ts';

/** Before every command: whatever a repository's own configuration says, no program of its choice runs. */
const SAFE_ARGUMENTS: readonly string[] = [
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    `core.hooksPath=${devNull}`,
    'log.showSignature=false',
    // Git is only run in repositories that the user names, or that are in the cache.
    'safe.bareRepository=all',
  ].flatMap((setting) => ['-c', setting]),
];

/** What of git's own environment is kept: where the user's configuration is, and how far to look upwards. */
const KEPT_VARIABLE = /^GIT_(?:CONFIG_.+|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;
/** The same for a command that reaches a host, and how it does that. */
const KEPT_FOR_NETWORK = /^GIT_(?:CONFIG_.+|EXEC_PATH|SSH.*|SSL_.+|HTTP_.+|PROXY_.+)$/;

const SAFE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

export interface GitExit {
  /** `null` where git did not come to its end: it could not be started, or was stopped. */
  readonly code: number | null;
  readonly stderr: string;
  /** True where there is no git to start. */
  readonly isMissing: boolean;
}

export interface GitRun {
  readonly stdout: Readable;
  /** Never rejects. */
  readonly exit: Promise<GitExit>;
  /** Gives the command a line of input, where it was started to take any. */
  write(line: string): void;
  /** Tells the command that no more input comes. */
  end(): void;
  stop(): void;
}

/** A name in git's configuration, and its value. */
export type Setting = readonly [name: string, value: string];

/** How a command may reach a host. */
export interface Network {
  /** Protocols as git names them; no other is used, wherever a host may redirect to. */
  readonly protocols: readonly string[];
  /** Settings that aren't for others to see: unlike arguments, the environment is not. A name may come twice. */
  readonly config: readonly Setting[];
}

export interface GitOptions {
  /** Without it, nothing reaches the network. */
  readonly network?: Network;
  /** Configuration for this command, stronger than the repository's. */
  readonly settings?: readonly Setting[];
  /** Variables of git's that are set for this command. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Called with what the command says on stderr, as it does. */
  readonly onStderr?: (text: string) => void;
  /** Ends the command when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** True for a command that takes input. */
  readonly takesInput?: boolean;
}

/** Starts git in a folder, set up so that an untrusted repository can do no harm. */
export function startGit(folder: string, args: readonly string[], options: GitOptions = {}): GitRun {
  const { network, signal, takesInput = false, onStderr } = options;
  const child = spawn('git', [...SAFE_ARGUMENTS, ...args], {
    cwd: folder,
    env: environment(options),
    stdio: [takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: network !== undefined && HAS_GROUPS,
  });
  const stop = (): void => void (network ? endGroup(child) : child.kill());
  stopOnAbort(child, stop, signal);
  if (network) stopAtExit(child, stop);
  // A command that has ended takes no more input; its exit says so.
  child.stdin?.on('error', () => {});
  if (onStderr) child.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString('utf8')));
  return {
    stdout: child.stdout as Readable,
    exit: exitOf(child),
    write: (line) => child.stdin?.write(`${line}\n`),
    end: () => child.stdin?.end(),
    stop,
  };
}

const HAS_GROUPS = process.platform !== 'win32';

/**
 * Ends a command that may reach a host, with the programs that it has started: one that waits for the host would
 * outlive it, and keep its output open. It leads a group of its own, which also keeps it from asking on the terminal.
 */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || !HAS_GROUPS) {
    child.kill();
    return;
  }
  try {
    process.kill(-child.pid);
  } catch {
    // The group has ended.
  }
}

function stopOnAbort(child: ChildProcess, stop: () => void, signal: AbortSignal | undefined): void {
  signal?.addEventListener('abort', stop);
  child.once('close', () => signal?.removeEventListener('abort', stop));
  if (signal?.aborted) stop();
}

function stopAtExit(child: ChildProcess, stop: () => void): void {
  if (running.size === 0) process.on('exit', stopAll);
  running.add(stop);
  child.once('close', () => {
    running.delete(stop);
    if (running.size === 0) process.off('exit', stopAll);
  });
}

/** What ends the commands that may reach a host. */
const running = new Set<() => void>();

function stopAll(): void {
  for (const stop of running) stop();
}

/** Runs git to its end. */
export async function runGit(
  folder: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<GitExit & { stdout: string }> {
  const run = startGit(folder, args, options);
  const stdout = await textOf(run.stdout);
  return { ...(await run.exit), stdout };
}

/** Runs git to its end and gives the NUL-terminated records of its output. */
export async function listGit(
  folder: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<GitRecords> {
  const run = startGit(folder, args, options);
  const records: string[] = [];
  for await (const batch of recordsOf(run.stdout)) for (const record of batch) records.push(record);
  return { ...(await run.exit), records };
}

export interface GitRecords extends GitExit {
  readonly records: readonly string[];
}

/** The records of an output by the batch, as names are decoded. Each ends with the byte `end`. */
export async function* recordsOf(output: Readable, end = 0): AsyncGenerator<string[]> {
  let pending: Buffer[] = [];
  for await (const chunk of chunksOf(output)) {
    const last = chunk.lastIndexOf(end);
    pending.push(last < 0 ? chunk : chunk.subarray(0, last));
    if (last < 0) continue;
    yield decodeRecords(pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending), end);
    pending = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
  }
}

function decodeRecords(bytes: Buffer, end: number): string[] {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text.split(String.fromCharCode(end));
  const records: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const found = bytes.indexOf(end, from);
    const to = found < 0 ? bytes.length : found;
    records.push(decodeName(bytes.subarray(from, to)));
    from = to + 1;
  }
  return records;
}

function environment({ network, settings = [], variables }: GitOptions): NodeJS.ProcessEnv {
  const keptNames = network ? KEPT_FOR_NETWORK : KEPT_VARIABLE;
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_') || keptNames.test(name),
  );
  const protocols = network ? network.protocols.join(':') : 'none';
  return {
    ...Object.fromEntries(kept),
    ...SAFE_ENVIRONMENT,
    GIT_ALLOW_PROTOCOL: protocols,
    ...configVariables([...(network?.config ?? []), ...settings]),
    ...variables,
  };
}

/** Configuration as variables (git-config(1), `GIT_CONFIG_COUNT`), after those that the user has set. */
function configVariables(settings: readonly Setting[]): Record<string, string> {
  const first = Number(process.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const variables = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(first + settings.length) };
}

function exitOf(child: ChildProcess): Promise<GitExit> {
  return new Promise((resolve) => {
    const stderr = endOf(child.stderr as Readable);
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: null, stderr: '', isMissing: error.code === 'ENOENT' });
    });
    child.once('close', async (code) => resolve({ code, stderr: await stderr, isMissing: false }));
  });
}

/** What a command says last. A host may have it say without end. */
async function endOf(stream: Readable): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of chunksOf(stream)) end = Buffer.concat([end, chunk]).subarray(-MOST_STDERR);
  return end.toString('utf8');
}

const MOST_STDERR = 64 * 1024;

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(stream)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A stopped command's output just ends: how it fared is told by its exit. */
async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
