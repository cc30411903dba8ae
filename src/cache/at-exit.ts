import { rmSync } from 'node:fs';

const doomed = new Set<string>();

/** Has a file or folder removed when the process exits, by `process.exit` too; not when a signal kills it. */
export function removeAtExit(path: string): void {
  if (doomed.size === 0) process.on('exit', removeDoomed);
  doomed.add(path);
}

/** Takes `removeAtExit` back: the file or folder is gone, or has become something else. */
export function spareAtExit(path: string): void {
  doomed.delete(path);
  if (doomed.size === 0) process.off('exit', removeDoomed);
}

function removeDoomed(): void {
  for (const path of doomed) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}
