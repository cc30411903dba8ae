import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { PlimsollError } from '../../errors.ts';
import { READING } from '../../memory/store/files.ts';

const CHUNK = 1024 * 1024;

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

/** Opens a transcript. Throws `TRANSCRIPT_UNREADABLE` for what isn't a file that can be read. */
export async function openSource(path: string): Promise<Source> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, READING);
    if (!(await handle.stat()).isFile()) throw new Error('it is no regular file');
    await handle.read(Buffer.alloc(1), 0, 1, 0);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/, (open|read|fstat)( '.*')?$/, '') : '';
    throw new PlimsollError('TRANSCRIPT_UNREADABLE', `Cannot read '${path}': ${reason}.`, { cause });
  } finally {
    await handle?.close();
  }
  return { path, chunks: () => decoded(unpacked(createReadStream(path, { highWaterMark: CHUNK }))) };
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

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Decompress } = await import('fzstd');
  let unpacker: InstanceType<typeof Decompress> | undefined;
  let ready: Buffer[] = [];
  let isFirst = true;
  for await (const chunk of packed) {
    if (isFirst && chunk.subarray(0, ZSTD.length).equals(ZSTD)) {
      unpacker = new Decompress((data) => ready.push(Buffer.from(data)));
    }
    isFirst = false;
    if (!unpacker) {
      yield chunk;
      continue;
    }
    unpacker.push(chunk);
    yield* ready;
    ready = [];
  }
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
