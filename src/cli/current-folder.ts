import { PlimsollError } from '../errors.ts';

/** The current folder; throws `BAD_USAGE` where it was removed. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new PlimsollError('BAD_USAGE', 'The current folder no longer exists: change to one that does.', {
      cause,
    });
  }
}
