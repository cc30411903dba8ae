import { join } from 'node:path';
import { bytesBelow } from '../../../../cache/bytes.ts';
import { PlimsollError } from '../../../../errors.ts';
import { visibleName } from '../../../../text/visible.ts';
import type { GitExit, GitRun, Setting } from '../../git-command.ts';
import { runGit, startGit } from '../../git-command.ts';
import { throwIfAborted } from '../../pace.ts';
import type { Refs } from '../refs.ts';
import { Silence } from '../silence.ts';
import { describeGitFailure } from './failure.ts';

/** A user name and password; of a token, what stands for them. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface GitHostOptions {
  /** What git takes, without credentials. */
  readonly cloneUrl: string;
  /** For messages. */
  readonly shownUrl: string;
  /** For hosts reached by http. Never shown. */
  readonly login?: Login | undefined;
  /** How long the host may be silent, in seconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly onReceived?: (received: Received) => void;
}

/** How far a transfer is. */
export interface Received {
  readonly objects: number;
  readonly total: number;
  readonly bytes: number;
}

/** What git says on stderr of a transfer: `Receiving objects:  12% (30/247), 1.20 MiB | 800.00 KiB/s`. */
const RECEIVING = /Receiving objects: +\d+% \((\d+)\/(\d+)\)(?:, ([\d.]+) (bytes|KiB|MiB|GiB))?/g;
const UNITS: Readonly<Record<string, number>> = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Files of so many bytes are never held whole by git: they are written as they come. */
const BIG_FILE = '8m';

/**
 * A repository on another machine, to which the user's own git talks, with their keys, helpers and proxies.
 * It asks for no password and runs nothing of the repository's.
 */
export class GitHost {
  readonly #options: GitHostOptions;
  #ssh: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(options: GitHostOptions) {
    this.#options = options;
  }

  /**
   * The repository's branches and tags, or all refs with the one that stands first.
   * Throws a `PlimsollError` that says why the host can't be asked.
   */
  async refs(scope: 'all' | 'branches-and-tags'): Promise<Refs> {
    const form = scope === 'all' ? [] : ['--heads', '--tags'];
    const { stdout, exit } = await this.#run(
      NO_FOLDER,
      ['ls-remote', '--quiet', '--symref', ...form, REMOTE],
      {
        GIT_DIR: NO_REPOSITORY,
      },
    );
    if (exit.code !== 0) throw describeGitFailure(exit, this.#options.shownUrl);
    const movedTo = REDIRECTED.exec(exit.stderr)?.[1];
    return { ...parseRefs(stdout), ...(movedTo !== undefined && { movedTo }) };
  }

  /**
   * Fetches a commit with its trees, and without contents where the host can leave them out, into a repository.
   * `what` is a full ref or id. Gives the commit's id, which may be newer than the one last told for a ref.
   */
  async fetchCommit(repository: string, what: string): Promise<string> {
    let exit = await this.#fetch(repository, ['--depth=1', '--filter=blob:none', REMOTE, what]);
    if (exit.code !== 0 && NOT_SHALLOW.test(exit.stderr)) {
      exit = await this.#fetch(repository, [REMOTE, what]);
      if (exit.code === 0) await packFetched(repository);
    }
    if (exit.code !== 0) throw describeGitFailure(exit, this.#options.shownUrl);
    const { code, stdout } = await runGit(repository, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}']);
    if (code !== 0) {
      const where = visibleName(this.#options.shownUrl);
      throw new PlimsollError('BAD_REF', `${visibleName(what)} in ${where} is no commit: name another ref.`);
    }
    return stdout.trim();
  }

  /** Fetches a commit with all that is in it. */
  async fetchWhole(repository: string, what: string): Promise<void> {
    const exit = await this.#fetch(repository, ['--depth=1', REMOTE, what]);
    if (exit.code !== 0) throw describeGitFailure(exit, this.#options.shownUrl);
  }

  /** Fetches contents by their ids, all in one request. False where the host doesn't give single ones out. */
  async fetchBlobs(repository: string, ids: readonly string[]): Promise<boolean> {
    const args = ['--filter=blob:none', '--no-write-fetch-head', '--stdin', REMOTE];
    const exit = await this.#fetch(repository, args, ids);
    if (exit.code === 0) return true;
    if (NOT_SINGLY.test(exit.stderr)) return false;
    throw describeGitFailure(exit, this.#options.shownUrl);
  }

  async #fetch(repository: string, args: readonly string[], lines: readonly string[] = []): Promise<GitExit> {
    const form = ['--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', '--progress'];
    const { exit } = await this.#run(repository, ['fetch', ...form, ...args], {}, lines);
    return exit;
  }

  async #run(
    folder: string,
    args: readonly string[],
    variables: Readonly<Record<string, string>>,
    lines: readonly string[] = [],
  ): Promise<{ stdout: string; exit: GitExit }> {
    const { shownUrl, timeout, signal, onReceived } = this.#options;
    throwIfAborted(signal);
    const silence = new Silence(shownUrl, timeout);
    const watch = breakWhileGrowing(silence, join(folder, 'objects/pack'), timeout);
    try {
      const run = startGit(folder, args, {
        network: { protocols: [...PROTOCOLS], config: this.#config() },
        variables: { ...NEVER_ASK, ...this.#login(), ...(await this.#sshCommand()), ...variables },
        takesInput: true,
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
        onStderr: (text) => {
          silence.break();
          const received = parseReceived(text);
          if (received) onReceived?.(received);
        },
      });
      for (const line of lines) run.write(line);
      run.end();
      const stdout = await textOf(run, silence);
      const exit = await run.exit;
      throwIfAborted(signal);
      if (silence.isOver) throw silence.error();
      return { stdout, exit };
    } finally {
      clearInterval(watch);
      silence.end();
    }
  }

  #config(): Setting[] {
    const { cloneUrl, login } = this.#options;
    const settings: Setting[] = [[`remote.${REMOTE}.url`, cloneUrl], ...OWN_CONFIG];
    if (!login) return settings;
    const helper = `credential.${new URL(cloneUrl).origin}.helper`;
    return [...settings, [helper, ''], [helper, LOGIN_HELPER]];
  }

  #login(): Record<string, string> {
    const { login } = this.#options;
    return login ? { PLIMSOLL_GIT_USER: login.user, PLIMSOLL_GIT_PASSWORD: login.password } : {};
  }

  /** The user's own ssh command, made to fail where it would ask. Other programs than ssh have no such option. */
  #sshCommand(): Promise<Readonly<Record<string, string>>> {
    this.#ssh ??= (async () => {
      if (!SSH_URL.test(this.#options.cloneUrl) || process.env.GIT_SSH) return {};
      const configured =
        process.env.GIT_SSH_COMMAND ?? (await runGit(NO_FOLDER, ['config', 'core.sshCommand'])).stdout.trim();
      const command = configured || 'ssh';
      return IS_SSH.test(command) ? { GIT_SSH_COMMAND: `${command} -oBatchMode=yes` } : {};
    })();
    return this.#ssh;
  }
}

/** What the host is called in git's configuration, such that nothing the user has set for a remote of theirs is meant. */
const REMOTE = 'plimsoll-host';

/** Git runs where it can find no repository: the one it would find has no say in this. */
const NO_FOLDER = process.platform === 'win32' ? `${process.env.SystemRoot ?? 'C:'}\\` : '/';
const NO_REPOSITORY = process.platform === 'win32' ? 'NUL' : '/dev/null';

const PROTOCOLS = ['https', 'http', 'ssh', 'git'];

const NEVER_ASK = { GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' };

/**
 * Tells git the login that is in its environment, in the place of the user's own helpers: those would keep it. Git
 * asks for it for the host alone that it is for, while it would send a header to hosts that redirect leads to, too.
 */
const LOGIN_HELPER = `!f() { test "$1" != get || printf '%s\\n' "username=$PLIMSOLL_GIT_USER" "password=$PLIMSOLL_GIT_PASSWORD"; }; f`;

const OWN_CONFIG: readonly Setting[] = [
  ['protocol.version', '2'],
  ['credential.interactive', 'false'],
  // Packs stay packs, and nothing that is only looked at is checked for what a checkout could do.
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
  ['fetch.fsckObjects', 'false'],
  ['transfer.fsckObjects', 'false'],
  ['core.bigFileThreshold', BIG_FILE],
  ['gc.auto', '0'],
];

const NOT_SHALLOW = /dumb http transport does not support shallow|does not support (?:shallow|--depth)/i;
const REDIRECTED = /^warning: redirecting to (\S+?)\/*$/m;
const NOT_SINGLY = /unadvertised object|not our ref|no such remote ref/i;
const SSH_URL = /^(?:ssh|git\+ssh):|^[^/]+@[^/]+:/;
const IS_SSH = /^\s*(?:\S*\/)?ssh(?:\s|$)/;

/** Git says nothing until the first object is whole, however large it is. What it writes tells that the host is not silent. */
function breakWhileGrowing(silence: Silence, folder: string, seconds: number): NodeJS.Timeout {
  let before = 0;
  return setInterval(async () => {
    const bytes = await bytesBelow(folder);
    if (bytes !== before) silence.break();
    before = bytes;
  }, seconds * 250);
}

/** Puts what was fetched into a pack: from a host without git of its own the objects come one by one. */
async function packFetched(repository: string): Promise<void> {
  const pack = ['pack-objects', '--quiet', '--revs', 'objects/pack/pack'];
  const run = startGit(repository, pack, { takesInput: true });
  run.write('FETCH_HEAD');
  run.end();
  run.stdout.resume();
  const { code, stderr } = await run.exit;
  if (code !== 0)
    throw new PlimsollError('GIT_FAILED', `git can't pack what it fetched: ${visibleName(stderr.trim())}.`);
}

async function textOf(run: GitRun, silence: Silence): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of run.stdout as AsyncIterable<Buffer>) {
      silence.break();
      chunks.push(chunk);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The output of `git ls-remote --symref`. A tag object's own line is followed by that of what it points to. */
function parseRefs(text: string): Refs {
  const commits = new Map<string, string>();
  let branch: string | undefined;
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (name === '') continue;
    if (value.startsWith('ref: ')) {
      if (name === 'HEAD') branch = value.slice('ref: refs/heads/'.length);
    } else {
      commits.set(name.replace(/\^\{\}$/, ''), value);
    }
  }
  const commit = commits.get('HEAD');
  commits.delete('HEAD');
  return { commits, ...(commit !== undefined && { head: { commit, ...(branch && { branch }) } }) };
}

function parseReceived(text: string): Received | undefined {
  const [, objects, total, amount = '0', unit = 'bytes'] = [...text.matchAll(RECEIVING)].at(-1) ?? [];
  if (objects === undefined) return undefined;
  return {
    objects: Number(objects),
    total: Number(total),
    bytes: Math.round(Number(amount) * (UNITS[unit] ?? 1)),
  };
}
