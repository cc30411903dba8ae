import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type ListRootsResult } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { testServices } from './server.testing.ts';
import { makeServer } from './server.ts';

/** A folder with a file in it. */
function folderOf(name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'plimsoll-roots-')), name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'text of a');
  return folder;
}

/** What digest_folder answers to a client of 2025 that gives its roots so; one folder is allowed by the user. */
async function digested(path: string, allowed: string, tell: () => ListRootsResult): Promise<string> {
  const { server } = makeServer(testServices({ folders: [allowed], workFolder: undefined }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', tell);
  await Promise.all([server.connect(far), client.connect(near)]);
  const { content } = await client.callTool({ name: 'digest_folder', arguments: { path } });
  await client.close();
  return (content as { text: string }[]).map(({ text }) => text).join();
}

test('a root that is no folder here takes nothing from the others', async () => {
  const root = folderOf('root');
  const roots = [{ uri: 'https://example.com/' }, { uri: pathToFileURL(root).href }];
  expect(await digested(root, folderOf('other'), () => ({ roots }))).toContain('text of a');
});

test('a client that fails to tell its roots has what the user allows', async () => {
  const allowed = folderOf('allowed');
  const fail = () => {
    throw new Error('none today');
  };
  expect(await digested(allowed, allowed, fail)).toContain('text of a');
});
