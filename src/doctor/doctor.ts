import type { Machine } from '../install/clients.ts';
import type { Settings } from '../settings/settings.ts';
import type { Launcher } from '../wrap/config/entry.ts';
import { checkClients } from './clients.ts';
import { type Finding, ok, warn } from './finding.ts';
import { checkCache, checkDataFolder, checkMemory, checkSpool } from './folders.ts';
import { checkGitHub, checkModel } from './hosts.ts';
import { checkGit, checkNode } from './programs.ts';

export type { Finding, Status } from './finding.ts';

export interface DoctorOptions {
  readonly settings: Pick<Settings, 'digest' | 'github' | 'cache' | 'data' | 'spool' | 'transcript'>;
  /** What is wrong with settings, a line each. */
  readonly warnings: readonly string[];
  /** The current folder; undefined if that is gone. */
  readonly workFolder: string | undefined;
  readonly machine: Machine;
  readonly launcher: Launcher;
}

/**
 * Looks at everything that the work depends on, all at once. Nothing is changed, and nothing is sent but a question to
 * GitHub's API and to the model's server, where settings say that they are.
 */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const { settings, warnings, workFolder, machine, launcher } = options;
  const { digest, github, cache, data, spool, transcript } = settings;
  const problems = warnings.map((warning) => warn('settings', warning, 'Correct or remove it.'));
  const found = await Promise.all([
    checkNode(),
    checkGit(),
    problems.length > 0 ? problems : ok('settings', 'all can be used'),
    checkDataFolder(data.folder),
    checkMemory(data.folder, workFolder),
    checkCache(cache),
    checkSpool(spool),
    checkGitHub(github, digest),
    checkModel(transcript),
    checkClients(machine, launcher),
  ]);
  return found.flat();
}
