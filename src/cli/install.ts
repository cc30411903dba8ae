import type { Command } from 'commander';
import { CLIENTS, clientCalled } from '../install/clients.ts';
import { fileOf, isClientHere, planInstall, planRemoval, snippetFor, thisMachine } from '../install/plan.ts';
import { visible } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { fromNpm, launcher } from './launcher.ts';
import { writeStdout } from './output.ts';
import { makeChange, say } from './rewriting.ts';

const HELP = `
CLIENT is one of ${CLIENTS.map(({ id }) => id).join(', ')}.

The change is shown first, and a copy of the file as it was stays beside it. --project is for
${CLIENTS.filter(({ projectFile }) => projectFile)
  .map(({ id }) => id)
  .join(', ')}: its file may be shared, so it runs the server by npx.

Examples:
  plimsoll install claude-desktop
  plimsoll install vscode --project
  plimsoll install codex --print
  plimsoll install cursor --undo`;

interface Flags {
  readonly project?: true;
  readonly yes?: boolean;
  readonly undo?: true;
  readonly print?: true;
}

/** Adds the options and action of `plimsoll install`. */
export function defineInstall(command: Command): void {
  command
    .argument('<CLIENT>', 'which client is to have the server')
    .option('--project', 'in the file of the project in the current folder instead of your own')
    .option('-y, --yes', 'write without asking')
    .option('--undo', 'take the server out again')
    .option('--print', 'print what belongs into the file, and write nothing')
    .addHelpText('after', HELP)
    .action(install);
}

async function install(id: string, { project, yes = false, undo, print }: Flags): Promise<void> {
  const client = clientCalled(id);
  const machine = thisMachine();
  const file = await fileOf(client, machine, project ? currentFolder() : undefined);
  const own = project ? fromNpm() : launcher();
  if (print) {
    await writeStdout(visible(snippetFor(client, file, own)));
    say(`this belongs into '${file}'`);
    return;
  }
  if (!undo && !project && !(await isClientHere(client, machine))) {
    say(`there is no sign of ${client.name} on this machine`);
  }
  if (!undo && !project && own.args.includes('-y')) {
    say('npx fetches Plimsoll each time it is not kept; after npm install -g plimsoll, install it again');
  }
  await makeChange(await (undo ? planRemoval : planInstall)(client, file, own), file, yes);
}
