import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PlimsollError } from '../errors.ts';

const usual = await import('env-paths').then(
  ({ default: envPaths }) => envPaths('plimsoll', { suffix: '' }).data,
  () => '',
);

/**
 * Plimsoll's folder among the user's data (`~/.local/share/plimsoll` on Linux), absolute. An `XDG_DATA_HOME` that isn't
 * absolute is ignored, as the XDG Base Directory Specification wants it; without a home in the environment, it is that
 * of the system's list of users. Throws `BAD_USAGE` where there is none.
 */
export function dataFolder(): string {
  if (isAbsolute(usual)) return usual;
  const home = [homedir, () => userInfo().homedir].map(orNothing).find(isAbsolute);
  if (home !== undefined) return join(home, ...placeInHome(), 'plimsoll');
  throw new PlimsollError(
    'BAD_USAGE',
    'There is no home folder to keep data in: set PLIMSOLL_DATA_DIR to a folder.',
  );
}

/** The spool's folder unless the environment or the user says otherwise; `undefined` where there is no home. */
export function usualSpool(): string | undefined {
  try {
    return join(dataFolder(), 'spool');
  } catch {
    return undefined;
  }
}

/** Where data is in a home, as `env-paths` has it. */
function placeInHome(): readonly string[] {
  return process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'share'];
}

function orNothing(home: () => string): string {
  try {
    return home();
  } catch {
    return '';
  }
}
