import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const usual = await import('env-paths').then(
  ({ default: envPaths }) => envPaths('plimsoll', { suffix: '' }).data,
  () => '',
);

/**
 * Plimsoll's folder among the user's data (`~/.local/share/plimsoll` on Linux), absolute. It is one among the
 * temporary files where there is no home, or where `XDG_DATA_HOME` is not absolute, which the XDG Base
 * Directory Specification calls invalid.
 */
export const DATA_FOLDER = isAbsolute(usual)
  ? usual
  : join(tmpdir(), `plimsoll-${process.geteuid?.() ?? 'user'}-data`);

/** The spool's folder unless the environment or the user says otherwise. */
export const USUAL_SPOOL = join(DATA_FOLDER, 'spool');
