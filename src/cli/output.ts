import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { PlimsollError } from '../errors.ts';

/**
 * Writes a text or bytes to stdout, to the last byte. Resolves as well if the reader has gone away.
 * Throws `OUTPUT_UNWRITABLE` for anything else, a full disk for instance.
 */
export function writeStdout(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(unwritable('to stdout', error));
      else resolve();
    });
  });
}

/**
 * Finds out, before the work, whether `file` can be written after it.
 * Throws `OUTPUT_UNWRITABLE` if it is a folder, if its folder doesn't exist, or if there is no permission.
 */
export async function checkOutput(file: string): Promise<void> {
  try {
    const kind = await kindOf(file);
    if (kind !== 'none') await access(file, constants.W_OK);
    if (kind !== 'device') await access(dirname(resolve(file)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(`'${file}'`, error);
  }
}

/**
 * Writes `text` to `file` such that it holds either what it held before or all of the text, and that nothing
 * else is left behind. Devices and pipes are written directly.
 * Throws `OUTPUT_UNWRITABLE`.
 */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    if ((await kindOf(file)) === 'device') {
      await writeFile(file, text);
    } else {
      const { default: writeFileAtomic } = await import('write-file-atomic');
      await writeFileAtomic(resolve(file), text);
    }
  } catch (error) {
    throw unwritable(`'${file}'`, error);
  }
}

async function kindOf(file: string): Promise<'none' | 'file' | 'device'> {
  if (file === '' || file.endsWith('/')) throw folder(file);
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw folder(file);
    return stats.isFile() ? 'file' : 'device';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}

function folder(file: string): PlimsollError {
  return new PlimsollError('OUTPUT_UNWRITABLE', `Cannot write '${file}': it is a folder.`);
}

function unwritable(what: string, error: unknown): PlimsollError {
  if (error instanceof PlimsollError) return error;
  const { errno, message } = error as NodeJS.ErrnoException;
  const reason = (errno !== undefined && getSystemErrorMap().get(errno)?.[1]) || message;
  return new PlimsollError('OUTPUT_UNWRITABLE', `Cannot write ${what}: ${reason}.`, { cause: error });
}
