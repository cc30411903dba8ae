import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { loadSettings } from '../settings/load.ts';
import { Policy } from '../wrap/policy.ts';
import { makeServer } from './server.ts';
import { Services, type ServicesOptions } from './services.ts';

/** The jobs with a data folder of their own. */
export function testServices(
  options: Partial<ServicesOptions> = {},
  env: Record<string, string> = {},
): Services {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-server-'));
  const { values } = loadSettings(['digest', 'github', 'cache', 'data', 'wrap', 'transcript'], {}, folder, {
    PLIMSOLL_DATA_DIR: join(folder, 'data'),
    PLIMSOLL_CACHE_DIR: join(folder, 'cache'),
    ...env,
  });
  return new Services({
    digest: values.digest,
    github: values.github,
    cache: values.cache,
    transcript: values.transcript,
    dataFolder: values.data.folder,
    workFolder: folder,
    folders: [],
    areRootsTrusted: true,
    warnings: { memory: [], transcript: [] },
    policy: new Policy({ settings: values.wrap, server: 'plimsoll' }),
    log: () => {},
    ...options,
  });
}

/** The official client, connected to a server of ours in this process. */
export async function clientOf(services: Services): Promise<Client> {
  const { server } = makeServer(services);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}
