import { expect, test, vi } from 'vitest';
import { progressLine } from './progress.ts';

function watch(terminal: { isTTY?: boolean; columns?: number }) {
  let time = 0;
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const progress = progressLine({ ...terminal, write }, () => time);
  const at = (when: number, done: number, total?: number) => {
    time = when;
    progress.update({ stage: 'reading', done, ...(total !== undefined && { total }) });
  };
  const taken = () => {
    const text = written;
    written = '';
    return text;
  };
  return { at, end: progress.end, taken };
}

test('work that is done soon shows no line', () => {
  const { at, end, taken } = watch({ isTTY: true });
  at(499, 1, 2);
  end();
  expect(taken()).toBe('');
});

test('long work shows a line, changed at most ten times a second and cleared at the end', () => {
  const { at, end, taken } = watch({ isTTY: true });
  at(500, 1, 3);
  at(599, 2, 3);
  expect(taken()).toBe('\r\x1b[2Kplimsoll: reading, 1 of 3 files');
  at(600, 3);
  expect(taken()).toBe('\r\x1b[2Kplimsoll: reading, 3 files');
  end();
  expect(taken()).toBe('\r\x1b[2K');
});

test('nothing is shown after the end', () => {
  const { at, end, taken } = watch({ isTTY: true });
  at(500, 1);
  end();
  taken();
  at(1000, 2);
  end();
  expect(taken()).toBe('');
});

test('the line fits the terminal', () => {
  const { at, taken } = watch({ isTTY: true, columns: 20 });
  at(500, 1, 3);
  expect(taken()).toBe('\r\x1b[2Kplimsoll: reading, ');
});

test('nobody watches a file or a pipe', () => {
  const { at, end, taken } = watch({});
  at(5000, 1);
  end();
  expect(taken()).toBe('');
});

test('a terminal that can do nothing gets nothing', () => {
  vi.stubEnv('TERM', 'dumb');
  const { at, taken } = watch({ isTTY: true });
  at(5000, 1);
  vi.unstubAllEnvs();
  expect(taken()).toBe('');
});
