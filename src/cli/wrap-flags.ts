import { PlimsollError } from '../errors.ts';

/** What `plimsoll wrap` is told. */
export interface Flags {
  readonly url?: string;
  readonly urlEnv?: string;
  readonly header?: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly http?: number;
  readonly host?: string;
  readonly tokenFile?: string;
  readonly allowOrigin?: readonly string[];
  readonly limit?: string;
  readonly tool?: readonly string[];
  readonly client?: string;
  readonly name?: string;
  readonly spool?: string;
  readonly joinBlocks?: boolean;
  readonly descriptions?: number;
  readonly tools: boolean;
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly config?: string;
  readonly undo?: true;
  readonly yes?: true;
}

/** What is said of one server, or of how one is offered: none of it goes with a whole configuration. */
const OF_ONE_SERVER = {
  '--url': 'url',
  '--url-env': 'urlEnv',
  '--header': 'header',
  '--header-env': 'headerEnv',
  '--http': 'http',
  '--host': 'host',
  '--token-file': 'tokenFile',
  '--allow-origin': 'allowOrigin',
  '--name': 'name',
} as const;

/** Options that mean nothing without another. */
const NEEDS = [
  ['--header', 'header', '--url'],
  ['--header-env', 'headerEnv', '--url'],
  ['--host', 'host', '--http'],
  ['--token-file', 'tokenFile', '--http'],
  ['--allow-origin', 'allowOrigin', '--http'],
  ['--undo', 'undo', '--config'],
  ['--yes', 'yes', '--config'],
] as const;

/** Throws `BAD_USAGE` for what makes no sense together. */
export function checkFlags(words: readonly string[], flags: Flags): void {
  const { config, undo, url, urlEnv, http } = flags;
  if (config !== undefined) {
    const [alien] = Object.entries(OF_ONE_SERVER).find(([, key]) => flags[key] !== undefined) ?? [];
    const what = words.length > 0 ? 'a command' : alien;
    if (what) throw badUsage(`--config wraps the servers in the file; ${what} doesn't go with it.`);
    const [extra] = flagsOfServers(flags);
    if (undo && extra) throw badUsage(`--undo takes the wrapping out; ${extra} doesn't go with it.`);
    return;
  }
  if (url !== undefined && urlEnv !== undefined) throw badUsage('Give either --url or --url-env.');
  const given = { '--url': url ?? urlEnv, '--http': http, '--config': config };
  for (const [option, key, needed] of NEEDS) {
    if (flags[key] !== undefined && given[needed] === undefined) {
      throw badUsage(`${option} means nothing without ${needed}.`);
    }
  }
}

/** What each server in a configuration is to be told. A relative folder stays one. */
export function flagsOfServers(flags: Flags): readonly string[] {
  const { limit, tool = [], client, spool, joinBlocks, descriptions, tools, resources, prompts } = flags;
  const valued = { '--limit': limit, '--client': client, '--spool': spool, '--descriptions': descriptions };
  const plain = {
    '--join-blocks': joinBlocks === true,
    '--no-join-blocks': joinBlocks === false,
    '--no-tools': !tools,
    '--no-resources': !resources,
    '--no-prompts': !prompts,
  };
  return [
    ...Object.entries(valued).flatMap(([option, value]) => (value === undefined ? [] : [option, `${value}`])),
    ...tool.flatMap((rule) => ['--tool', rule]),
    ...Object.entries(plain).flatMap(([option, isGiven]) => (isGiven ? [option] : [])),
  ];
}

function badUsage(message: string): PlimsollError {
  return new PlimsollError('BAD_USAGE', message);
}
