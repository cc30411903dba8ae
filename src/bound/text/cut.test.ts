import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap } from '../types.ts';
import { type CutText, cutText, type TextToCut } from './cut.ts';
import { linesIn } from './source.ts';
import { ESCAPED, keptOf, LENGTH, longText, WORDS } from './text.testing.ts';

function cut(text: TextToCut['text'], room: number, more: Partial<TextToCut> = {}): CutText | undefined {
  return cutText({ text, room, cost: LENGTH, tailShare: 0.5, words: WORDS, ...more });
}

const linesOf = (count: number, line: (number: number) => string = (number) => `This is line ${number}.`) =>
  Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');

describe('cutText, of plain text', () => {
  it('leaves alone what fits', () => {
    expect(cut('abc', 3)).toEqual({ text: 'abc', kind: 'plain', gaps: [] });
    expect(cut('abc', 2)).toBeUndefined();
  });

  it('keeps a head and a tail at lines, and says at the start and between what is missing', () => {
    const text = linesOf(1000);
    const result = cut(text, 1000, { part: '1' });
    const [gap] = (result?.gaps ?? []) as [Gap];
    const [head, tail] = keptOf(text, [gap]);
    expect(result?.text).toBe(`${WORDS.notice([gap])}\n${head}${WORDS.marker(gap)}\n${tail}`);
    expect(head).toMatch(/^This is line 1\.\n.*\.\n$/s);
    expect(tail).toMatch(/^This is line .*\.\nThis is line 1000\.\n$/s);
    expect(result?.text.length).toBeGreaterThan(950);
    const count = text.slice(gap.from, gap.to).split('\n').length - 1;
    const from = (head?.split('\n').length ?? 0) || 0;
    expect(gap).toEqual({
      part: '1',
      from: head?.length,
      to: text.length - (tail?.length ?? 0),
      unit: 'chars',
      chars: gap.to - gap.from,
      bytes: gap.to - gap.from,
      lines: { from, to: from + count, count },
      of: text.length,
    });
  });

  it('cuts within a line that is longer than all there is room for', () => {
    const text = 'ab'.repeat(5000);
    const result = cut(text, 1000);
    const [gap] = (result?.gaps ?? []) as [Gap];
    const [head, tail] = keptOf(text, [gap]);
    expect(result?.text).toBe(`${WORDS.notice([gap])}\n${head}\n${WORDS.marker(gap)}\n${tail}`);
    expect(gap.lines).toEqual({ from: 1, to: 2, count: 1 });
    expect(result?.text.length).toBeGreaterThan(980);
  });

  it('shares the room between head and tail', () => {
    const text = 'ab'.repeat(5000);
    const lengths = (tailShare: number) =>
      keptOf(text, cut(text, 2000, { tailShare })?.gaps ?? []).map((kept) => kept.length);
    const [head = 0, tail = 0] = lengths(0.8);
    expect(tail / (head + tail)).toBeCloseTo(0.8, 2);
    expect(lengths(0)[1]).toBe(0);
    expect(lengths(1)[0]).toBe(0);
    expect(cut(text, 2000, { tailShare: 1 })?.text).toMatch(
      /^\[cut below: 0 to \d+\]\n\[\.\.\. .*\]\n(?:ab)+$/,
    );
  });

  it('says less and less where there is little room', () => {
    const text = linesOf(1000);
    const whole = [{ from: 0, to: text.length, chars: text.length }] as unknown as Gap[];
    expect(cut(text, 150)?.text).toMatch(/^\[cut below: \d+ to 17893\]\nThis is line 1\.\nThis[^[]*$/);
    expect(cut(text, 150, { tailShare: 0.8 })?.text).toMatch(
      /^\[cut below: 0 to \d+\]\n[^[]*is line 1000\.\n$/,
    );
    const notice = WORDS.notice(whole);
    const brief = WORDS.brief(whole[0] as Gap);
    expect(cut(text, notice.length)?.text).toBe(notice);
    expect(cut(text, notice.length - 1)?.text).toBe(brief);
    expect(cut(text, brief.length - 1)).toBeUndefined();
  });

  it('keeps to a number of lines', () => {
    const text = linesOf(1000);
    const result = cut(text, 10_000, { maxLines: 12 });
    expect(result?.text.split('\n')).toHaveLength(13);
    expect(result?.text).toContain('line 5.\n[...');
    expect(result?.text).toContain('...]\nThis is line 996.');
    expect(cut(text, 1_000_000, { maxLines: 2 })?.text).toMatch(
      /^\[cut below: 16 to \d+\]\nThis is line 1\.\n$/,
    );
    expect(cut(text, 1_000_000, { maxLines: 1 })?.text).toBe(`[cut below: 0 to ${text.length}]`);
    expect(cut('a\nb\n', 1000, { maxLines: 2 })?.gaps).toEqual([]);
  });

  it('cuts what is only held at its ends like what is held whole', () => {
    const text = linesOf(10_000, (number) => `Zeile ${number} für 🎉`);
    expect(cut(longText(text, 1000), 1500)).toEqual(cut(text, 1500));
    expect(cut(longText(text, 100_000), 1500)).toEqual(cut(text, 1500));
  });

  it('keeps away from the inner ends of what is held', () => {
    const text = '👩‍👩‍👧‍👦'.repeat(5000);
    for (let window = 1000; window < 1012; window++) {
      const [gap] = (cut(longText(text, window), 50_000)?.gaps ?? []) as [Gap];
      expect([gap.from % 11, gap.to % 11]).toEqual([0, 0]);
      expect(gap.bytes).toBe((gap.chars / 11) * 25);
    }
  });
});

describe('cutText, of a log', () => {
  const text = linesOf(2000, (number) =>
    number % 500 === 300 ? `ERROR: request ${number} failed` : `INFO: request ${number} is done`,
  );

  it('shows the lines between that tell of errors, with their numbers', () => {
    const result = cut(text, 2000);
    const { gaps = [] } = result ?? {};
    expect(result?.kind).toBe('log');
    expect(gaps).toHaveLength(5);
    const [first, second, third, fourth, fifth] = gaps.map((gap, index) =>
      index === 0 ? WORDS.marker(gap) : WORDS.brief(gap),
    );
    expect(result?.text).toContain(
      `is done\n${first}\n300: ERROR: request 300 failed\n${second}\n800: ERROR: request 800 failed\n${third}\n` +
        `1300: ERROR: request 1300 failed\n${fourth}\n1800: ERROR: request 1800 failed\n${fifth}\nINFO: request`,
    );
    expect(gaps[1]?.lines).toEqual({ from: 301, to: 800, count: 499 });
    expect(result?.text.length).toBeGreaterThan(1800);
  });

  it('shows no line twice where the head is short of lines and leaves its room to the tail', () => {
    const log = `${'\n'.repeat(19)}${'👍'.repeat(20)}${'an ERROR\n'.repeat(19)}${'👍'.repeat(202)}`;
    for (let room = 1000; room < 1300; room++) {
      const result = cut(log, room, { maxLines: 47, cost: Buffer.byteLength });
      const kept = keptOf(log, result?.gaps ?? []).join('');
      expect(result?.text.match(/ERROR/g)?.length).toBe(kept.match(/ERROR/g)?.length);
    }
  });

  it('gives them no more than their share, the outermost first', () => {
    const errors = linesOf(500, (number) => `Error ${number}: ${'x'.repeat(40)}`);
    const result = cut(errors, 3000);
    const numbers = [...(result?.text.matchAll(/^(\d+): Error/gm) ?? [])].map((match) => Number(match[1]));
    expect(numbers.length).toBeGreaterThan(5);
    const shown = result?.text.match(/^\d+: .*$/gm)?.join('\n').length ?? 0;
    expect(shown).toBeLessThan(900);
    const [gap] = result?.gaps ?? [];
    expect(gap?.lines?.count).toBeLessThan(10);
    expect((result?.gaps.at(-1)?.lines?.count ?? 0) < 10).toBe(true);
  });

  it('shows a single line between rather than say that it is missing', () => {
    const stack = `${linesOf(500)}Traceback:\n  at f\nValueError: bad\n${linesOf(500)}`;
    expect(cut(stack, 1500)?.text).toContain('501: Traceback:\n502:   at f\n503: ValueError: bad\n[...');
  });

  it.each(['👩‍👩‍👧‍👦', '🇩🇪', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', 'e\u0301\u0323', '\u1112\u1161\u11ab', 'क्षि', '\x1b[31m'])(
    'shortens giant lines, and cuts no %j of them',
    (char) => {
      for (let before = 0; before <= char.length; before++) {
        const giant = `ERROR ${'-'.repeat(before)}${char.repeat(1000)}\n`;
        const text = linesOf(500) + giant + linesOf(500);
        for (const what of [text, longText(text, 4000)]) {
          const [, shown = ''] = /^501: ERROR -*(.*)$/m.exec(cut(what, 4000)?.text ?? '') ?? [];
          expect(shown.length).toBeGreaterThan(300);
          expect(shown.length % char.length).toBe(0);
        }
      }
    },
  );

  it('takes them from what is known of a text that is only held at its ends', () => {
    for (const lineEnd of ['\n', '\r\n']) {
      const log = text.replaceAll('\n', lineEnd);
      const [long, whole] = [cut(longText(log, 2000), 2000), cut(log, 2000)];
      expect(long?.kind).toBe('log');
      expect(long?.text.match(/^\d+: ERROR.*failed$/gm)).toEqual(
        whole?.text.match(/^\d+: ERROR.*failed\r?$/gm)?.map((line) => line.trimEnd()),
      );
      expect(linesOfGaps(long)).toEqual(linesOfGaps(whole));
    }
  });

  it('counts the bytes of every gap, whatever is held', () => {
    const log = text.replaceAll('done', 'erledigt – gut');
    for (const what of [log, longText(log, 2000)]) {
      const { gaps = [] } = cut(what, 2000) ?? {};
      expect(gaps).toHaveLength(5);
      for (const { from, to, bytes } of gaps) expect(bytes).toBe(Buffer.byteLength(log.slice(from, to)));
    }
  });

  const both = (log: string, room: number) => [cut(log, room), cut(longText(log, room), room)];
  const frames = (count: number, frame: (number: number) => string) => linesOf(count, frame);
  const infos = linesOf(1000, (number) => `INFO: request ${number} is done`);

  it('shows a lone fatal line among many errors, and another error among many alike', () => {
    const retries = linesOf(900, (number) => `ERROR retry ${number} of 0x${number.toString(16)}ab`);
    for (const special of ['FATAL: no database', 'ERROR: no space']) {
      for (const result of both(`${retries}${special}\n${retries}`, 2000)) {
        expect(result?.text).toContain(`\n901: ${special}\n`);
      }
    }
  });

  it('is not distracted by errors that there are none of', () => {
    const fine = linesOf(300, (number) => `suite ${number}: 12 passed, 0 errors`);
    for (const result of both(`${fine}ERROR: a real one\n${fine}`, 1500)) {
      expect(result?.text.match(/^\d+: .*$/gm)).toEqual(['301: ERROR: a real one']);
    }
  });

  it('keeps stack traces with what they belong to', () => {
    const python = `Traceback (most recent call last):\n${frames(4, (n) => `  File "m${n}.py", line ${n}\n    f${n}()`)}KeyError: 'a'\n`;
    const java = `x.FooException: bad\n${frames(9, (n) => `\tat x.A${n}.run(A.java:${n})`)}Caused by: y.Other\n\t... 9 more\n`;
    const go = 'panic: index out of range\n\ngoroutine 1 [running]:\nmain.run(...)\n\t/x.go:7\n';
    for (const trace of [python, java, go]) {
      const numbered = trace
        .trimEnd()
        .split('\n')
        .map((line, index) => `${1001 + index}: ${line}`);
      for (const result of both(infos + trace + infos, 4000)) {
        expect(result?.text).toContain(`]\n${numbered.join('\n')}\n[`);
      }
    }
  });

  it('keeps traces whole, also of errors that repeat others', () => {
    const trace = (id: number) =>
      `ERROR request ${id} failed\nTraceback (most recent call last):\n  File "a.py", line 6, in <module>\nKeyError: 'k${id}'\n`;
    for (const result of both(`${trace(1)}${infos}${trace(2)}${infos}${trace(3)}${infos}`, 3000)) {
      expect(result?.text.match(/^\d+: {3}File "a\.py".*$/gm)).toHaveLength(2);
    }
  });

  it('keeps the innermost calls of a long trace first', () => {
    const python = `Traceback (most recent call last):\n${frames(40, (n) => `  File "${'long/'.repeat(8)}m${n}.py", line ${n}`)}KeyError: 'a'\n`;
    const js = `TypeError: bad\n${frames(40, (n) => `    at f${n} (${'long/'.repeat(8)}x.js:${n})`)}`;
    for (const result of both(infos + python + infos, 1700)) {
      expect(result?.text).toContain('m40.py", line 40\n1042: KeyError');
      expect(result?.text).not.toContain('m10.py');
    }
    for (const result of both(infos + js + infos, 1700)) {
      expect(result?.text).toContain('1001: TypeError: bad\n1002:     at f1 (');
      expect(result?.text).not.toContain('f30 ');
    }
  });
});

describe('cutText, of a gap shorter than what would be said in it', () => {
  const wordy = {
    ...WORDS,
    marker: () => `[${'.'.repeat(300)}]`,
    further: () => `[${'.'.repeat(150)}]`,
  };

  it.each([undefined, 40])('shows what is in it, within %s lines', (maxLines) => {
    const infos = linesOf(500, (number) => `INFO ${number}`);
    const log = `${infos}ERROR one\nINFO a\nINFO b\nERROR two\nINFO c\nERROR three\n${infos}`;
    const result = cut(log, 6000, { words: wordy, maxLines });
    const least = maxLines === undefined ? 150 : 8;
    for (const { from, to } of result?.gaps ?? []) expect(to - from).toBeGreaterThan(least);
    expect(result?.gaps).toHaveLength(maxLines === undefined ? 2 : 3);
    expect(linesIn(result?.text ?? '')).toBeLessThanOrEqual(maxLines ?? Number.POSITIVE_INFINITY);
  });
});

describe('cutText, of text between stretches of base64', () => {
  const image = Buffer.from(
    Array.from({ length: 30_000 }, (_, index) => (index * index * 31 + index * 7) % 251),
  ).toString('base64');
  const prose = linesOf(1_500, (number) => `Of the prose this is sentence ${number}.`);

  it.each([3_000, 20_000, 60_000])(
    'spends %i characters on the text, and shows none of the base64',
    (room) => {
      const text = `Start.\n<img src="data:image/png;base64,${image}">\n${prose}<img src="data:image/png;base64,${image}">\nEnd.\n`;
      const result = cut(text, room);
      expect(result?.text).not.toMatch(/[A-Za-z0-9+/]{100}/);
      expect(result?.text).toMatch(/Start\.\n<img src=".*sentence 1\..*sentence 1500\..*End\.\n$/s);
      expect(result?.text.length).toBeGreaterThan(Math.min(room * 0.9, prose.length));
      expect(result?.text.length).toBeLessThanOrEqual(room);
    },
  );

  it('shows what stands before each of several', () => {
    const result = cut(`key1: ${image}\nkey2: ${image}\nkey3: ${image}\n`, 3_000);
    expect(result?.text.match(/key\d/g)).toEqual(['key1', 'key2', 'key3']);
    expect(result?.gaps).toHaveLength(3);
  });

  it('rebuilds the text from what is kept and what was left out, wherever base64 stands', () => {
    const word = fc.constantFrom('a line\n', 'words ', image.slice(0, 700), '\n', 'é');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 20, maxLength: 200 }),
        fc.integer({ min: 400, max: 3000 }),
        (words, room) => {
          const text = words.join('');
          const result = cut(text, room, { tailShare: 0.5 });
          expect(result?.text.length ?? 0).toBeLessThanOrEqual(room);
          let at = 0;
          for (const gap of result?.gaps ?? []) {
            expect(gap.from).toBeGreaterThanOrEqual(at);
            for (const line of text.slice(at, gap.from).split('\n')) expect(result?.text).toContain(line);
            at = gap.to;
          }
        },
      ),
    );
  });
});

describe('cutText, of base64 in a text', () => {
  const bytes = Uint8Array.from({ length: 30_000 }, (_, index) => (index * index * 31 + (index >> 3)) & 255);
  const base64 = Buffer.from(bytes).toString('base64');
  const wrapped = (lineEnd: string) => base64.match(/.{1,64}/g)?.join(lineEnd) ?? '';
  const some = linesOf(30);

  it.each([
    ['in one piece', 'payload=', base64, '\n'],
    ['in lines', '-----BEGIN X-----\n', wrapped('\n'), '\n-----END X-----\n'],
    ['in lines with CRLF', '-----BEGIN X-----\r\n', wrapped('\r\n'), '\r\n-----END X-----\r\n'],
    ['in a data URI', '<img src="', `data:image/png;base64,${base64}`, '">\n'],
    ['in a data URI of text', '(', `data:image/svg+xml,${'%3Cg%3E'.repeat(6000)}`, ')\n'],
  ])('%s, it is left out whole', (_, before, run, after) => {
    for (const [start, end] of [
      [some, some],
      [linesOf(300), ''],
      ['', linesOf(300)],
    ] as const) {
      const text = start + before + run + after + end;
      for (const what of [text, longText(text, 3000)]) {
        const { gaps = [], text: shown } = cut(what, 3000) ?? {};
        expect(gaps).toHaveLength(1);
        const [gap] = gaps as [Gap];
        expect(gap.from).toBeLessThanOrEqual(start.length + before.length);
        expect(gap.to).toBeGreaterThanOrEqual(start.length + before.length + run.length);
        expect(gap.bytes).toBe(gap.chars);
        expect(shown).toContain(text.slice(gap.to));
      }
    }
  });

  it.each([
    ['in one piece', base64],
    ['in lines', wrapped('\n')],
  ])('%s and nothing else, only the words are left', (_, text) => {
    for (const what of [text, longText(text, 3000)]) {
      const { gaps = [], text: shown } = cut(what, 3000) ?? {};
      expect(gaps).toMatchObject([{ from: 0, to: text.length, chars: text.length, bytes: text.length }]);
      expect(shown).toBe(`${WORDS.notice(gaps)}\n${WORDS.brief(gaps[0] as Gap)}`);
    }
  });

  it('in a notable line, it is left out too', () => {
    const text = `${linesOf(300)}ERROR: got ${base64}\n${linesOf(300)}`;
    for (const what of [text, longText(text, 3000)]) {
      expect(cut(what, 3000)?.text).toMatch(/\n301: ERROR: got \n\[/);
    }
  });

  it.each([
    ['hexadecimal digits', '0123456789abcdef'.repeat(3000)],
    ['a word', 'Abc1'.repeat(9000)],
  ])('is not what is %s', (_, text) => {
    expect(cut(text, 3000)?.text.length).toBeGreaterThan(2900);
  });
});

describe('cutText, of JSON', () => {
  const items = Array.from({ length: 500 }, (_, index) => ({ index, name: `item ${index}` }));

  it.each([
    ['in one line', ''],
    ['indented by two', '  '],
    ['indented by four', '    '],
    ['indented by tabs', '\t'],
  ])('keeps what is %s as JSON of this form, but that an item is one line', (_, indent) => {
    const text = JSON.stringify({ items }, null, indent);
    for (const room of [1000, 3000]) {
      const result = cut(text, room, { cost: ESCAPED });
      expect(result?.kind).toBe('json');
      expect(ESCAPED(result?.text ?? '')).toBeLessThanOrEqual(room);
      const value = JSON.parse(result?.text ?? '');
      const list = value.items.map((item: unknown) => JSON.stringify(item));
      const lineEnd = indent && '\n';
      const [start, next] = [lineEnd + indent, lineEnd + indent + indent];
      const colon = indent ? ': ' : ':';
      const notice = `"_plimsoll"${colon}${JSON.stringify(value._plimsoll)}`;
      expect(result?.text).toBe(
        `{${start}${notice},${start}"items"${colon}[${next}${list.join(`,${next}`)}${start}]${lineEnd}}`,
      );
      expect(value._plimsoll).toBe(WORDS.notice(result?.gaps ?? []));
    }
  });

  it('keeps a byte order mark', () => {
    const text = `\ufeff${JSON.stringify({ items }, null, 2)}`;
    for (const source of [text, longText(text, 4000)]) {
      const result = cut(source, 1000);
      expect([result?.kind, result?.text[0]]).toEqual(['json', '\ufeff']);
      expect(result?.text.length).toBeLessThanOrEqual(1000);
      expect(JSON.parse(result?.text.slice(1) ?? '')._plimsoll).toBe(WORDS.notice(result?.gaps ?? []));
    }
  });

  it('keeps a single string one, cut as plain text is', () => {
    const string = Array.from({ length: 900 }, (_, line) => `"line" ${line} – 😀`).join('\n');
    for (const text of [JSON.stringify(string), `\ufeff ${JSON.stringify(string)}\n`]) {
      for (const source of [text, longText(text, 4000)]) {
        for (const [cost, room] of [LENGTH, ESCAPED].flatMap((cost) =>
          [60, 300, 2000].map((room) => [cost, room] as const),
        )) {
          const result = cut(source, room, { cost, maxLines: 1 });
          const said = JSON.parse(result?.text.replace('\ufeff', '') ?? '');
          expect(cost(result?.text ?? '')).toBeLessThanOrEqual(room);
          const [gap] = (result?.gaps ?? []) as [Gap];
          expect(result).toMatchObject({
            kind: 'json',
            gaps: [{ at: '', unit: 'chars', of: string.length }],
          });
          if (room < 2000) continue;
          const [start, end] = keptOf(string, [gap]);
          expect(said).toBe(`${WORDS.notice([gap])}\n${start}${WORDS.marker(gap)}\n${end}`);
        }
      }
    }
  });

  it('writes a string without needless escapes', () => {
    const text = `"${'\\u00e9'.repeat(500)}"`;
    expect(cut(text, 600)).toEqual({ text: JSON.stringify('é'.repeat(500)), kind: 'json', gaps: [] });
  });

  it('takes it from what is known of a long text', () => {
    const text = JSON.stringify(items);
    expect(JSON.parse(cut(longText(text, 4000), 1000)?.text ?? '')).toBeTruthy();
  });

  it('gives up its form for a number of lines', () => {
    const result = cut(JSON.stringify(items, null, 2), 3000, { maxLines: 3 });
    expect(JSON.parse(result?.text ?? '')).toBeTruthy();
    expect(result?.text).not.toContain('\n');
  });

  it('only says that it is missing where there is too little room for JSON', () => {
    const text = JSON.stringify(items);
    const words = { ...WORDS, brief: () => 'x'.repeat(100) };
    expect(cut(text, 50, { words })?.text).toBe(`[cut below: 0 to ${text.length}]`);
  });

  it('takes what is no JSON for text', () => {
    expect(cut(`${JSON.stringify(items)} and more`, 1000)?.kind).toBe('plain');
    expect(cut(`[${linesOf(500)}`, 1000)?.kind).toBe('plain');
  });
});

describe('cutText, of any text', () => {
  const ATOMS = [
    'a',
    ' ',
    '日',
    '"',
    'e\u0301\u0323',
    '👩‍👩‍👧‍👦',
    '👍🏽',
    '🇩🇪',
    '❤️',
    '한',
    '\u1112\u1161\u11ab',
    '🎉',
    '1️⃣',
    '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
    'क्षि',
    '\r\n',
    '\n',
  ];
  const ERROR = '\nan ERROR ';
  const ESCAPES = ['\x1b[1;31m', '\x1b[0m', '\x1b]8;;https://example.org/path\x1b\\', '\x1b]0;title\x07'];
  const SAMPLES = ['word ', 'an ERROR\n', 'it failed: ', 'Error', ',', '\x1b'];
  const atoms = (from: readonly string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...from), fc.integer({ min: 1, max: 40 })), { maxLength: 60 })
      .map((runs) => runs.flatMap(([atom, times]) => Array.from<string>({ length: times }).fill(atom)));
  const anyText = fc.oneof(
    atoms([...ATOMS, ...ESCAPES, ...SAMPLES]).map((parts) => parts.join('')),
    fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 60 }).map((parts) => parts.join('\n')),
    fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 60 }).map((parts) => parts.join('\n')),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 })
      .map((units) => String.fromCharCode(...units)),
  );
  const how = fc.record({
    room: fc.integer({ min: 0, max: 1500 }),
    cost: fc.constantFrom(LENGTH, ESCAPED, (text: string) => Buffer.byteLength(text)),
    tailShare: fc.constantFrom(0, 0.3, 0.5, 0.8, 1),
    maxLines: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  });

  it('keeps to the room and the lines, whatever is held of the text, and does so again', () => {
    fc.assert(
      fc.property(anyText, how, fc.option(fc.nat(400)), (text, how, window) => {
        const what = window === null ? text : longText(text, window);
        const result = cut(what, how.room, how);
        expect(cut(what, how.room, how)).toEqual(result);
        if (!result) return;
        expect(how.cost(result.text)).toBeLessThanOrEqual(how.room);
        const lines = result.text.split('\n').length - (/\n$|^$/.test(result.text) ? 1 : 0);
        expect(lines).toBeLessThanOrEqual(how.maxLines ?? lines);
        expect(result.text.isWellFormed()).toBe(result.text !== text || text.isWellFormed());
      }),
      { numRuns: 300 },
    );
  });

  it('gives the shortest words at least, if they fit', () => {
    fc.assert(
      fc.property(anyText, how, (text, how) => {
        const brief = `[... ${text.length} ...]`;
        expect(cut(text, 0, { ...how, room: Math.max(how.room, how.cost(brief)) })).toBeDefined();
      }),
    );
  });

  it('keeps stretches of the text, and tells exactly what is missing between', () => {
    fc.assert(
      fc.property(anyText, how, (text, how) => {
        const result = cut(text, how.room, how);
        if (!result || result.kind === 'json' || result.gaps.length === 0) return;
        expect(linesShown(result)).toEqual(
          keptOf(text, result.gaps).join('\n').toWellFormed().split(/\n+/).filter(Boolean),
        );
        let to = 0;
        for (const gap of result.gaps) {
          const missing = text.slice(gap.from, gap.to);
          const line = text.slice(0, gap.from).split('\n').length;
          const count = missing.split('\n').length - (missing.endsWith('\n') ? 1 : 0);
          expect(gap).toEqual({
            part: undefined,
            from: gap.from,
            to: gap.to,
            unit: 'chars',
            chars: missing.length,
            bytes: Buffer.byteLength(missing),
            lines: { from: line, to: line + count, count },
            of: text.length,
          });
          expect(gap.from).toBeGreaterThanOrEqual(to);
          expect(missing.length).toBeGreaterThan(0);
          to = gap.to;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('cuts between characters, and never in a CRLF or an escape sequence', () => {
    const window = fc.option(fc.integer({ min: 200, max: 600 }));
    const parts = atoms([...ATOMS, ...ESCAPES, ERROR]).map((all) =>
      all.flatMap((part) => (part === ERROR ? [...part] : part)),
    );
    fc.assert(
      fc.property(parts, how, window, (any, how, window) => {
        // Where a row of flags starts before what is held, nobody can tell which two letters are one flag.
        const parts = window === null ? any : any.filter((part) => part !== '🇩🇪');
        const text = parts.join('');
        const ends = new Set([0]);
        for (const part of parts) ends.add(Math.max(...ends) + part.length);
        const result = cut(window === null ? text : longText(text, window), how.room, how);
        for (const gap of result?.gaps ?? []) {
          expect(ends).toContain(gap.from);
          expect(ends).toContain(gap.to);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is measured a dozen times over at the most, however long it is and whatever it is full of', () => {
    for (const unit of [
      'x',
      'error\n',
      '\x1b]8;;',
      'a,b,c\n',
      '"',
      '[',
      '@@ -1 +1 @@\n',
      '\r',
      'e\u0301',
      'aB3/',
      'data:a/b,',
    ]) {
      const text = unit.repeat(1_000_000 / unit.length);
      let measured = 0;
      cut(text, 100_000, {
        cost: (part) => {
          measured += part.length;
          return ESCAPED(part);
        },
      });
      expect(measured / text.length).toBeLessThan(12);
    }
  });
});

/** The lines that are missing between notable ones. */
function linesOfGaps(result: CutText | undefined): Gap['lines'][] | undefined {
  return result?.gaps.slice(1, -1).map(({ lines }) => lines);
}

/** The lines of a result that are of the text, without their numbers. */
function linesShown({ text, gaps, kind }: CutText): string[] {
  if (gaps.length === 0) return text.split(/\n+/).filter(Boolean);
  const said = [WORDS.notice(gaps), ...gaps.flatMap((gap) => [WORDS.marker(gap), WORDS.brief(gap)])];
  const lines = text
    .split(/\n+/)
    .filter((line) => line !== '' && !said.some((words) => line.startsWith(words)));
  return kind === 'log' ? lines.map((line) => line.replace(/^\d+: /, '')) : lines;
}
