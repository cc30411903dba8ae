import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes of all files below a folder. Links are not followed; what can't be read or vanishes counts as nothing. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  await nextTurn();
  try {
    for (const child of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, child.name);
      if (child.isDirectory()) bytes += await bytesBelow(path);
      else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {}
  return bytes;
}
