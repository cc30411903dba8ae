import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { EXPLORE } from './prompts.ts';
import { CONTEXT_TEMPLATE, DIGEST_TEMPLATE } from './resources.ts';
import type { Services } from './services.ts';

/** The most values of an answer (MCP, completion). */
const MOST = 100;

/** What may stand for an argument that is being written: keys of memory, repositories that are kept. */
export async function complete(
  services: Services,
  { ref, argument: { name, value } }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const isKey = ref.type === 'ref/resource' && ref.uri === CONTEXT_TEMPLATE && name === 'key';
  const isRepository =
    ref.type === 'ref/resource'
      ? ref.uri === DIGEST_TEMPLATE && name === 'repo'
      : ref.name === EXPLORE && name === 'repository';
  const known = isKey ? await keysOf(services) : isRepository ? await repositoriesOf(services) : [];
  const typed = value.toLowerCase();
  const matches = known.filter((one) => one.toLowerCase().includes(typed));
  const starts = (one: string) => Number(one.toLowerCase().startsWith(typed));
  const values = matches.sort((one, other) => starts(other) - starts(one)).slice(0, MOST);
  return { completion: { values, total: matches.length, hasMore: matches.length > MOST } };
}

/** Keys of sections and of facts; none if they can't be read. */
async function keysOf(services: Services): Promise<string[]> {
  const { writeKey } = await import('../memory/context/keys.ts');
  const documents = await services
    .memory(undefined)
    .documents()
    .catch(() => []);
  const keys = new Set<string>();
  for (const { document } of documents) {
    for (const { path } of document.facts()) {
      for (let depth = 1; depth <= path.length; depth++) keys.add(writeKey(path.slice(0, depth)));
    }
  }
  return [...keys];
}

async function repositoriesOf({ settings: { cache } }: Services): Promise<string[]> {
  if (!cache.enabled) return [];
  const { Cache } = await import('../cache/cache.ts');
  const kept = await new Cache(cache).list().catch(() => []);
  return [...new Set(kept.flatMap(({ kind, address }) => (kind === 'folder' ? [] : address)))];
}
