import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { type Finding, fail, ok, warn } from './finding.ts';

/** How long a program may take to tell its version, in milliseconds. */
const PATIENCE = 5000;

/** Node's version, against the least that is needed. */
export function checkNode(version = process.versions.node): Finding {
  const least = manifest.engines.node.replace('>=', '');
  const isEnough = compared(version, least) >= 0;
  return isEnough
    ? ok('Node', version)
    : fail('Node', `${version} is too old`, `Install Node ${least} or newer.`);
}

/** Git's version. Only repositories of hosts other than GitHub, and commits, need it. */
export async function checkGit(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: PATIENCE });
    return ok('git', stdout.trim().replace(/^git version /, ''));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const found = isMissing ? 'it is not there' : 'it does not run';
    return warn('git', found, 'Install git to digest repositories that are not on GitHub, and commits.');
  }
}

function compared(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
