import { access, constants } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import { loadSettings } from '../settings/load.ts';
import type { DataSettings, SpoolSettings, WrapSettings } from '../settings/settings.ts';
import { readPath } from '../settings/values.ts';
import type { ToolRule, Warn } from '../settings/wrap.ts';
import type { Spool } from '../spool/spool.ts';
import { profileCalled } from '../wrap/clients.ts';
import type { BoundedMethod } from '../wrap/kinds.ts';
import { Policy, parseToolRule } from '../wrap/policy.ts';
import { type ForeignServer, type Wrapping, wrapOverHttp, wrapOverStdio } from '../wrap/wrap.ts';
import { currentFolder } from './current-folder.ts';
import { collect, limitIn, parsePort } from './flags.ts';
import { Interrupted } from './interrupt.ts';
import { log, warn } from './warn.ts';
import { checkFlags, type Flags, flagsOfServers } from './wrap-flags.ts';
import { takeToken } from './wrap-token.ts';

/** Shorter descriptions than this say nothing, in characters. */
const LEAST_DESCRIPTION = 100;

const HELP = `
Settings, strongest first: --tool; the server's rules in plimsoll.config.json, by --name;
--limit; the environment (PLIMSOLL_MAX_RESULT_CHARS, PLIMSOLL_SPOOL_DIR and others); what
is known of the client. See docs/wrap.md.

Examples:
  plimsoll wrap -- npx -y @modelcontextprotocol/server-filesystem .
  plimsoll wrap --limit 25000tok --tool read_file=40000 -- my-server
  plimsoll wrap --url https://example.com/mcp --header-env Authorization=MY_TOKEN
  plimsoll wrap --http 8080 -- my-server
  plimsoll wrap --config ~/.cursor/mcp.json`;

/** Adds the arguments, options and action of `plimsoll wrap`. */
export function defineWrap(command: Command): void {
  command
    .argument('[COMMAND...]', 'the server to wrap, with its arguments, after --')
    .option('--url <URL>', 'wrap a server at an address instead')
    .option('--url-env <VARIABLE>', 'the same, with the address in the environment')
    .option('--header <HEADER>', "send 'Name: value' to it (repeatable)", collect)
    .option(
      '--header-env <NAME=VARIABLE>',
      'send a header whose value is in the environment (repeatable)',
      collect,
    )
    .option('--http <PORT>', 'offer the server over HTTP instead of stdio; 0 is any free port', parsePort)
    .option('--host <HOST>', 'where to listen (127.0.0.1); any other needs a token')
    .option('--token-file <FILE>', 'a file with the token that clients must send (or PLIMSOLL_WRAP_TOKEN)')
    .option('--allow-origin <ORIGIN>', 'let web pages of this origin in (repeatable)', collect)
    .option(
      '-l, --limit <N>',
      'the most a result may hold: 100000 (characters), 25000tok, 51200bytes, 2000lines',
    )
    .option('--tool <NAME=RULE>', 'a limit, bound, inline or spool, for one tool (repeatable)', collect)
    .option('--client <PROFILE>', 'take the client for this one, whatever it calls itself')
    .option('--name <NAME>', 'what the server is called in settings and statistics')
    .option('--spool <DIR>', 'where whole results are kept')
    .option('--join-blocks', 'make one text block of several')
    .option('--no-join-blocks', 'leave text blocks apart, whatever the client')
    .option(
      '--descriptions <N>',
      "the most characters of a tool's description and of a server's instructions",
      parseDescriptions,
    )
    .option('--no-tools', 'add no tools that read kept results back')
    .option('--no-resources', 'let resources pass whole')
    .option('--no-prompts', 'let prompts pass whole')
    .option(
      '--config <FILE>',
      "wrap all servers in a client's configuration instead, with these options each",
    )
    .option('--undo', 'with --config: take the wrapping out again')
    .option('-y, --yes', 'with --config: write without asking')
    .addHelpText('after', HELP)
    .action(runWrap);
}

async function runWrap(words: readonly string[], flags: Flags): Promise<void> {
  checkFlags(words, flags);
  if (flags.config !== undefined) return await wrapServersIn(flags.config, flags);
  const upstream = upstreamOf(words, flags);
  const name = flags.name ?? nameOf(upstream);
  const wrapping = wrappingOf(upstream, name, flags);
  if (flags.http !== undefined)
    throw new Interrupted(await wrapOverHttp(wrapping, serving(flags, flags.http)));
  const { by, reason, exitCode } = await wrapOverStdio(wrapping);
  if (exitCode !== undefined) throw new Interrupted(exitCode);
  if (by === 'server') throw new PlimsollError('SERVER_GONE', `The MCP server (${name}) ${reason}.`);
}

async function wrapServersIn(file: string, flags: Flags): Promise<void> {
  const { spool, warnings } = valuesOf(flags);
  if (flags.client !== undefined) profileCalled(flags.client);
  warn(warnings);
  const { wrapConfig } = await import('./wrap-config.ts');
  const { undo, yes } = flags;
  await wrapConfig(file, { undo, yes, flags: flagsOfServers({ ...flags, ...(spool && { spool }) }) });
}

/** Throws `BAD_USAGE` unless there is one server. */
function upstreamOf([command, ...args]: readonly string[], flags: Flags): ForeignServer {
  const { urlEnv, url = urlEnv === undefined ? undefined : variable('--url-env', urlEnv) } = flags;
  if (command && url === undefined) return { command, args };
  if (!command && url !== undefined) return { url, headers: headersOf(flags) };
  const problem = command ? 'Two servers' : 'No server';
  throw new PlimsollError('BAD_USAGE', `${problem}. Give -- COMMAND ARGS… or --url URL.`);
}

function headersOf({ header = [], headerEnv = [] }: Flags): Record<string, string> {
  const given = header.map((text) => parsePair(text, ':', "'Name: value'"));
  const named = headerEnv.map((text) => {
    const [name, from] = parsePair(text, '=', 'NAME=VARIABLE');
    return [name, variable('--header-env', from)] as const;
  });
  return Object.fromEntries([...given, ...named]);
}

/** What a variable of the environment holds, if only nothing. Throws `BAD_USAGE` if it isn't set. */
function variable(flag: string, name: string): string {
  const value = process.env[name]?.trim();
  if (value !== undefined) return value;
  throw new PlimsollError('BAD_USAGE', `${flag}: ${name} is not set in the environment.`);
}

function parsePair(text: string, between: string, form: string): readonly [name: string, value: string] {
  const at = text.indexOf(between);
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new PlimsollError('BAD_USAGE', `Not a header. Give ${form}.`);
}

/** Reads the settings, and says how bridges are made with them. */
function wrappingOf(upstream: ForeignServer, name: string, flags: Flags): Wrapping {
  const { settings, spool, data, tools, warnings } = settingsOf(flags);
  const profile = flags.client === undefined ? undefined : profileCalled(flags.client);
  const methods: BoundedMethod[] = ['tools/call', 'tasks/result', 'tasks/get', 'tasks/cancel', 'tasks/list'];
  if (flags.resources) methods.push('resources/read');
  if (flags.prompts) methods.push('prompts/get');
  warn(warnings);
  void warnOfSpool(spool.folder);
  /** Clients without a session find their results in one place, however often the server behind is started. */
  let shared: Spool | undefined;
  return {
    upstream,
    log,
    async openBridge(served) {
      const [{ Bridge }, { openSpool }, { Recorder }] = await Promise.all([
        import('../wrap/bridge.ts'),
        import('../spool/spool.ts'),
        import('../wrap/stats/record.ts'),
      ]);
      const opened = (served === 'anyone' && shared) || openSpool(spool);
      if (served === 'anyone') shared = opened;
      return new Bridge({
        served,
        policy: new Policy({ settings, server: flags.name, tools, profile }),
        spool: opened,
        methods,
        tools: flags.tools,
        descriptions: flags.descriptions,
        paths: flags.http === undefined || flags.host === undefined || (await isHere(flags.host)),
        recorder: new Recorder({ folder: join(data.folder, 'stats'), name: flags.name, command: name, log }),
        server: name,
        log,
      });
    },
  };
}

interface FoundSettings {
  readonly settings: WrapSettings;
  readonly spool: SpoolSettings;
  readonly data: DataSettings;
  /** Rules for single tools, by name. */
  readonly tools: ReadonlyMap<string, ToolRule>;
  readonly warnings: readonly string[];
}

function settingsOf(flags: Flags): FoundSettings {
  const { joinBlocks } = flags;
  const { limit, tools, spool, warnings: warned } = valuesOf(flags);
  const { values, warnings } = loadSettings(
    ['wrap', 'spool', 'data'],
    {
      wrap: { ...(limit && { limit }), ...(joinBlocks !== undefined && { joinBlocks }) },
      spool: spool === undefined ? {} : { folder: spool },
    },
    currentFolder(),
    process.env,
  );
  return {
    settings: values.wrap,
    spool: values.spool,
    data: values.data,
    tools,
    warnings: [...warned, ...warnings],
  };
}

/** Reads what flags say. Throws `BAD_LIMIT` or `BAD_USAGE` for what can't be used. */
function valuesOf({ limit, tool = [], spool }: Flags) {
  const warnings: string[] = [];
  const warnOf =
    (flag: string): Warn =>
    (problem) =>
      warnings.push(`${flag} ${problem}`);
  return {
    limit: limit === undefined ? undefined : limitIn(limit, warnOf('--limit')),
    tools: new Map(tool.map((text) => parseToolRule(text, warnOf(`--tool ${text}`)))),
    spool: spool === undefined ? undefined : folderIn(spool, currentFolder()),
    warnings,
  };
}

/** Says so if nothing can be kept in a folder, which is made: results are bounded all the same. */
async function warnOfSpool(folder: string): Promise<void> {
  const { makeRoot, reasonOf } = await import('../spool/folders.ts');
  try {
    await makeRoot(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    warn([`what is left out of results can't be kept in '${folder}': ${reasonOf(error)}`]);
  }
}

/** Whether only this machine can reach a host. */
async function isHere(host: string): Promise<boolean> {
  const { isLoopback } = await import('../wrap/http/guard.ts');
  return isLoopback(host);
}

function folderIn(path: string, current: string): string {
  const folder = readPath(path, current);
  if (folder !== undefined) return folder;
  throw new PlimsollError('BAD_USAGE', `Not a folder: '${path}'.`);
}

function serving({ host, tokenFile, allowOrigin }: Flags, port: number) {
  return { port, host, token: takeToken(tokenFile, 'PLIMSOLL_WRAP_TOKEN'), allowedOrigins: allowOrigin };
}

/** Arguments, and what stands behind a host, may be secrets. */
function nameOf(upstream: ForeignServer): string {
  if ('command' in upstream) return basename(upstream.command);
  return URL.canParse(upstream.url) ? new URL(upstream.url).host : 'at no address';
}

function parseDescriptions(value: string): number {
  const most = Number(value);
  if (/^\d{1,9}$/.test(value) && most >= LEAST_DESCRIPTION) return most;
  throw new PlimsollError(
    'BAD_USAGE',
    `Not a number of characters: '${value}'. Give ${LEAST_DESCRIPTION} or more.`,
  );
}
