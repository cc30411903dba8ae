import { readFileSync } from 'node:fs';
import { PlimsollError } from '../errors.ts';
import { readToken } from '../settings/values.ts';

/**
 * The token that clients must send: what a file holds, or a variable of the environment, from which it is taken away, so that no
 * server has it; undefined if neither is given. Throws `BAD_USAGE` for a file that can't be read, and for what is no
 * token: whoever gives one must not be left without.
 */
export function takeToken(file: string | undefined, variable: string): string | undefined {
  const inEnvironment = process.env[variable];
  delete process.env[variable];
  if (file !== undefined) return checked(contentOf(file), `--token-file: '${file}'`);
  return inEnvironment === undefined ? undefined : checked(inEnvironment, variable);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new PlimsollError('BAD_USAGE', `--token-file: '${file}' can't be read.`, { cause });
  }
}

function checked(text: string, where: string): string {
  const token = readToken(text);
  if (token !== undefined) return token;
  throw new PlimsollError(
    'BAD_USAGE',
    `${where} must hold a token and nothing else: printable ASCII without spaces.`,
  );
}
