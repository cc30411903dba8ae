import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressLine, type Terminal } from './progress.ts';

beforeEach(() => {
  vi.stubEnv('TERM', 'xterm');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function watch(terminal: Omit<Terminal, 'write'>) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  /** What was written since the last look. */
  const look = () => {
    const text = written;
    written = '';
    return text;
  };
  return { ...progressLine({ ...terminal, write }), look };
}

test('work that is done soon shows no line', () => {
  const { update, end, look } = watch({ isTTY: true });
  update({ stage: 'reading', done: 1 });
  vi.advanceTimersByTime(499);
  end();
  expect(look()).toBe('');
});

test('long work shows a line, also while a step takes long, and clears it at the end', () => {
  const { update, end, look } = watch({ isTTY: true });
  update({ stage: 'listing', done: 0 });
  vi.advanceTimersByTime(500);
  expect(look()).toBe('\r\x1b[2Kplimsoll: listing files');
  vi.advanceTimersByTime(1000);
  expect(look()).toBe('');
  update({ stage: 'reading', done: 7, total: 9 });
  expect(look()).toBe('\r\x1b[2Kplimsoll: reading files 7 of 9');
  end();
  expect(look()).toBe('\r\x1b[2K');
});

test('the line changes at most ten times a second', () => {
  const { update, look } = watch({ isTTY: true });
  vi.advanceTimersByTime(550);
  for (let done = 0; done < 1000; done++) update({ stage: 'reading', done });
  expect(look()).toBe('\r\x1b[2Kplimsoll: reading files');
  vi.advanceTimersByTime(150);
  expect(look()).toBe('\r\x1b[2Kplimsoll: reading files 999');
});

test('nothing is shown after the end', () => {
  const { update, end, look } = watch({ isTTY: true });
  vi.advanceTimersByTime(500);
  update({ stage: 'reading', done: 1 });
  end();
  look();
  update({ stage: 'reading', done: 2 });
  vi.advanceTimersByTime(1000);
  end();
  expect(look()).toBe('');
});

test('the line fits the terminal', () => {
  const { update, look } = watch({ isTTY: true, columns: 20 });
  vi.advanceTimersByTime(500);
  update({ stage: 'reading', done: 1 });
  expect(look()).toBe('\r\x1b[2Kplimsoll: reading f');
});

test.each([
  ['a file or a pipe', {}, 'xterm'],
  ['a terminal that can do nothing', { isTTY: true }, 'dumb'],
])('%s gets nothing', (_, terminal, term) => {
  vi.stubEnv('TERM', term);
  const { update, end, look } = watch(terminal);
  vi.advanceTimersByTime(5000);
  update({ stage: 'reading', done: 1 });
  end();
  expect(look()).toBe('');
});
