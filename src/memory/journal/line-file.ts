import { Refusal } from '../../spool/folders.ts';
import { FILES, type Files, isSystemError, READING, unless, writeWhole } from '../store/files.ts';
import { unusable } from '../store/update.ts';

/** How much is read at a time, in bytes. */
const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * A file of lines that is only added to, oldest first, for the user alone. All that writes must hold a lock, and its folder
 * must be there. All throw `MEMORY_UNREADABLE` or `MEMORY_UNWRITABLE`; what writes, the system's `ENOENT` if the folder is
 * gone.
 */
export class LineFile {
  readonly path: string;
  readonly #files: Files;

  constructor(path: string, files: Files = FILES) {
    this.path = path;
    this.#files = files;
  }

  /** Adds a line, apart from one that a killed process left unfinished. When this returns, it is on the disk. */
  append(line: string): void {
    try {
      const fd = this.#files.openSync(this.path, 'a+', 0o600);
      try {
        const text = `${this.#endsInLine(fd) ? '' : '\n'}${line}\n`;
        writeWhole(fd, Buffer.from(text), this.#files);
        this.#files.fsyncSync(fd);
      } finally {
        this.#files.closeSync(fd);
      }
    } catch (error) {
      throw isSystemError(error, 'ENOENT') ? error : unusable('write', this.path, error);
    }
  }

  /** The lines that aren't empty, the last first; none if there is no file. */
  *backwards(): Generator<string> {
    try {
      for (const line of this.#piecesBackwards()) if (line.trim() !== '') yield line;
    } catch (error) {
      throw unusable('read', this.path, error);
    }
  }

  #endsInLine(fd: number): boolean {
    const { size } = this.#files.fstatSync(fd);
    if (size === 0) return true;
    const last = Buffer.alloc(1);
    this.#files.readSync(fd, last, 0, 1, size - 1);
    return last[0] === NEWLINE;
  }

  /** What stands between line ends, the last first. */
  *#piecesBackwards(): Generator<string> {
    let later: Buffer[] = [];
    for (let end = this.#size(); end > 0; end -= BLOCK) {
      const start = Math.max(0, end - BLOCK);
      const block = this.#bytes(start, end);
      if (!block) return;
      let to = block.length;
      for (
        let feed = block.lastIndexOf(NEWLINE);
        feed >= 0;
        feed = feed && block.lastIndexOf(NEWLINE, feed - 1)
      ) {
        yield Buffer.concat([block.subarray(feed + 1, to), ...later]).toString();
        later = [];
        to = feed;
        if (feed === 0) break;
      }
      later.unshift(block.subarray(0, to));
    }
    yield Buffer.concat(later).toString();
  }

  #size(): number {
    const stats = this.#files.statSync(this.path, { throwIfNoEntry: false });
    if (!stats) return 0;
    if (stats.isFile()) return stats.size;
    const what = stats.isDirectory() ? 'it is a folder' : 'it is not a file';
    throw new Refusal(`${what}. Put something else in its place`);
  }

  /** Nothing if the file is gone. It doesn't stay open, since not everyone who begins to read reads all. */
  #bytes(start: number, end: number): Buffer | undefined {
    const fd = unless(['ENOENT'], () => this.#files.openSync(this.path, READING));
    if (fd === undefined) return undefined;
    try {
      const bytes = Buffer.alloc(end - start);
      return bytes.subarray(0, this.#files.readSync(fd, bytes, 0, bytes.length, start));
    } finally {
      this.#files.closeSync(fd);
    }
  }
}
