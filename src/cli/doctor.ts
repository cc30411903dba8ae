import type { Command } from 'commander';
import { examine, type Finding } from '../doctor/doctor.ts';
import { thisMachine } from '../install/plan.ts';
import { loadSettings } from '../settings/load.ts';
import { visibleName } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { Interrupted, interruptible } from './interrupt.ts';
import { launcher } from './launcher.ts';
import { writeStdout } from './output.ts';

const HELP = `
ok is well; warn is missing for a part of the work; fail is needed for all of it. The exit code is 1
if something fails. Nothing is changed, nothing is sent but to GitHub's API and the model's server.

Settings: the environment; .env and plimsoll.config.json, found upwards from the current folder.`;

/** Adds the options and action of `plimsoll doctor`. */
export function defineDoctor(command: Command): void {
  command.option('--json', 'as JSON').addHelpText('after', HELP).action(doctor);
}

async function doctor({ json }: { readonly json?: true }): Promise<void> {
  const workFolder = folderHere();
  const jobs = ['digest', 'github', 'cache', 'data', 'spool', 'transcript'] as const;
  const { values: settings, warnings } = loadSettings(jobs, {}, workFolder ?? '/', process.env);
  const options = { settings, warnings, workFolder, machine: thisMachine(), launcher: launcher() };
  const findings = await interruptible(() => examine(options));
  await writeStdout(json ? `${JSON.stringify(findings, null, 2)}\n` : asText(findings));
  if (findings.some(({ status }) => status === 'fail')) throw new Interrupted(1);
}

function folderHere(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}

/** A line for each finding, and one below for what is to be done about it. */
function asText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ about, status, found, mend }) => [
    `${status.padEnd(4)}  ${about.padEnd(width)}  ${visibleName(found)}`,
    ...(mend === undefined ? [] : [`${' '.repeat(width + 8)}${visibleName(mend)}`]),
  ]);
  return `${lines.join('\n')}\n`;
}
