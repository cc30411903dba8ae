import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Launcher } from '../wrap/config/entry.ts';

/** Folders of programs that package managers run once and clear away: of npx, pnpm dlx and bunx. */
const CLEARED = /[/\\](?:_npx|dlx|bunx-[^/\\]*)[/\\]/;

/** How clients are to run this program from npm, wherever they are. */
export function fromNpm(platform: NodeJS.Platform = process.platform): Launcher {
  const args = ['-y', 'plimsoll'];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** How clients are to run this program: from npm again if it is kept for a while only, else as it was run now. */
export function launcher(program = process.argv[1] ?? '', node = process.execPath): Launcher {
  if (CLEARED.test(realpathSync(program))) return fromNpm();
  return { command: lastingNode(node), args: [lastingProgram(program)] };
}

/** The program's file. Folders that are links stay: behind them others may be after an update. */
function lastingProgram(program: string): string {
  let file = resolve(program);
  while (lstatSync(file).isSymbolicLink()) file = resolve(dirname(file), readlinkSync(file));
  return file;
}

/** Node by a name that stays after an update, where Homebrew and snap have one besides that with the version. */
function lastingNode(node: string): string {
  const lasting = node
    .replace(/[/]Cellar[/]([^/]+)[/][^/]+[/]bin[/]/, '/opt/$1/bin/')
    .replace(/^([/]snap[/][^/]+)[/]\d+[/]/, '$1/current/');
  try {
    return realpathSync(lasting) === realpathSync(node) ? lasting : node;
  } catch {
    return node;
  }
}
