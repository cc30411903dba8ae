import { join } from 'node:path';
import { readFile } from '../../memory/store/update.ts';
import type { Digests } from './digests.ts';

/** The log of digests of the system that had these folders before, beside the facts. */
export const OLDER_LOG = 'digest_log.md';

const HEADER = /^## (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)[ \t]*\r?$/m;

/** What that log says of a digest. */
export interface OlderDigest {
  /** As it stands there: `2026-03-01 10:00:00 UTC`. */
  readonly at: string;
  readonly text: string;
}

/** What is in the older log of a scope, the newest first. Throws `MEMORY_UNREADABLE`. */
export async function readOlderLog({ folder }: Pick<Digests, 'folder'>): Promise<OlderDigest[]> {
  const bytes = await readFile(join(folder, '..', OLDER_LOG));
  const [, ...parts] = (bytes?.toString() ?? '').split(HEADER);
  const digests: OlderDigest[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    digests.push({ at: parts[at] as string, text: (parts[at + 1] as string).trim() });
  }
  return digests.reverse();
}
