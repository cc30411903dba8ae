import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  addEntry,
  diaryText,
  type Entry,
  mergeEntries,
  type NewEntry,
  pickEntries,
  readEntries,
} from './diary.ts';

const AT = new Date('2026-12-02T05:40:12.345Z');

const OLD = `# Diary

Some words of my own.

## 2025-01-31 23:59:59 [DEPLOY]

Rolled out 1.4.

## 2025-02-01 08:00:00
No tag, no blank line.
## Not a header
`;

function write(entries: readonly NewEntry[], start?: string): string {
  return (
    entries
      .reduce<Buffer | undefined>(addEntry, start === undefined ? undefined : Buffer.from(start))
      ?.toString() ?? ''
  );
}

function texts(entries: readonly Entry[]): string[] {
  return entries.map(({ text }) => text);
}

/** Lines that look like headers, near-misses, line ends and all else. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '## 2026-01-01 00:00:00',
        '## 2026-01-01 00:00:00 +01:00 [X]',
        '\\## 2026-01-01 00:00:00',
        '\\\\## 2026-01-01 00:00:00 [a b]  ',
        '## Heading',
        '```',
        '\ufeff',
        '\0',
        '',
      ),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((eol) => lines.join(eol)))
  .filter((body) => body.trim() !== '');

describe('entries', () => {
  it('stand under a header with the time, its zone and the tag', () => {
    const diary = write([{ text: 'Chose SQLite.', at: AT, tag: 'DECISION' }]);
    expect(diary).toMatch(/^## 2026-12-0\d \d\d:\d\d:12 [+-]\d\d:\d\d \[DECISION\]\n\nChose SQLite\.\n\n$/);
    expect(readEntries(diary)).toMatchObject([
      { text: 'Chose SQLite.', tag: 'DECISION', time: AT.getTime() - 345, line: 1 },
    ]);
  });

  it('of an older diary are read, and what it says before them is left alone', () => {
    expect(readEntries(OLD)).toMatchObject([
      { at: '2025-01-31 23:59:59', tag: 'DEPLOY', text: 'Rolled out 1.4.', line: 5 },
      { at: '2025-02-01 08:00:00', tag: undefined, text: 'No tag, no blank line.\n## Not a header', line: 9 },
    ]);
    expect(write([{ text: 'more', at: AT }], OLD).startsWith(OLD)).toBe(true);
  });

  it('are never split by lines of theirs that look like headers', () => {
    const body = 'before\n## 2026-01-01 00:00:00 [FORGED]\n\nafter';
    expect(texts(readEntries(write([{ text: body, at: AT }])))).toEqual([body]);
    expect(write([{ text: body, at: AT }])).toContain('\n\\## 2026-01-01 00:00:00 [FORGED]\n');
  });

  it('of any content come back as they were, whatever stood before them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text, tag: fc.constantFrom(undefined, 'A', 'two words', 'ünï') }), {
          minLength: 1,
        }),
        fc.constantFrom('', '# Mine\n', '# Mine\r\n\r\nnotes', OLD, OLD.replaceAll('\n', '\r\n'), '\ufeff'),
        (entries, start) => {
          const diary = write(
            entries.map((entry) => ({ ...entry, at: AT })),
            start,
          );
          expect(diary.startsWith(start)).toBe(true);
          const found = readEntries(diary).slice(readEntries(start).length);
          expect(found.map((entry) => [entry.text, entry.tag])).toEqual(
            entries.map(({ text: body, tag }) => {
              const exact = body.toWellFormed();
              return [start.includes('\r\n') ? exact.replaceAll('\r\n', '\n') : exact, tag];
            }),
          );
        },
      ),
    );
  });

  it('take the line ends of a diary that has CRLF', () => {
    expect(write([{ text: 'b', at: AT }], '## 2025-01-01 00:00:00\r\n\r\na\r\n')).toMatch(
      /a\r\n\r\n## [^\n]*\r\n\r\nb\r\n\r\n$/,
    );
  });

  it('have the line ends of a diary that has CRLF in all their lines', () => {
    const diary = write(
      [{ text: 'one\ntwo\r\n\n## 2026-01-01 00:00:00', at: AT }],
      OLD.replaceAll('\n', '\r\n'),
    );
    expect(diary).not.toMatch(/[^\r]\n/);
    expect(texts(readEntries(diary)).at(-1)).toBe('one\ntwo\n\n## 2026-01-01 00:00:00');
  });

  it.each([
    ['', undefined, /needs some text/],
    [' \n ', undefined, /needs some text/],
    ['x', 'two\nlines', /one line/],
    ['x', 'a]b', /without \]/],
    ['x', '  ', /A tag needs some text/],
    ['x', 'y'.repeat(101), /at most 100 characters/],
    ...['\u200b', 'a\u2028b', 'a\u202eb', 'a\u00adb', 'ok\u{e0041}'].map((tag): [string, string, RegExp] => [
      'x',
      tag,
      /that nobody can see/,
    ]),
  ])('are refused: %j with the tag %j', (body, tag, message) => {
    expect(() => addEntry(undefined, { text: body, at: AT, tag })).toThrow(
      expect.objectContaining({ code: 'BAD_ENTRY', message: expect.stringMatching(message) }),
    );
  });
});

describe('picking', () => {
  afterEach(() => void vi.unstubAllEnvs());

  const entries = readEntries(
    [
      ['2026-11-30 10:00:00 +00:00', 'OPS', 'Déployé the café server'],
      ['2026-12-01 00:00:00 +00:00', 'ops', 'Server restarted'],
      ['2026-12-01 23:59:59 +00:00', 'IDEA', 'Cache it'],
      ['2026-13-41 10:00:00 +00:00', 'IDEA', 'No such day'],
    ]
      .map(([at, tag, body]) => `## ${at} [${tag}]\n\n${body}\n\n`)
      .join(''),
  );

  it.each([
    [{}, 4, 4],
    [{ last: 2 }, 2, 4],
    [{ last: 0 }, 0, 4],
    [{ last: 1e9 }, 4, 4],
    [{ tag: 'Ops' }, 2, 2],
    [{ tag: 'none' }, 0, 0],
    [{ text: 'SERVER cafe' }, 1, 1],
    [{ since: '2026-12-01T00:00Z' }, 2, 2],
    [{ until: '2026-11-30 23:59 +00:00' }, 1, 1],
    [{ since: '2026-12-01T00:00Z', until: '2026-12-01T23:59:59Z', last: 1 }, 1, 2],
  ])('%j gives %i of %i', (picks, count, total) => {
    const picked = pickEntries(entries, picks);
    expect([picked.entries.length, picked.total]).toEqual([count, total]);
  });

  it('finds a tag and a text by what they were given as', () => {
    const [text, tag] = ['text\ud800', 'ok\ud800'];
    const written = readEntries(write([{ text, tag, at: AT }]));
    expect(pickEntries(written, { tag, text }).total).toBe(1);
  });

  it('keeps the newest, in the order of the diary', () => {
    expect(texts(pickEntries(entries, { last: 2 }).entries)).toEqual(['Cache it', 'No such day']);
  });

  it('takes a day without a zone as the day where it runs', () => {
    const [entry] = readEntries('## 2026-12-01 12:00:00\n\nnoon\n');
    for (const picks of [{ since: '2026-12-01' }, { until: '2026-12-01' }]) {
      expect(pickEntries([entry as Entry], picks).total).toBe(1);
    }
    expect(pickEntries([entry as Entry], { until: '2026-11-30' }).total).toBe(0);
  });

  it.each([
    ['2026-10-25', '2026-10-25 23:59:59 +01:00', '2026-10-26 00:00:00 +01:00'],
    ['2026-03-29', '2026-03-29 23:59:59 +02:00', '2026-03-30 00:00:00 +02:00'],
    ['2026-03-29 +01:00', '2026-03-29 23:59:59 +01:00', '2026-03-30 00:00:00 +01:00'],
    ['9999-12-31', '9999-12-31 23:59:59 +01:00', '9999-12-31 23:59:59 -01:00'],
  ])('takes %s as the whole day, also where clocks change', (until, last, next) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const days = readEntries(`## ${last}\n\nlast\n\n## ${next}\n\nnext\n`);
    expect(texts(pickEntries(days, { until }).entries)).toEqual(['last']);
  });

  it.each([
    ['2026-12-01 17:30Z', 3],
    ['2026-12-01 17:30:00Z', 2],
    ['2026-12-01 17:30:00.000Z', 1],
  ])('takes a minute or a second that is named to its end: until %s gives %i', (until, total) => {
    const moments = ['00.000', '00.500', '59.999'].map((at) => Date.parse(`2026-12-01T17:30:${at}Z`));
    const [entry] = entries;
    const timed = moments.map((time) => ({ ...(entry as Entry), time }));
    expect(pickEntries(timed, { until }).total).toBe(total);
  });

  it.each([
    { last: -1 },
    { last: 1.5 },
    { since: 'yesterday' },
    { until: '2026-13-01' },
    { since: '2026-02-30' },
    { until: '2025-02-29 12:00' },
    { text: 'a '.repeat(501) },
  ])('refuses %j', (picks) => {
    expect(() => pickEntries(entries, picks)).toThrow(expect.objectContaining({ code: 'BAD_ENTRY' }));
  });
});

describe('several diaries', () => {
  function diary(...days: readonly string[]): Entry[] {
    return readEntries(days.map((day) => `## ${day} 08:00:00 +00:00\n\n${day}\n\n`).join(''));
  }

  it('are one by time, in which an entry without a date stays behind the one before it', () => {
    const project = diary('2025-13-01', '2025-01-02', '2025-02-30', '2025-01-04');
    const global = diary('2025-01-01', '2025-01-03', '2025-01-05', '2025-14-01');
    expect(texts(mergeEntries([project, global]))).toEqual([
      '2025-01-01',
      '2025-13-01',
      '2025-01-02',
      '2025-02-30',
      '2025-01-03',
      '2025-01-04',
      '2025-01-05',
      '2025-14-01',
    ]);
  });

  it('keep the order of each where no entry has a date', () => {
    expect(texts(mergeEntries([diary('2025-13-02', '2025-13-01'), diary('2025-01-01')]))).toEqual([
      '2025-01-01',
      '2025-13-02',
      '2025-13-01',
    ]);
  });
});

describe('the text of a diary', () => {
  it('is that of its bytes in UTF-8', () => {
    expect(diaryText(Buffer.from('é'), '/d/diary.md')).toBe('é');
    expect(diaryText(undefined, '/d/diary.md')).toBe('');
  });

  const utf16 = Buffer.from(OLD, 'utf16le');
  it.each([
    ['with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['the other way round', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16()],
    ['without a byte order mark', utf16],
  ])('is refused in UTF-16: %s', (_, bytes) => {
    expect(() => diaryText(bytes, '/d/diary.md')).toThrow(
      expect.objectContaining({
        code: 'MEMORY_DAMAGED',
        message:
          '/d/diary.md is in UTF-16; it must be in UTF-8. Nothing is read from it or written to it until an editor has saved it so.',
      }),
    );
  });
});
