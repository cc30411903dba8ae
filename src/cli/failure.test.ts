import { expect, test } from 'vitest';
import { PlimsollError } from '../errors.ts';
import { describeFailure } from './failure.ts';
import { Interrupted } from './interrupt.ts';

test.each([
  ['BAD_USAGE', 2],
  ['BAD_BUDGET', 2],
  ['BUDGET_TOO_SMALL', 2],
  ['BAD_GLOB', 2],
  ['BAD_ADDRESS', 2],
  ['SOURCE_NOT_FOUND', 1],
  ['BAD_REF', 1],
  ['OUTPUT_UNWRITABLE', 1],
] as const)('%s gives one line and exit code %i', (code, exitCode) => {
  const error = new PlimsollError(code, 'No such folder: a\nb\x1b[2J.');
  expect(describeFailure(error, false)).toEqual({
    text: 'plimsoll: No such folder: a␊b␛[2J.\n',
    exitCode,
  });
});

test.each([
  [new TypeError('x is not\na function'), 'x is not␊a function'],
  ['thrown text', 'thrown text'],
  [undefined, 'undefined'],
])('the unexpected %j gives one line that says how to learn more', (error, message) => {
  expect(describeFailure(error, false)).toEqual({
    text: `plimsoll: unexpected error: ${message} (run again with --verbose for details)\n`,
    exitCode: 1,
  });
});

test('when asked, the stack trace and the cause follow', () => {
  const cause = new Error('EACCES');
  const { text } = describeFailure(new PlimsollError('OUTPUT_UNWRITABLE', 'Cannot write.', { cause }), true);
  expect(text).toMatch(/^plimsoll: Cannot write\.\nPlimsollError: Cannot write\.\n {4}at .*cause.*EACCES/s);
});

test('an interruption has been reported already', () => {
  expect(describeFailure(new Interrupted(130), false)).toEqual({ text: '', exitCode: 130 });
});
