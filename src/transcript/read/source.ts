import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { PlimsollError } from '../../errors.ts';
import { isSystemError, READING } from '../../memory/store/files.ts';

/** A link that came into the place of a file isn't followed, where the system has such. */
const READING_FILE = READING | (constants.O_NOFOLLOW ?? 0);

const CHUNK = 1024 * 1024;

/** So much is unpacked at a time: four bytes of zstandard may become 128 KB. */
const PIECE = 1024;

/** What frames of zstandard begin with (RFC 8878, section 3.1.1). */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_LE_MARK = Buffer.from([0xff, 0xfe]);
const UTF16_BE_MARK = Buffer.from([0xfe, 0xff]);

/** A transcript that can be read from its start, more than once. */
export interface Source {
  /** As it was given. */
  readonly path: string;
  /** Its bytes in UTF-8 without a byte order mark, unpacked, in chunks. They may hold what isn't UTF-8. */
  chunks(): AsyncIterable<Buffer>;
}

/** Opens a transcript. Throws `TRANSCRIPT_UNREADABLE`, then or while it is read, for what isn't a file that can be read. */
export async function openSource(path: string): Promise<Source> {
  try {
    const handle = await openFile(path);
    await handle.close();
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return {
    path,
    async *chunks() {
      try {
        yield* decoded(unpacked(bytesOf(path)));
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
  };
}

function unreadable(path: string, cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message.replace(/, (open|read|fstat)( '.*')?$/, '') : '';
  return new PlimsollError('TRANSCRIPT_UNREADABLE', `Cannot read '${path}': ${reason}.`, { cause });
}

/** Opens a regular file: no link to one, and nothing that could keep its reader waiting. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, READING_FILE).catch((error: unknown) => {
    throw isSystemError(error, 'ELOOP') ? new Error('it is a symbolic link', { cause: error }) : error;
  });
  const isFile = (await handle.stat()).isFile();
  if (isFile) return handle;
  await handle.close();
  throw new Error('it is no regular file');
}

/** The bytes of a regular file as they are. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const handle = await openFile(path);
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Up to so many bytes from the start of a source. */
export async function headOf(source: Source, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

/** Bytes without the packing of zstandard. What is damaged or cut short in it throws: half of it may be missing. */
async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unpacker: Unpacker | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.subarray(0, ZSTD.length).equals(ZSTD)) unpacker = await unpackerOf();
    isFirst = false;
    if (unpacker) yield* unpacker.push(chunk);
    else yield chunk;
  }
  if (unpacker) yield* unpacker.end();
}

interface Unpacker {
  push(chunk: Buffer): Iterable<Buffer>;
  end(): Iterable<Buffer>;
}

async function unpackerOf(): Promise<Unpacker> {
  const { Decompress } = await import('fzstd');
  let ready: Buffer[] = [];
  const decompress = new Decompress((data) => ready.push(Buffer.from(data)));
  const unpack = (piece: Uint8Array, isLast: boolean): Buffer[] => {
    ready = [];
    try {
      decompress.push(piece, isLast);
    } catch (cause) {
      throw new Error('its zstandard data is damaged or cut short', { cause });
    }
    return ready;
  };
  return {
    *push(chunk) {
      for (let at = 0; at < chunk.length; at += PIECE) yield* unpack(chunk.subarray(at, at + PIECE), false);
    },
    end: () => unpack(new Uint8Array(), true),
  };
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const encoding = isFirst ? utf16Of(chunk) : undefined;
    if (encoding) decoder = new TextDecoder(encoding);
    const isMarked = isFirst && chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
    isFirst = false;
    if (decoder) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    else yield isMarked ? chunk.subarray(UTF8_MARK.length) : chunk;
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

function utf16Of(chunk: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const head = chunk.subarray(0, 2);
  if (head.equals(UTF16_LE_MARK)) return 'utf-16le';
  return head.equals(UTF16_BE_MARK) ? 'utf-16be' : undefined;
}
