import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { inProcess } from './in-process.ts';

/** What the server is given of what a client sends, and what the client is answered without it. */
async function sent(text: string) {
  const given: JSONRPCMessage[] = [];
  const { peer, transport } = inProcess(() => {});
  transport.onmessage = (message) => void given.push(message);
  await peer.send({ bytes: Buffer.from(text), message: undefined });
  await peer.close();
  const answers: unknown[] = [];
  for await (const frame of peer.frames) answers.push(JSON.parse(String(frame.bytes())));
  return { given, answers };
}

test('messages of a batch come one by one, and what is none among them is answered', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const done = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { given, answers } = await sent(JSON.stringify([ping, { id: 2, method: 'ping' }, 7, done]));
  expect(given).toEqual([ping, done]);
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: 'This is no request of MCP.' } },
  ]);
});

test('arguments that are null are left out', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_context' } };
  const params = { ...call.params, arguments: null };
  expect((await sent(JSON.stringify({ ...call, params }))).given).toEqual([call]);
});

test.each([[[]], ['{}'], [7]])('arguments that are no object are left to the tool: %j', async (args) => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_context', arguments: args },
  };
  const params = { name: 'read_context', arguments: { arguments: args } };
  expect((await sent(JSON.stringify(call))).given).toEqual([{ ...call, params }]);
});
