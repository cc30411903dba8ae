import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbandoned, newOwnName } from './owner.ts';

const PREFIX = 'plimsoll-';

/** A path for a folder of this process's own in the system's folder for temporary files. */
export function newTemporaryPath(): string {
  return join(tmpdir(), PREFIX + newOwnName());
}

/** Removes the folders at such paths that this user's processes left behind when they were killed. */
export function removeAbandonedTemporary(): void {
  for (const name of namesIn(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || !isAbandoned(name.slice(PREFIX.length), path)) continue;
    try {
      if (isOwnFolder(path)) rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Everybody may put links and folders among temporary files. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === (process.geteuid?.() ?? stats.uid);
}
