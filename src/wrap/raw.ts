import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';

/** How much is read at once, in bytes. */
const STEP = 64 * 1024;

/** Bytes of any number, in a file that nobody else finds; what can't be written to it is held in memory. */
export class RawBytes {
  readonly #folder: string;
  #file: FileHandle | undefined;
  #inFile = 0;
  #inMemory: Buffer[] | undefined;
  size = 0;

  /** `folder` is where the file is made, and taken out of at once: it is gone whenever the process is. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(bytes: Buffer): Promise<void> {
    this.size += bytes.length;
    if (this.#inMemory) {
      this.#inMemory.push(bytes);
      return await immediate();
    }
    try {
      this.#file ??= await openUnlinked(this.#folder);
      await writeAll(this.#file, bytes, this.#inFile);
      this.#inFile += bytes.length;
    } catch {
      this.#inMemory = [bytes];
    }
  }

  /** The bytes from `from` up to `to`, in pieces that are nobody else's. */
  async *read(from = 0, to = this.size): AsyncGenerator<Buffer> {
    for (let at = from; at < Math.min(to, this.#inFile); ) {
      const piece = await this.#readFile(at, Math.min(to, this.#inFile, at + STEP));
      yield piece;
      at += piece.length;
    }
    let at = this.#inFile;
    for (const piece of this.#inMemory ?? []) {
      const wanted = piece.subarray(Math.max(0, from - at), Math.max(0, to - at));
      at += piece.length;
      if (wanted.length === 0) continue;
      await immediate();
      yield wanted;
    }
  }

  /** Lets the bytes go. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#inMemory = [];
    await file?.close();
  }

  async #readFile(from: number, to: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafeSlow(to - from);
    const { bytesRead } = (await this.#file?.read(piece, 0, piece.length, from)) ?? { bytesRead: 0 };
    if (bytesRead === 0) throw new Error('a message was let go before it was read');
    return piece.subarray(0, bytesRead);
  }
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  const path = join(folder, `plimsoll-${randomBytes(10).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path).catch(() => {});
  return file;
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, from, bytes.length - from, at + from);
    from += bytesWritten;
  }
}
