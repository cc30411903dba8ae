import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { PlimsollError } from '../errors.ts';
import { visible, visibleName } from '../text/visible.ts';
import type { Launcher } from '../wrap/config/entry.ts';
import { planRewriting, rewrite } from '../wrap/config/rewrite.ts';
import { writeStdout } from './output.ts';

export interface WrapConfigOptions {
  /** Whether the wrapping is to be taken out again. */
  readonly undo?: boolean | undefined;
  /** Whether nobody is to be asked. */
  readonly yes?: boolean | undefined;
  /** Options of `plimsoll wrap` that every server is to be wrapped with. */
  readonly flags?: readonly string[] | undefined;
}

/**
 * Wraps all servers in a client's configuration, or takes their wrapping out again: shows the difference on stdout, and
 * writes it if that is wanted. Throws `BAD_USAGE` if nobody is there to be asked.
 */
export async function wrapConfig(file: string, options: WrapConfigOptions): Promise<void> {
  const { undo = false, yes = false, flags } = options;
  const rewriting = await planRewriting(file, undo, { ...launcher(), ...(flags && { flags }) });
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
