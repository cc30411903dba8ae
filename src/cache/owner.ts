import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const HOST = hostname().replace(/[^\w.-]/g, '_');
const OWN_NAME = /^(.*)-(\d+)-[\da-f]{32}$/;

/** After this time in milliseconds a process's number may have been given to another. */
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** A new name that tells whose it is: `<host>-<pid>-<random>`. */
export function newOwnName(): string {
  return `${HOST}-${process.pid}-${randomBytes(16).toString('hex')}`;
}

/**
 * Whether the process that `name` tells of is no more. What is at `path` counts as abandoned after a week whoever
 * made it, and what another machine's process made, which can't be seen from here, after `elsewhere` milliseconds.
 */
export function isAbandoned(name: string, path: string, elsewhere = WEEK): boolean {
  const [, host, pid] = OWN_NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  if (host === HOST && !isAlive(Number(pid))) return true;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > (host === HOST ? WEEK : elsewhere);
}

/** Removes from a folder, unless it is a link, what processes that are no more have left there. */
export async function removeAbandoned(folder: string, elsewhere?: number): Promise<void> {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (isAbandoned(name, path, elsewhere)) await rm(path, { recursive: true, force: true });
  }
}

/** Whether there is a process of this number on this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
