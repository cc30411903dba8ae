import { inspect } from 'node:util';
import { type ErrorCode, PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { Interrupted } from './interrupt.ts';

/** Errors that mean the command itself was given wrongly. */
const USAGE: readonly ErrorCode[] = [
  'BAD_USAGE',
  'BAD_BUDGET',
  'BAD_LIMIT',
  'BUDGET_TOO_SMALL',
  'BAD_GLOB',
  'BAD_ADDRESS',
  'BAD_PATTERN',
  'BAD_PATH',
  'BAD_KEY',
  'BAD_VALUE',
  'BAD_ENTRY',
];

/**
 * What to say on stderr of an error, and the exit code: 1 failed, 2 bad usage. One line, without a stack
 * trace unless `verbose`; nothing for an interruption, which has been reported.
 */
export function describeFailure(error: unknown, verbose: boolean): { text: string; exitCode: number } {
  if (error instanceof Interrupted) return { text: '', exitCode: error.exitCode };
  const details = verbose ? `${inspect(error)}\n` : '';
  if (error instanceof PlimsollError) {
    const text = `plimsoll: ${visibleName(error.message)}\n${details}`;
    return { text, exitCode: USAGE.includes(error.code) ? 2 : 1 };
  }
  const message = visibleName(error instanceof Error ? error.message : String(error));
  const hint = verbose ? '' : ' (run again with --verbose for details)';
  return { text: `plimsoll: unexpected error: ${message}${hint}\n${details}`, exitCode: 1 };
}
