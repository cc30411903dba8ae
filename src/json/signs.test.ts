import { expect, test } from 'vitest';
import { isStackFrame, rankOf, shapeOf } from './signs.ts';

test.each([
  'FATAL: password authentication failed',
  'CRITICAL: disk full',
  'panic: runtime error: index out of range',
  "thread 'main' panicked at src/main.rs:2:5:",
  'Segmentation fault (core dumped)',
  '    Reason:  OOMKilled',
  'web   0/1   CrashLoopBackOff   5',
  'Out of memory: Killed process 123 (node)',
  'Unhandled rejection Error: x',
  'Uncaught exception',
  'F1202 01:28:00.000000 1 main.go:138] bye',
  '{"level":60,"msg":"x"}',
  'fatal: [web1]: FAILED! => {"changed": false}',
])('%j ends a program', (line) => {
  expect(rankOf(line)).toBe(0);
});

test.each([
  'an error here',
  'TypeError: x',
  'java.lang.NullPointerException',
  'Traceback (most recent call last):',
  'Caused by: x.Y',
  'assertion failed',
  '[ERROR] x',
  'level=error msg=x',
  '{"error":"refused","code":0}',
  'error TS2304: Cannot find name',
  'error[E0382]: borrow of moved value',
  'error: no such file',
  'Error: null pointer',
  'error: 0x80070005',
  '0 errors, 3 failed',
  '10 errors',
  '12 Error(s)',
  'Checking...FAILED',
  'HTTP 404 not found error',
  'npm ERR! code ELIFECYCLE',
  'bash: ./x: Permission denied',
  'bash: foo: command not found',
  'the request timed out',
  'connect: Connection refused',
  'web   0/1   ImagePullBackOff   0',
  'web   0/1   Error   0   5m',
  'E1202 01:28:00.000000 1 reflector.go:138] watch',
  '{"level":50,"msg":"x"}',
  'not ok 3 - adds',
  '  ✗ adds',
  '  × adds',
  '--- FAIL: TestX (0.00s)',
  'E       assert 1 == 2',
  '2024-05-01 ERR connection lost',
])('%j tells of an error', (line) => {
  expect(rankOf(line)).toBe(1);
});

test.each([
  'all is well',
  'erroneous',
  'failsafe',
  'ſAILED',
  '0 errors, 0 warnings',
  'no error found',
  'no fatal errors',
  'without failures',
  'not an error',
  '12 passed, 0 failed, 0 errors',
  '0 of 5 failed',
  '0 Error(s)',
  'Failures: 0, Errors: 0',
  'failed=0 skipped=0',
  'error rate: 0.00%',
  '    "error": null,',
  '{"errors":[],"failed":false}',
  'ok 3 - throws an error',
  '✓ shows an error',
  'tests/x.py: an error PASSED [ 50%]',
  'PASS errors',
  'test error_case: an error ... ok',
  'GET /errors.html 200',
  '/var/log/error.log',
  'see https://example.org/error?failed',
  'error_handler, onError, last_error',
  '--error --fail-fast',
  'onError = (e)',
  'new Error(x)',
  'const error = x',
  'catch (error) {',
  'throw error;',
  'error => error',
  '    at x.ErrorHandler.error (x.js:1)',
])('%j does not', (line) => {
  expect(rankOf(line)).toBeUndefined();
});

test('no line takes long', () => {
  const start = performance.now();
  for (const unit of ['error ', 'a', '0', ' ', 'Error', 'no ', 'a.', 'error 0', '(', 'at ']) {
    for (let times = 0; times < 20; times++) rankOf(unit.repeat(500).slice(0, 500));
  }
  expect(performance.now() - start).toBeLessThan(2000);
});

test('lines that differ in numbers only have one shape', () => {
  expect(shapeOf('retry 12 of 0x1fe9 at 10:00')).toBe(shapeOf('retry 3 of 0xa8 at 09:59'));
  expect(shapeOf('retry 1')).not.toBe(shapeOf('try 1'));
});

test.each([
  ['    at f (x.js:1:2)', true],
  ['  File "x.py", line 1, in f', true],
  ['\t... 12 more', true],
  ['goroutine 1 [running]:', true],
  ['main.(*T).run(0x1)', true],
  ['attached', false],
  ['file x', false],
])('whether %j is of a stack trace: %j', (line, expected) => {
  expect(isStackFrame(line)).toBe(expected);
});
