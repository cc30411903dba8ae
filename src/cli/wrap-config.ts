import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { PlimsollError } from '../errors.ts';
import { visible, visibleName } from '../text/visible.ts';
import type { Launcher } from '../wrap/config/entry.ts';
import { planRewriting, rewrite } from '../wrap/config/rewrite.ts';
import { writeStdout } from './output.ts';

/**
 * Wraps all servers in a client's configuration, or takes their wrapping out again: shows the difference on stdout, and
 * writes it if that is wanted. Throws `BAD_USAGE` if nobody is there to be asked.
 */
export async function wrapConfig(file: string, { undo = false, yes = false }): Promise<void> {
  const rewriting = await planRewriting(file, undo, launcher());
  for (const note of rewriting.notes) say(note);
  if (rewriting.diff === '') {
    say(`nothing to do in '${file}'`);
    return;
  }
  await writeStdout(visible(rewriting.diff));
  if (!yes && !(await isWanted(file))) {
    say('nothing is written');
    return;
  }
  say(`written; '${file}' as it was is in '${await rewrite(rewriting)}'`);
  say('restart the client for it to take effect');
}

/** How clients are to run this program: from npm again if npm keeps it for a while only, else as it was run now. */
export function launcher(program = process.argv[1] ?? ''): Launcher {
  const main = realpathSync(program);
  if (/[/\\]_npx[/\\]/.test(main)) return { command: 'npx', args: ['-y', 'plimsoll'] };
  return { command: process.execPath, args: [main] };
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

function say(line: string): void {
  process.stderr.write(`plimsoll: ${visibleName(line)}\n`);
}
