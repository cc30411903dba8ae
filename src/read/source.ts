import { type FileHandle, open } from 'node:fs/promises';
import type { Part } from '../spool/types.ts';
import { goneError } from './parts.ts';
import type { Place } from './place.ts';

/** Where the bytes of a text come from; close it when done. */
export interface Source {
  /** In bytes. */
  readonly bytes: number;
  readonly chars: number;
  readonly lines: number;
  /** Places to start looking for others at, in order. */
  readonly checkpoints: readonly Place[];
  /** The bytes from `from` on, `length` of them if there are so many. */
  read(from: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** The file of a part. */
export class FileSource implements Source {
  readonly bytes: number;
  readonly chars: number;
  readonly lines: number;
  readonly checkpoints: readonly Place[];
  readonly #file: FileHandle;

  private constructor({ chars, lines, wtf8, checkpoints = [] }: Part, bytes: number, file: FileHandle) {
    this.bytes = bytes;
    this.chars = chars;
    this.lines = lines;
    // Characters of what is no UTF-8 are counted by readers alone.
    this.checkpoints = wtf8 ? [] : checkpoints.map(([chars, bytes, lines]) => ({ chars, bytes, lines }));
    this.#file = file;
  }

  /** Throws `NOT_IN_SPOOL` if the file has been deleted or can't be read. */
  static async open(part: Part, path = part.path): Promise<FileSource> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      return new FileSource(part, (await file.stat()).size, file);
    } catch (error) {
      await file?.close();
      throw goneError(part, error);
    }
  }

  async read(from: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(length, Math.max(0, this.bytes - from)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
