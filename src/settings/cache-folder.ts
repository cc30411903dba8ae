import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const usual = await import('env-paths').then(
  ({ default: envPaths }) => envPaths('plimsoll', { suffix: '' }).cache,
  () => '',
);

/**
 * Plimsoll's folder among the user's caches (`~/.cache/plimsoll` on Linux), absolute. It is one among the
 * temporary files where there is no home, or where `XDG_CACHE_HOME` is not absolute, which the XDG Base
 * Directory Specification calls invalid.
 */
export const CACHE_FOLDER = isAbsolute(usual)
  ? usual
  : join(tmpdir(), `plimsoll-${process.geteuid?.() ?? 'cache'}`);
