import { visibleName } from '../text/visible.ts';

/** More warnings than this are counted, not listed. */
const MOST = 20;

/** Prints warnings on stderr, a line each. */
export function warn(messages: readonly string[]): void {
  const shown = messages.slice(0, MOST);
  if (messages.length > MOST) shown.push(`and ${messages.length - MOST} more like these`);
  process.stderr.write(shown.map((message) => `plimsoll: warning: ${visibleName(message)}\n`).join(''));
}

/** Prints on stderr what is good to know beside what goes to stdout, a line each. */
export function note(messages: readonly string[]): void {
  process.stderr.write(messages.map((message) => `plimsoll: note: ${visibleName(message)}\n`).join(''));
}

/** Prints a line for people on stderr. */
export function log(line: string): void {
  process.stderr.write(`plimsoll: ${visibleName(line)}\n`);
}
