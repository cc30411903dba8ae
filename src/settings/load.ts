import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { jsonProblem } from '../json/problem.ts';
import { type Flags, type Job, type Layers, type Resolved, resolveSettings } from './settings.ts';

/** Far more than a settings file holds, in bytes. */
const LARGEST_FILE = 1024 * 1024;

/**
 * The settings of some jobs from flags, the environment, and the nearest `.env` and `plimsoll.config.json`
 * found upwards from `folder`, each for itself.
 *
 * `folder` is the current folder, where a person chose to work, and never one that is digested: what is
 * digested is data, and must not steer the program that reads it. Of `.env`, only names of settings are
 * read, and nothing of it enters the environment.
 */
export function loadSettings<Asked extends Job>(
  jobs: readonly Asked[],
  flags: Flags<Asked>,
  folder: string,
  env: Layers['env'],
): Resolved<Asked> {
  const warnings: string[] = [];
  const dotenv = readUpwards(folder, '.env', warnings);
  const config = readUpwards(folder, 'plimsoll.config.json', warnings);
  const value = config && parseConfig(config, warnings);
  const resolved = resolveSettings(jobs, flags, {
    env,
    folder,
    ...(dotenv && { dotenv: { file: dotenv.file, values: parseEnv(dotenv.text) } }),
    ...(config && value !== undefined && { config: { file: config.file, value } }),
  });
  return { values: resolved.values, warnings: [...warnings, ...resolved.warnings] };
}

interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** The nearest regular file of that name: a `.env` may be a Python environment's folder, or a pipe. */
function readUpwards(start: string, name: string, warnings: string[]): TextFile | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, name);
    try {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats?.isFile()) {
        if (stats.size > LARGEST_FILE) throw new Error('it is larger than 1 MiB');
        return { file, text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') };
      }
    } catch (error) {
      warnings.push(`${file} is not used: ${(error as Error).message}`);
      return undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function parseConfig({ file, text }: TextFile, warnings: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonProblem(Buffer.from(text)) ?? { line: 1, column: 1 };
    warnings.push(`${file} is not used: it is not JSON from line ${line}, column ${column} on`);
    return undefined;
  }
}
