import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { openNew, withFile } from './folders.ts';

/** What the files of common kinds are called (IANA media types). */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/wasm': 'wasm',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-wav': 'wav',
  'font/ttf': 'ttf',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/tab-separated-values': 'tsv',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

const CHUNK = 64 * 1024;

/** What the file of a part is called behind its name, without a point. */
export function extensionOf(kind: 'text' | 'json' | 'media', mimeType = ''): string {
  if (kind === 'json') return 'json';
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (kind === 'text' && !type.startsWith('text/')) return 'txt';
  const known = Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : undefined;
  return known ?? (kind === 'text' ? 'txt' : 'bin');
}

export interface Decoded {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Whether encoding the bytes gives the very same base64 again. */
  readonly isExact: boolean;
}

/** Decodes a file of base64 (RFC 4648, section 4) to a new file. White space in it is passed over. */
export async function decodeFile(base64: string, target: string): Promise<Decoded> {
  return await withFile(open(base64), (source) =>
    withFile(openNew(target), (decoded) => decode(source, decoded)),
  );
}

async function decode(source: FileHandle, target: FileHandle): Promise<Decoded> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK);
  let bytes = 0;
  let isExact = true;
  let rest = '';
  for (let ended = false; !ended; ) {
    const { bytesRead } = await source.read(chunk);
    ended = bytesRead === 0;
    const text = chunk.toString('latin1', 0, bytesRead);
    const digits = rest + text.replace(/\s+/g, '');
    const usable = ended ? digits.length : digits.length - (digits.length % 4);
    const decoded = Buffer.from(digits.slice(0, usable), 'base64');
    isExact &&= digits.length === rest.length + text.length && isBase64Of(decoded, digits, usable);
    rest = digits.slice(usable);
    hash.update(decoded);
    await target.writeFile(decoded);
    bytes += decoded.length;
  }
  return { bytes, sha256: hash.digest('hex'), isExact };
}

function isBase64Of(bytes: Buffer, digits: string, length: number): boolean {
  return bytes.toString('base64') === digits.slice(0, length);
}
