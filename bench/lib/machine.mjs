import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const output = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();

/** What the figures were measured on, as a Markdown list. `nodes` are further Node binaries to name. */
export function machine(nodes = []) {
  const distribution = existsSync('/etc/os-release')
    ? /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    : undefined;
  return [
    `- CPU: ${cpus()[0]?.model}, ${cpus().length} cores`,
    `- memory: ${(totalmem() / 1e9).toFixed(1)} GB`,
    `- system: ${type()} ${release()}${distribution ? `, ${distribution}` : ''}`,
    `- Node: ${[process.version, ...nodes.map((node) => output(node, '--version'))].join(', ')}`,
    `- git: ${output('git', '--version').replace('git version ', '')}`,
    `- load average at the start: ${loadavg()
      .map((value) => value.toFixed(2))
      .join(', ')}`,
  ].join('\n');
}

/** The commit that a checkout stands at. */
export const commitOf = (folder) => output('git', '-C', folder, 'rev-parse', 'HEAD');

/** How many files a checkout tracks. */
export const trackedIn = (folder) =>
  execFileSync('git', ['-C', folder, 'ls-files', '-z'], { maxBuffer: 1 << 30 }).reduce(
    (total, byte) => total + (byte === 0 ? 1 : 0),
    0,
  );
