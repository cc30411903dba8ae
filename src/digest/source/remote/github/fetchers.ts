import { join } from 'node:path';
import type { Cache } from '../../../../cache/cache.ts';
import { type ErrorCode, PlimsollError } from '../../../../errors.ts';
import { visibleName } from '../../../../text/visible.ts';
import { GitObjects } from '../../git-objects.ts';
import type { TreeItem } from '../../objects.ts';
import type { GitHost } from '../git/host.ts';
import { makeRepository } from '../git/store.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * One way to bring contents into a store. Gives why some did not come, by their ids; each reason follows on the
 * file's name. Throws `ABORTED` and `CACHE_UNWRITABLE`.
 */
export type Fetcher = (items: readonly TreeItem[], progress: FetchProgress) => Promise<Map<string, string>>;

export interface FetchProgress {
  readonly onBytes: (count: number) => void;
  readonly onDone: () => void;
}

/** So many files are fetched side by side. */
const SIDE_BY_SIDE = 10;
/** How often one is asked for: a body may break off. */
const TRIES = 2;

/** Brings contents one by one, some side by side. `open` gives the bytes of one, and throws a `PlimsollError`. */
export function singly(
  store: BlobStore,
  open: (item: TreeItem) => Promise<AsyncIterable<Uint8Array>>,
): Fetcher {
  let limited: Failure | undefined;
  return async (items, { onBytes, onDone }) => {
    const missing = new Map<string, string>();
    const bring = async (item: TreeItem): Promise<void> => {
      let failure = limited;
      for (let tries = 0; tries < TRIES && !limited; tries++) {
        failure = await attempt(async () =>
          store.put(item.id, item.size ?? 0, counted(await open(item), onBytes)),
        );
        if (!failure) return onDone();
        if (failure.code === 'RATE_LIMITED') limited = failure;
        if (failure !== BROKEN) break;
      }
      missing.set(item.id, (failure as Failure).reason);
    };
    const queue = items.values();
    const work = async (): Promise<void> => {
      for (const item of queue) await bring(item);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    return missing;
  };
}

/** With more files than these, a request for each takes too long. No document shows so many. */
const MANY = 100;

/** Brings contents by another way, but only where there are many. */
export function onlyMany(fetch: Fetcher): Fetcher {
  return async (items, progress) =>
    items.length > MANY ? fetch(items, progress) : new Map(items.map(({ id }) => [id, 'was not asked for']));
}

/** Brings contents by git, all in one request. What keeps it from that is found out once. */
export function byGit(host: GitHost, cache: Cache, store: BlobStore): Fetcher {
  let failed: Failure | undefined;
  return async (items, { onBytes, onDone }) => {
    const ids = items.map(({ id }) => id);
    const none = ({ reason }: Failure): Map<string, string> => new Map(ids.map((id) => [id, reason]));
    if (failed) return none(failed);
    const repository = join(await cache.scratch(), 'contents.git');
    failed = await attempt(async () => {
      await makeRepository(repository, ids[0] as string);
      return host.fetchBlobs(repository, ids);
    });
    if (failed) return none(failed);
    const objects = new GitObjects({ root: repository, commit: '', name: repository });
    const missing = new Map<string, string>();
    for (const { id, size = 0 } of items) {
      const failure = await attempt(() => store.put(id, size, objects.stream(id)));
      if (failure) {
        missing.set(id, failure.reason);
        continue;
      }
      onBytes(size);
      onDone();
    }
    await objects.close();
    return missing;
  };
}

interface Failure {
  readonly reason: string;
  readonly code?: ErrorCode;
}

const BROKEN: Failure = { reason: 'broke off while it was fetched' };
const WRONG: Failure = { reason: 'is not what was asked for' };

/** Why something did not come; `undefined` where it did. */
async function attempt(bring: () => Promise<boolean>): Promise<Failure | undefined> {
  try {
    return (await bring()) ? undefined : WRONG;
  } catch (error) {
    if (!(error instanceof PlimsollError)) return BROKEN;
    const { code, message } = error;
    if (code === 'ABORTED' || code === 'CACHE_UNWRITABLE') throw error;
    return { code, reason: `could not be fetched (${visibleName(message)})` };
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}
