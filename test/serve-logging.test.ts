import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { folderWith } from './repository.ts';
import { serveCommand, serveOverHttp } from './served.ts';
import { type Client, type Connect, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import type { Json } from './wrapped.ts';

const ERAS: readonly (readonly [string, Connect])[] = [
  ['the first SDK', connectV1],
  ['the second SDK', connectV2],
  ['the era of 2026-07-28', connectModern],
];

/** A repository that nothing was committed to, and in it a transcript with a line that can't be read. */
function folderToWarnOf(): string {
  const folder = folderWith({ 'a.txt': 'alpha\n' });
  execFileSync('git', ['init', '-q', folder]);
  const turn = { type: 'user', uuid: '1', sessionId: 's', message: { role: 'user', content: 'Hello.' } };
  writeFileSync(join(folder, 'talk.jsonl'), `${JSON.stringify(turn)}\n{"type": "us\n`);
  return folder;
}

/** Calls a tool, in the era of 2026-07-28 with a level of what may be logged of it. */
async function call(client: Client, name: string, args: Json, level?: string): Promise<void> {
  const _meta = level === undefined ? {} : { [LOG_LEVEL_META_KEY]: level };
  const result = await client.request('tools/call', { name, arguments: args, _meta });
  expect(result.error ?? result.isError, JSON.stringify(result)).toBeFalsy();
}

const logged = ({ events }: Client) =>
  events.flatMap(({ method, params }) => (method === 'notifications/message' ? [params] : []));

describe.each(ERAS)('a client of %s', (_, connect) => {
  const isModern = connect === connectModern;

  test.each(['stdio', 'HTTP'])(
    'over %s is told of what is amiss, at the level that it wants',
    async (way) => {
      const folder = folderToWarnOf();
      const options = ['--root', folder];
      const server = way === 'stdio' ? serveCommand({ options }) : { url: await serveOverHttp({ options }) };
      const client = await connect(server);
      const digest = ['digest_folder', { path: folder }] as const;
      const talk = { transcript_path: join(folder, 'talk.jsonl'), extract: 'rules' };

      await call(client, ...digest, isModern ? 'warning' : undefined);
      expect(logged(client)).toEqual([
        { level: 'warning', logger: 'plimsoll', data: expect.stringMatching(/no commit/i) },
      ]);
      await call(client, 'summarize_only', talk, isModern ? 'debug' : undefined);
      await call(client, 'digest_transcript', talk, isModern ? 'info' : undefined);
      const lost = {
        level: 'warning',
        logger: 'plimsoll',
        data: expect.stringMatching(/not read: 1 un.*line 2/),
      };
      expect(logged(client).slice(1)).toEqual([lost, lost]);

      if (!isModern) await client.request('logging/setLevel', { level: 'error' });
      await call(client, ...digest, isModern ? 'error' : undefined);
      if (isModern) await call(client, ...digest);
      expect(logged(client)).toHaveLength(3);
    },
  );
});
