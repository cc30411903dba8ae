import { expect, test } from 'vitest';
import { asKept, keepText, newSpool } from '../spool/spool.testing.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { Bridge, type Served } from './bridge.ts';
import { frameOf } from './frame.ts';
import { Policy } from './policy.ts';
import type { Recorder } from './stats/record.ts';
import type { Frame, Outgoing, Peer } from './types.ts';

const recorder = { read() {}, close: async () => {} } as unknown as Recorder;

/** What a client that is served so gets for its requests, of a server that says nothing. */
async function answersTo(requests: readonly object[], spool: Spool, served: Served): Promise<unknown[]> {
  const sent: Outgoing[] = [];
  const settings = { limit: undefined, joinBlocks: undefined, servers: new Map() };
  const bridge = new Bridge({
    served,
    policy: new Policy({ settings }),
    spool,
    methods: [],
    tools: true,
    paths: false,
    recorder,
    server: 'server',
    log() {},
  });
  const frames = requests.map((request, id) =>
    frameOf(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...request }))),
  );
  const client = peer(frames, (out) => sent.push(out));
  let end = () => {};
  const server = peer([], () => {}, new Promise((resolve) => (end = resolve)));
  server.close = async () => end();
  await bridge.relay(client, server);
  return sent.sort((a, b) => Number(a.answers) - Number(b.answers)).map(({ message }) => message);
}

/** A side that says so much, and then is gone; not before `end` settles, if that is told. */
function peer(said: readonly Frame[], send: (out: Outgoing) => void, end?: Promise<void>): Peer {
  async function* frames() {
    yield* said;
    await end;
  }
  return {
    frames: frames(),
    gone: Promise.resolve('left'),
    send: async (out) => send(out),
    close: async () => {},
  };
}

const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });
const reads = (handle: string) => [
  call('plimsoll_read', { handle }),
  call('plimsoll_search', { handle, pattern: 'kept' }),
  { method: 'resources/read', params: { uri: `plimsoll://spool/${handle}/1` } },
];

test('over stdio, what earlier sessions of the user kept can be read', async () => {
  const { folder, spool } = newSpool();
  const { handle } = asKept(await keepText(spool, 'what was kept'));
  const answers = await answersTo(reads(handle), openSpool({ folder }), 'user');
  for (const answer of answers) expect(JSON.stringify(answer)).toContain('what was kept');
  expect(answers).toHaveLength(3);
});

test.each<Served>(['session', 'anyone'])('over HTTP (%s), only what is its own', async (served) => {
  const { folder, spool } = newSpool();
  const others = asKept(await keepText(spool, 'what was kept'));
  const here = openSpool({ folder });
  const own = asKept(await keepText(here, 'what was kept here'));
  const answers = await answersTo([...reads(own.handle), ...reads(others.handle)], here, served);
  expect(answers).toHaveLength(6);
  for (const answer of answers.slice(0, 3)) expect(JSON.stringify(answer)).toContain('what was kept here');
  for (const answer of answers.slice(3)) {
    expect(JSON.stringify(answer)).not.toContain('what was kept');
    expect(JSON.stringify(answer)).toContain(`There is no result '${others.handle}'`);
  }
});

test('a session lists what is its own; clients without one list nothing, and are not told to', async () => {
  const { folder, spool } = newSpool();
  await keepText(spool, 'of another');
  const here = openSpool({ folder });
  const { handle } = asKept(await keepText(here, 'own'));
  const list = call('plimsoll_list', {});
  const [listed] = await answersTo([list], here, 'session');
  expect(JSON.stringify(listed)).toContain('Results 0–0 of 1');
  expect(JSON.stringify(listed)).toContain(handle);
  const [unknown, ...rest] = await answersTo([call('plimsoll_read', { handle: 'x' }), list], here, 'anyone');
  expect(JSON.stringify(unknown)).not.toContain('plimsoll_list');
  expect(JSON.stringify(rest)).not.toContain(handle);
});
