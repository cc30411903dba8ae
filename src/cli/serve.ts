import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Limit } from '../measure/limit.ts';
import { ownServer } from '../server/serve.ts';
import { loadSettings } from '../settings/load.ts';
import type { Job } from '../settings/settings.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { keepStdoutClean } from '../stdout.ts';
import { visibleName } from '../text/visible.ts';
import { Bridge } from '../wrap/bridge.ts';
import { BOUNDED_METHODS } from '../wrap/kinds.ts';
import { Policy } from '../wrap/policy.ts';
import { Recorder } from '../wrap/stats/record.ts';
import { type Wrapping, wrapOverHttp, wrapOverStdio } from '../wrap/wrap.ts';
import { currentFolder } from './current-folder.ts';
import { collect, limitIn, parsePort } from './flags.ts';
import { Interrupted } from './interrupt.ts';
import { log, warn } from './warn.ts';
import { takeToken } from './wrap-token.ts';

/** What our server is called in settings and statistics. */
const NAME = 'plimsoll';

const HELP = `
Its tools digest repositories, read on in them, remember facts, keep a diary and digest
transcripts; see docs/server.md. plimsoll install adds it to a client.

Settings: these options; the environment (PLIMSOLL_DATA_DIR, GITHUB_TOKEN,
PLIMSOLL_MAX_RESULT_CHARS, PLIMSOLL_MODEL and others); .env and plimsoll.config.json,
which may not say where data is or goes. The file that --env-file names may.

Examples:
  plimsoll serve
  plimsoll serve --root ~/projects
  plimsoll serve --http 8080 --token-file ~/.plimsoll-token`;

interface Flags {
  readonly http?: number;
  readonly host?: string;
  readonly tokenFile?: string;
  readonly allowOrigin?: readonly string[];
  readonly limit?: string;
  readonly root?: readonly string[];
  readonly envFile?: string;
}

/** Adds the options and action of `plimsoll serve`. */
export function defineServe(command: Command): void {
  command
    .option('--http <PORT>', 'serve over HTTP instead of stdio; 0 is any free port', parsePort)
    .option('--host <HOST>', 'where to listen (127.0.0.1); any other needs a token')
    .option('--token-file <FILE>', 'a file with the token that clients must send (or PLIMSOLL_SERVE_TOKEN)')
    .option('--allow-origin <ORIGIN>', 'let web pages of this origin in (repeatable)', collect)
    .option('-l, --limit <N>', "the most a result may hold, instead of what the client's cap allows")
    .option('--root <FOLDER>', 'let clients have folders in this one digested (repeatable)', collect)
    .option(
      '--env-file <FILE>',
      'take variables of this file, such as the .env of a former server, for the environment',
    )
    .addHelpText('after', HELP)
    .action(runServe);
}

async function runServe(flags: Flags): Promise<void> {
  keepStdoutClean();
  const wrapping = wrappingOf(flags);
  if (flags.http !== undefined) {
    const { host, tokenFile, allowOrigin } = flags;
    const token = takeToken(tokenFile, 'PLIMSOLL_SERVE_TOKEN');
    const exitCode = await wrapOverHttp(wrapping, {
      port: flags.http,
      host,
      token,
      allowedOrigins: allowOrigin,
    });
    throw new Interrupted(exitCode);
  }
  for (const name of ['host', 'tokenFile', 'allowOrigin'] as const) {
    if (flags[name] !== undefined) throw new PlimsollError('BAD_USAGE', `--${dashed(name)} needs --http.`);
  }
  const { exitCode } = await wrapOverStdio(wrapping);
  if (exitCode !== undefined) throw new Interrupted(exitCode);
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads the settings: those that can't be used are warned of, and never stop the server. */
function wrappingOf({ limit, http, root = [], envFile }: Flags): Wrapping {
  const workFolder = folderHere();
  const env = envFile === undefined ? process.env : withVariablesOf(envFile);
  const given: Limit | undefined =
    limit === undefined ? undefined : limitIn(limit, (problem) => warn([`--limit ${problem}`]));
  const { values, warnings } = loadSettings(
    ['digest', 'github', 'cache', 'data', 'spool', 'wrap', 'transcript'],
    { wrap: given ? { limit: given } : {} },
    workFolder ?? '/',
    env,
  );
  warn(warnings);
  const warningsOf = (job: Job) => loadSettings([job], {}, workFolder ?? '/', env).warnings;
  const policy = new Policy({ settings: values.wrap, server: NAME });
  const upstream = ownServer({
    digest: values.digest,
    github: values.github,
    cache: values.cache,
    transcript: values.transcript,
    dataFolder: values.data.folder,
    workFolder,
    folders: root.map((folder) => resolve(currentFolder(), folder)),
    areRootsTrusted: http === undefined,
    warnings: { memory: warningsOf('data'), transcript: warningsOf('transcript') },
    policy,
    log,
  });
  /** Clients without a session find their results in one place. */
  let shared: Spool | undefined;
  return {
    upstream,
    log,
    async openBridge(served) {
      const spool = (served === 'anyone' && shared) || openSpool(values.spool);
      if (served === 'anyone') shared = spool;
      return new Bridge({
        served,
        policy,
        spool,
        methods: BOUNDED_METHODS,
        tools: false,
        paths: served === 'user',
        recorder: new Recorder({
          folder: join(values.data.folder, 'stats'),
          name: NAME,
          command: NAME,
          log,
        }),
        server: NAME,
        log,
      });
    },
  };
}

/** The environment, and for what it doesn't have the variables of a file. Throws `BAD_USAGE` for one that can't be read. */
function withVariablesOf(file: string): NodeJS.ProcessEnv {
  try {
    const variables = Object.entries(parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
    return {
      ...process.env,
      ...Object.fromEntries(variables.filter(([name]) => !process.env[name]?.trim())),
    };
  } catch (cause) {
    const { message } = cause as Error;
    throw new PlimsollError('BAD_USAGE', `--env-file ${visibleName(file)} can't be read: ${message}.`, {
      cause,
    });
  }
}

function folderHere(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}
