import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { isAlive } from '../../cache/owner.ts';

/** Who holds a lock, as it is written into the lock file. */
export interface Owner {
  /** The host's name and, where it has such, the namespace that process numbers count in (Linux: containers). */
  readonly host: string;
  readonly pid: number;
  /** When the process was started, as the system tells it; `null` where the system doesn't. */
  readonly start: string | null;
  readonly thread: number;
  /** Different for every lock that was ever taken. */
  readonly nonce: string;
}

/** `gone`: it will never change anything again. `unknown`: it can't be seen from here. */
export type OwnerState = 'alive' | 'gone' | 'unknown';

const HOST = [hostname(), ofSystem(() => readlinkSync('/proc/self/ns/pid'))].filter(Boolean).join(' ');
const BOOT = ofSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
const START = startOf(process.pid);

/** This thread, as the owner of a new lock. */
export function newOwner(): Owner {
  return {
    host: HOST,
    pid: process.pid,
    start: START,
    thread: threadId,
    nonce: randomBytes(16).toString('hex'),
  };
}

/** Reads what is in a lock file; `undefined` if that is no owner, or not yet. */
export function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text);
    return typeof owner?.host === 'string' && Number.isSafeInteger(owner.pid) && owner.pid > 0
      ? owner
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an owner may still be at work. One that is this thread is gone: it holds nothing while it asks. */
export function stateOf(owner: Owner): OwnerState {
  if (owner.host !== HOST) return 'unknown';
  if (!isAlive(owner.pid)) return 'gone';
  const start = startOf(owner.pid);
  if (start === null || owner.start === null) return 'unknown';
  if (start !== owner.start) return 'gone';
  return owner.pid === process.pid && owner.thread === threadId ? 'gone' : 'alive';
}

/**
 * What tells a process from all others of its number: the boot and, in ticks since then, its start; nothing for one
 * that has ended and whose parent hasn't asked for its exit code. `null` where there is no `/proc` (proc_pid_stat(5)).
 */
function startOf(pid: number): string | null {
  const stat = ofSystem(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === null || BOOT === null) return null;
  // The second field is the program's name, in parentheses, and may hold anything; the third is the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? '' : `${BOOT} ${fields[19]}`;
}

function ofSystem(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
