import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { version } from '../src/version.ts';
import { serveCommand } from './served.ts';
import { connectModern } from './servers/mcp-clients.ts';
import { type Json, Line, run } from './wrapped.ts';

const ICON = { mimeType: 'image/svg+xml', sizes: ['any'], src: expect.any(String) };

const svgOf = ({ src }: Json) =>
  Buffer.from(src.replace(/^data:image\/svg\+xml;base64,/, ''), 'base64').toString();

test('the server shows its icon in the handshake', async () => {
  const { command, env } = serveCommand();
  const { child } = run(command, { env });
  const client = new Line(
    child.stdout as NonNullable<typeof child.stdout>,
    child.stdin as NonNullable<typeof child.stdin>,
  );
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const { serverInfo } = (await client.answer(1)).message.result;
  expect(serverInfo).toEqual({ name: 'plimsoll', title: 'Plimsoll', version, icons: [ICON] });
  expect(svgOf(serverInfo.icons[0])).toMatch(/^<svg .*<\/svg>$/);
});

test('since 2026-07-28 it is in what tells of the server, and not in what is bounded', async () => {
  const client = await connectModern(serveCommand());
  const { _meta } = await client.request('server/discover');
  expect(_meta[SERVER_INFO_META_KEY].icons).toEqual([ICON]);
  for (const [method, asked] of [
    ['tools/call', { name: 'read_context', arguments: {} }],
    ['resources/read', { uri: 'plimsoll://diary/latest' }],
  ] as const) {
    const result = await client.request(method, asked);
    expect(result._meta[SERVER_INFO_META_KEY]).toEqual({ name: 'plimsoll', version });
  }
});
