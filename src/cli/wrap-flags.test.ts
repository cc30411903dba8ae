import { expect, test } from 'vitest';
import { checkFlags, type Flags, flagsOfServers } from './wrap-flags.ts';

const NONE = { tools: true, resources: true, prompts: true };
const config = '/f.json';

test.each<[Partial<Flags>, string[], string]>([
  [{ config }, ['srv'], "--config wraps the servers in the file; a command doesn't go with it."],
  [{ config, url: 'http://h' }, [], "--config wraps the servers in the file; --url doesn't go with it."],
  [{ config, header: ['A: b'] }, [], '--header '],
  [{ config, http: 0 }, [], '--http '],
  [{ config, name: 'x' }, [], '--name '],
  [{ config, undo: true, limit: '5000' }, [], "--undo takes the wrapping out; --limit doesn't go with it."],
  [{ config, undo: true, tools: false }, [], '--no-tools '],
  [{ undo: true }, ['srv'], '--undo means nothing without --config.'],
  [{ yes: true }, ['srv'], '--yes means nothing without --config.'],
  [{ header: ['A: b'] }, ['srv'], '--header means nothing without --url.'],
  [{ headerEnv: ['A=B'] }, ['srv'], '--header-env means nothing without --url.'],
  [{ host: '0.0.0.0' }, ['srv'], '--host means nothing without --http.'],
  [{ tokenFile: 't' }, ['srv'], '--token-file means nothing without --http.'],
  [{ allowOrigin: ['http://h'] }, ['srv'], '--allow-origin means nothing without --http.'],
  [{ url: 'http://h', urlEnv: 'U' }, [], 'Give either --url or --url-env.'],
])('%j with %j is bad usage', (flags, words, message) => {
  expect(() => checkFlags(words, { ...NONE, ...flags })).toThrow(
    expect.objectContaining({ code: 'BAD_USAGE', message: expect.stringContaining(message) }),
  );
});

test.each<[Partial<Flags>, string[]]>([
  [{ config, yes: true, limit: '5000', tools: false, joinBlocks: true }, []],
  [{ config, undo: true, yes: true }, []],
  [{ http: 0, host: '0.0.0.0', tokenFile: 't', allowOrigin: ['http://h'] }, ['srv']],
  [{ urlEnv: 'U', header: ['A: b'], headerEnv: ['A=B'], http: 0 }, []],
])('%j with %j makes sense', (flags, words) => {
  expect(() => checkFlags(words, { ...NONE, ...flags })).not.toThrow();
});

test('what servers are to be told is written as it was given', () => {
  const flags = {
    ...{ limit: '5000', client: 'cline', spool: '/x y', descriptions: 300, tool: ['a=inline', 'b=spool'] },
    ...{ joinBlocks: false, tools: false, resources: false, prompts: false },
  };
  expect(flagsOfServers({ ...flags, config, yes: true })).toEqual([
    ...['--limit', '5000', '--client', 'cline', '--spool', '/x y', '--descriptions', '300'],
    ...['--tool', 'a=inline', '--tool', 'b=spool'],
    ...['--no-join-blocks', '--no-tools', '--no-resources', '--no-prompts'],
  ]);
  expect(flagsOfServers({ ...NONE, joinBlocks: true })).toEqual(['--join-blocks']);
  expect(flagsOfServers(NONE)).toEqual([]);
});
