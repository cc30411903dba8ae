import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { serveCommand } from './served.ts';
import { Line, run } from './wrapped.ts';

/** Prints to the console as any code in the process may, when it is told to. */
const STRAY =
  "data:text/javascript,import own from 'node:console';process.on('SIGUSR2',()=>{own.log('stray');console.info('more')})";

test.runIf(process.platform !== 'win32')('what is printed to the console goes to stderr', async () => {
  const { command, env } = serveCommand();
  const { child } = run(command, { env: { ...env, NODE_OPTIONS: `--import="${STRAY}"` } });
  const line = new Line(child.stdout as Readable, child.stdin as Writable);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  line.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect((await line.next()).message).toMatchObject({ id: 1 });
  child.kill('SIGUSR2');
  const [printed] = await once(child.stderr as Readable, 'data');
  expect(String(printed)).toContain('stray');
  line.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  expect((await line.next()).message).toMatchObject({ id: 2, result: {} });
});
