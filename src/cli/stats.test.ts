import { expect, test } from 'vitest';
import { summarise } from '../wrap/stats/summary.ts';
import { summaryAsText } from './stats.ts';

const time = '2026-02-03T04:05:06.000Z';

test('a summary has a line for each tool, and the total', () => {
  const records = [
    { time, server: 'docs', tool: 'dump\n\x1b[2J', before: 12_345_678, after: 40_000, handle: 'h' },
    { time, server: 'docs', reader: 'plimsoll_read', after: 20_000, handle: 'h' },
    { time, server: 'files', tool: 'get', before: 70, after: 70 },
  ];
  expect(summaryAsText(summarise(records))).toBe(
    [
      'server  tool       calls  cut                       before                        after   read back  tokens saved',
      'docs    dump␊␛[2J      1    1  12.3 MB / 12.3 MB / 12.3 MB  40.0 KB / 40.0 KB / 40.0 KB  1: 20.0 KB     3,071,420',
      'files   get            1    0           70 B / 70 B / 70 B           70 B / 70 B / 70 B           -             0',
      '2 calls since 2026-02-03, about 3,071,420 tokens saved',
      'before, after: median / 95th percentile / largest; tokens are estimated: of text, 4 bytes each, less what was read back',
      '',
    ].join('\n'),
  );
});

test('without calls there is nothing to show', () => {
  expect(summaryAsText(summarise([]))).toBe('No calls are recorded.\n');
});
