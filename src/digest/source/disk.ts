import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { sep } from 'node:path';
import type { Entry } from '../types.ts';
import { decodeName, encodeName, isRawName } from './names.ts';

const OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const QUIET = { throwIfNoEntry: false } as const;
const STREAM_CHUNK = 1024 * 1024;
/** What changed less than so many milliseconds ago may change once more and still bear the same time. */
const UNSETTLED = 2_000;

/** Reads what is below one real folder, and nothing that isn't. All paths are relative to it. */
export class Disk {
  readonly #base: string;
  readonly #ids = new Map<string, string>();

  /** `root` is an absolute path without symbolic links. */
  constructor(root: string) {
    this.#base = root.endsWith(sep) ? root : root + sep;
  }

  /** The path as the system takes it. */
  locate(path: string): string | Buffer {
    if (!isRawName(path)) return this.#base + path;
    return Buffer.concat([Buffer.from(this.#base), encodeName(path)]);
  }

  /**
   * What stands at a path, links not followed: an entry, `'folder'`, or `undefined` for nothing.
   * Throws a Node error where that can't be told (`EACCES`).
   */
  look(path: string): Entry | 'folder' | undefined {
    const stats = this.#stat(path);
    if (!stats) return undefined;
    if (stats.isFile()) {
      if (Date.now() - stats.ctimeMs > UNSETTLED) this.#ids.set(path, idOf(stats));
      return { path, kind: 'file', size: stats.size };
    }
    if (stats.isDirectory()) return 'folder';
    if (!stats.isSymbolicLink()) return { path, kind: 'special', size: 0 };
    const target = decodeName(readlinkSync(this.locate(path), { encoding: 'buffer' }));
    return { path, kind: 'symlink', size: stats.size, target };
  }

  /**
   * What named a file's contents when it was looked at; nothing for what had only just changed. As git does, it goes by
   * what the system tells of a file: whoever changes one changes the time of that.
   */
  contentId(path: string): string | undefined {
    return this.#ids.get(path);
  }

  /** The first `limit` bytes of a regular file. Throws a Node error where there is none or it can't be read. */
  read(path: string, limit: number): Buffer {
    const { descriptor, size } = this.#open(path);
    try {
      const bytes = Buffer.allocUnsafe(Math.min(limit, size));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    } finally {
      closeSync(descriptor);
    }
  }

  /** All bytes of a regular file. Throws as `read` does. */
  async *stream(path: string): AsyncGenerator<Buffer> {
    const { descriptor } = this.#open(path);
    yield* createReadStream('', { fd: descriptor, highWaterMark: STREAM_CHUNK }) as AsyncIterable<Buffer>;
  }

  /** Never waits for a pipe's writer, and never passes through a link, even one put there just now. */
  #open(path: string): { descriptor: number; size: number } {
    const located = this.locate(path);
    const descriptor = openSync(located, OPEN);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw failure('EINVAL', 'not a regular file', path);
      if (!this.#isReally(located, stats))
        throw failure('ELOOP', 'a symbolic link leads out of the source', path);
      return { descriptor, size: stats.size };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  #isReally(located: string | Buffer, opened: Stats): boolean {
    const real = realpathSync.native(located, { encoding: 'buffer' });
    if (!real.subarray(0, Buffer.byteLength(this.#base)).equals(Buffer.from(this.#base))) return false;
    const there = lstatSync(real, QUIET);
    return there !== undefined && there.ino === opened.ino && there.dev === opened.dev;
  }

  #stat(path: string): Stats | undefined {
    try {
      return lstatSync(this.locate(path), QUIET);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
      throw error;
    }
  }
}

function idOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

/** An error like those of `node:fs`. */
export function failure(code: string, message: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}, read '${path}'`), { code, path });
}
