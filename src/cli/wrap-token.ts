import { readFileSync } from 'node:fs';
import { PlimsollError } from '../errors.ts';
import { readToken } from '../settings/values.ts';

/**
 * The token that clients must send: what a file holds, or the environment, from which it is taken away, so that no
 * server has it; undefined if neither is given. Throws `BAD_USAGE` for a file that can't be read, and for what is no
 * token: whoever gives one must not be left without.
 */
export function takeToken(file: string | undefined): string | undefined {
  const { PLIMSOLL_WRAP_TOKEN: inEnvironment } = process.env;
  delete process.env.PLIMSOLL_WRAP_TOKEN;
  if (file !== undefined) return checked(contentOf(file), `--token-file: '${file}'`);
  return inEnvironment === undefined ? undefined : checked(inEnvironment, 'PLIMSOLL_WRAP_TOKEN');
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
