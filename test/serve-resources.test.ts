import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { serveCommand, serveOverHttp } from './served.ts';
import { connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { environment, MAIN, temporaryFolder } from './wrapped.ts';

/** Another process changes a fact. */
function set(env: Record<string, string>, key: string, value: string): void {
  execFileSync(process.execPath, [MAIN, 'memory', 'set', key, value], { env, stdio: 'ignore' });
}

describe.each([
  { era: '2025, SDK v1', connect: connectV1, isModern: false },
  { era: '2025, SDK v2', connect: connectV2, isModern: false },
  { era: '2026', connect: connectModern, isModern: true },
])('a client of $era', ({ connect, isModern }) => {
  test.each(['stdio', 'HTTP'])(
    'over %s is told when a fact changes, whoever changed it',
    async (transport) => {
      const env = environment(temporaryFolder());
      set(env, 'people.maria', 'CTO');
      const uri = 'plimsoll://context/people.maria';
      const client = await connect(
        transport === 'HTTP' ? { url: await serveOverHttp({ env }) } : { ...serveCommand({ env }) },
      );
      if (isModern) {
        const listening = { notifications: { resourceSubscriptions: [uri] } };
        void client.request('subscriptions/listen', listening);
        await client.event('notifications/subscriptions/acknowledged');
      } else {
        expect(await client.request('resources/subscribe', { uri })).toEqual({});
      }
      const updated = client.event('notifications/resources/updated');
      // A listener of 2026-07-28 is acknowledged before the server has looked at what there is.
      await client.request('resources/read', { uri });
      set(env, 'people.maria', 'CEO');
      expect(await updated).toMatchObject({ uri });
      const { contents } = await client.request('resources/read', { uri });
      expect(contents[0].text).toContain('CEO');
    },
  );
});
