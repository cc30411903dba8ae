import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';

/** Has a command that is nothing without one of its own commands refuse whatever is none of them, with `BAD_USAGE`. */
export function refuseOthers(command: Command, choices: string): void {
  command
    .helpCommand(true)
    .allowExcessArguments()
    .allowUnknownOption()
    .action(() => {
      const [name] = command.args;
      const what = name?.startsWith('-') ? 'option' : 'command';
      const problem = name === undefined ? 'Missing command.' : `Unknown ${what} '${name}'.`;
      throw new PlimsollError('BAD_USAGE', `${problem} Give plimsoll ${command.name()} ${choices}.`);
    });
}
