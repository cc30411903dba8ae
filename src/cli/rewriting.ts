import { createInterface } from 'node:readline/promises';
import { PlimsollError } from '../errors.ts';
import { visible, visibleName } from '../text/visible.ts';
import { type Rewriting, rewrite } from '../wrap/config/rewrite.ts';
import { writeStdout } from './output.ts';

/**
 * Shows a change of a client's configuration on stdout, and makes it if that is wanted. Throws `BAD_USAGE` if nobody is
 * there to be asked.
 */
export async function makeChange(rewriting: Rewriting, file: string, yes: boolean): Promise<void> {
  const { before, after, diff } = rewriting;
  for (const note of rewriting.notes) say(note);
  if (before === after) {
    say(`nothing to do in '${file}'`);
    return;
  }
  await writeStdout(visible(diff));
  if (!yes && !(await isWanted(file))) {
    say('nothing is written');
    return;
  }
  const backup = await rewrite(rewriting);
  if (backup !== undefined) say(`written; '${file}' as it was is in '${backup}'`);
  else say(after === undefined ? `deleted; nothing else was in '${file}'` : `written; '${file}' is new`);
  say('restart the client for it to take effect');
}

async function isWanted(file: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new PlimsollError(
      'BAD_USAGE',
      'Nothing is written: there is no terminal to ask on. Give --yes to write.',
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(`Write this to '${visibleName(file)}'? [y/N] `), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Says on stderr what a person wants to know. */
export function say(line: string): void {
  process.stderr.write(`plimsoll: ${visibleName(line)}\n`);
}
