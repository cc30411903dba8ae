import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headOf, openSource } from './source.ts';

const TEXT = '{"role":"user","content":"The mast is 12 m high."}\n';
/** The same, packed with zstandard, and with a checksum at the end. */
const PACKED = Buffer.from(
  'KLUv/SQzmQEAeyJyb2xlIjoidXNlciIsImNvbnRlbnQiOiJUaGUgbWFzdCBpcyAxMiBtIGhpZ2guIn0KVesDWg==',
  'base64',
);
/** The same in UTF-16, packed. */
const PACKED_UTF16 = Buffer.from(
  'KLUv/QRoZQIAwkUQGMBrDv7///+jaGsW2wQbobuvtqFO9tO5FIFTVugmle4iDtdXuULfI3NtXQPabKFNJ5INss/2jbJFtl06n6xEVQECAOcU4yVTelZ6bF4=',
  'base64',
);
/** Three million zero bytes. */
const PACKED_ZEROS = Buffer.from(
  'KLUv/QRoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAzYOAAPJr9Y=',
  'base64',
);

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-source-'));
  path = join(folder, 'transcript');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array | string): Promise<Buffer> {
  writeFileSync(path, bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of (await openSource(path)).chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const textIn = async (bytes: Uint8Array | string) => (await read(bytes)).toString();

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test('UTF-8, with and without a byte order mark', async () => {
  expect(await textIn('Zoë 🛶\n')).toBe('Zoë 🛶\n');
  expect(await textIn('\ufeffZoë 🛶\n')).toBe('Zoë 🛶\n');
  expect(await textIn('One\ufeffTwo')).toBe('One\ufeffTwo');
});

test('UTF-16 in both orders', async () => {
  expect(await textIn(utf16('Zoë 🛶\n'))).toBe('Zoë 🛶\n');
  expect(await textIn(utf16('Zoë 🛶\n').swap16())).toBe('Zoë 🛶\n');
});

test('a character of UTF-16 that two chunks share', async () => {
  const text = `${'x'.repeat(512 * 1024 - 2)}🛶y`;
  expect((await textIn(utf16(text))) === text).toBe(true);
});

test('bytes that are no text stay as they are', async () => {
  const bytes = Buffer.from([0x41, 0xff, 0x00, 0xc3]);
  expect(await read(bytes)).toEqual(bytes);
});

test('an empty file', async () => {
  expect(await textIn('')).toBe('');
});

test('zstandard: one frame, several, and what is in UTF-16', async () => {
  expect(await textIn(PACKED)).toBe(TEXT);
  expect(await textIn(Buffer.concat([PACKED, PACKED, PACKED]))).toBe(TEXT.repeat(3));
  expect(await textIn(PACKED_UTF16)).toBe(TEXT);
});

test('zstandard that unpacks to much comes in pieces', async () => {
  writeFileSync(path, PACKED_ZEROS);
  const lengths: number[] = [];
  for await (const chunk of (await openSource(path)).chunks()) lengths.push(chunk.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(3_000_000);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(128 * 1024);
});

test.each([
  ['cut short', PACKED.subarray(0, -20)],
  ['without its checksum', PACKED.subarray(0, -4)],
  ['nothing but its first bytes', PACKED.subarray(0, 4)],
  ['with something else behind it', Buffer.concat([PACKED, Buffer.from('no zstandard at all')])],
  ['of a kind of block that there isn’t', Buffer.concat([PACKED.subarray(0, 6), Buffer.alloc(40, 0xff)])],
])('damaged zstandard, %s, is unreadable', async (_, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
    message: `Cannot read '${path}': its zstandard data is damaged or cut short.`,
  });
});

test('a source can be read more than once', async () => {
  writeFileSync(path, TEXT);
  const source = await openSource(path);
  expect((await headOf(source, 1000)).toString()).toBe(TEXT);
  expect((await headOf(source, 8)).toString()).toBe(TEXT.slice(0, 8));
  expect((await headOf(source, 1000)).toString()).toBe(TEXT);
});

test('a file below a link to a folder is read', async () => {
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'file'), TEXT);
  symlinkSync('inner', path);
  expect((await headOf(await openSource(join(path, 'file')), 1000)).toString()).toBe(TEXT);
});

test.each([
  ['is missing', () => {}, /: ENOENT: no such file or directory\.$/],
  ['is a folder', () => mkdirSync(path), /: it is no regular file\.$/],
  ['is a pipe', () => execFileSync('mkfifo', [path]), /: it is no regular file\.$/],
  ['is a link to a file', () => linkToFile(), /: it is a symbolic link\.$/],
  ['is a link to itself', () => symlinkSync(path, path), /: it is a symbolic link\.$/],
])('what %s is unreadable', async (_, make, message) => {
  make();
  await expect(openSource(path)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
  await expect(openSource(path)).rejects.toThrow(message);
});

function linkToFile(): void {
  writeFileSync(join(folder, 'file'), TEXT);
  symlinkSync('file', path);
}

test('a link in the place of a file that was opened is unreadable', async () => {
  writeFileSync(path, TEXT);
  const source = await openSource(path);
  rmSync(path);
  linkToFile();
  await expect(headOf(source, 8)).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
    message: `Cannot read '${path}': it is a symbolic link.`,
  });
});

test('a pipe in the place of a file that was opened is unreadable', async () => {
  writeFileSync(path, TEXT);
  const source = await openSource(path);
  rmSync(path);
  execFileSync('mkfifo', [path]);
  await expect(headOf(source, 8)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
});

const OPEN_FILES = '/proc/self/fd';

function isOpen(): boolean {
  return readdirSync(OPEN_FILES).some((fd) => {
    try {
      return readlinkSync(join(OPEN_FILES, fd)) === path;
    } catch {
      return false;
    }
  });
}

test.runIf(process.platform === 'linux').each([
  ['text', Buffer.alloc(3 * 1024 * 1024, 'x')],
  ['zstandard', PACKED_ZEROS],
])('who stops reading early closes the file: %s', async (_, bytes) => {
  writeFileSync(path, bytes);
  const source = await openSource(path);
  expect(isOpen()).toBe(false);
  for await (const _ of source.chunks()) {
    expect(isOpen()).toBe(true);
    break;
  }
  expect(isOpen()).toBe(false);
});
