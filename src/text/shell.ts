import { visibleName } from './visible.ts';

/** A word of a POSIX shell's command line, whatever stands in it; control characters are made visible. */
export function shellQuoted(word: string): string {
  return `'${visibleName(word).replaceAll("'", "'\\''")}'`;
}
