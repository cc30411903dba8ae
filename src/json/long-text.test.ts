import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LongText } from './held.ts';
import { text } from './json.testing.ts';
import { isBase64, TextGatherer, textOf } from './long-text.ts';

const LIMITS = { textChars: 10, listBytes: 1000 };

function gathered(pieces: readonly string[], limits = LIMITS): string | LongText {
  const gatherer = new TextGatherer(limits);
  for (const piece of pieces) gatherer.write(piece);
  return gatherer.finish();
}

/** Splits a text, but no surrogate pair. */
function piecesOf(whole: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  const points = [...whole];
  for (const size of sizes) pieces.push(points.splice(0, size).join(''));
  return [...pieces, points.join('')].filter((piece) => piece !== '');
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });

test('a text of no more than two ends is held whole', () => {
  const property = fc.property(text, sizes, (whole, cuts) => {
    const held = gathered(piecesOf(whole, cuts));
    if (whole.length <= 20) expect(held).toBe(whole);
    else expect(held).toBeInstanceOf(LongText);
  });
  fc.assert(property);
});

test('of a longer one the figures are those of the whole', () => {
  const long = fc
    .tuple(text, fc.constantFrom('x'.repeat(30), 'Zeile\r\n'.repeat(9), '😀'.repeat(20)))
    .map((both) => both.join(''));
  const property = fc.property(long, sizes, (whole, cuts) => {
    const held = gathered(piecesOf(whole, cuts));
    expect(held).toMatchObject({
      chars: whole.length,
      bytes: Buffer.byteLength(whole),
      lines: whole.split('\n').length - (whole.endsWith('\n') ? 1 : 0),
      escapedChars: JSON.stringify(whole).length,
      isBase64: /^[A-Za-z0-9+/]*={0,2}$/.test(whole) && whole.length % 4 === 0,
    });
    expect(held).toEqual(gathered([whole]));
    const { head, tail, fingerprint } = held as LongText;
    expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
    for (const end of [head, tail]) expect([9, 10]).toContain(end.length);
    if (whole.isWellFormed()) expect([head.isWellFormed(), tail.isWellFormed()]).toEqual([true, true]);
    expect(head.endsWith('\r') && whole[head.length] === '\n').toBe(false);
    expect(tail.startsWith('\n') && whole[whole.length - tail.length - 1] === '\r').toBe(false);
    expect(gathered([`${whole}!`])).not.toMatchObject({ fingerprint });
  });
  fc.assert(property);
});

test('a text in memory is told likewise, with a head that is all of it if it is short', () => {
  const property = fc.property(text, (whole) => {
    const told = textOf(whole, LIMITS);
    expect(told).toMatchObject({ chars: whole.length, bytes: Buffer.byteLength(whole) });
    if (whole.length <= 20) expect([told.head, told.tail]).toEqual([whole, '']);
    else expect(told).toEqual(gathered([whole]));
  });
  fc.assert(property);
  expect(textOf('', LIMITS)).toMatchObject({ chars: 0, lines: 0, isBase64: false, escapedChars: 2 });
  const pairs = textOf(`a${'😀'.repeat(70_000)}`, LIMITS);
  expect(pairs).toMatchObject({ chars: 140_001, bytes: 280_001, escapedChars: 140_003 });
});

test.each([
  ['QUJD', true],
  ['QUI=', true],
  ['QQ==', true],
  ['Q===', false],
  ['QUJ', false],
  ['QU=D', false],
  ['QUJD\n', false],
  ['QU-_', false],
  ['', false],
])('whether %j is base64: %j', (whole, expected) => {
  expect(isBase64(whole)).toBe(expected);
});

test('padding counts in whichever piece it comes', () => {
  const letters = 'A'.repeat(30);
  expect(gathered([letters, '=', '='])).toMatchObject({ isBase64: true });
  expect(gathered([letters, 'A=', '=='])).toMatchObject({ isBase64: false });
  expect(gathered([letters, '=', 'A'])).toMatchObject({ isBase64: false });
});

test('a long text that is JSON is held as JSON too', () => {
  const source = JSON.stringify({ list: Array.from({ length: 10 }, (_, index) => index) }, null, 2);
  expect(gathered([source.slice(0, 25), source.slice(25)])).toMatchObject({
    json: { list: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  });
  expect(gathered([`"${'x'.repeat(30)}\\n"`])).toMatchObject({ json: { chars: 31 } });
  for (const other of [`${source}.`, source.slice(0, -1), `x${source}`, `"${'x'.repeat(30)}`]) {
    expect(gathered([other])).toMatchObject({ json: undefined });
  }
});

test('lines that tell of trouble are noted, the first and the last of each rank', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `é ${index + 1}${index % 2 ? ': ERROR' : ''}\r`);
  lines[46] = 'é 47: FATAL\r';
  const whole = lines.join('\n');
  const { notable } = textOf(whole, LIMITS);
  const even = (from: number) => Array.from({ length: 20 }, (_, index) => from + 2 * index);
  expect(notable.map(({ line }) => line)).toEqual([2, ...even(4), 47, ...even(62)]);
  for (const { line, at, byte, text, rank } of notable) {
    expect(text).toBe(line === 47 ? 'é 47: FATAL' : `é ${line}: ERROR`);
    expect(whole.startsWith(`${text}\r`, at)).toBe(true);
    expect(byte).toBe(Buffer.byteLength(whole.slice(0, at)));
    expect(rank).toBe(line === 2 ? 1 : line === 47 ? 0 : 3);
  }
});

test('however many there are, few are held', () => {
  const line = (index: number) =>
    `${index % 2 ? 'Error' : 'FATAL'} ${'abcdefgh'[index % 8]}${'x'.repeat(index)}:\n`;
  const frames = '  at x\n'.repeat(100);
  const whole = Array.from({ length: 300 }, (_, index) => line(index) + frames).join('');
  const { notable } = textOf(whole, LIMITS);
  expect(notable.filter(({ of }) => of === undefined)).toHaveLength(80);
  expect(notable.filter(({ of }) => of !== undefined)).toHaveLength(80 * 20);
});

test('lines of a stack trace say what they belong to, and which come first', () => {
  const frames = (whole: string) =>
    textOf(`${whole}${'fine\n'.repeat(9)}`, LIMITS).notable.flatMap(({ line, of, rank }) =>
      of === undefined ? [] : [[line, of, rank]],
    );
  expect(frames('Error: x\n  at a\n  at b\n at c\n')).toEqual([
    [2, 1, 0],
    [3, 1, 1],
    [4, 1, 2],
  ]);
  expect(frames('Traceback (most recent call last):\n  File "a", line 1\n    f()\n')).toEqual([
    [2, 1, 1],
    [3, 1, 0],
  ]);
  expect(frames('Error: x\nfine\n  at a\n')).toEqual([]);
  expect(frames('  Error: x\n  as far in\n')).toEqual([]);
  const twice = (end: string) => `Traceback (last 1):\n  File "a", line 1\n${end}\n`;
  expect(frames(twice('KeyError: a') + twice('ValueError: b'))).toEqual([
    [2, 1, 0],
    [5, 6, 0],
  ]);
});

test('colours hide no line', () => {
  const [bold, red, none] = ['\x1b[1m', '\x1b[38;5;196m', '\x1b[0m'];
  const lines = [
    `${red}ERROR${none} bad`,
    `${red}FATAL${none}`,
    `${bold}${red}E       assert 1 == 2${none}`,
    `${red}error${none}: no luck:`,
    `  announced`,
    `${bold}Traceback (most recent call last):${none}`,
    `${red}  File "a.py", line 1${none}`,
    `${red}    f()${none}`,
    `${red}not ok${none}`,
  ];
  const { notable } = textOf(`${lines.join('\n')}\n${'fine\n'.repeat(9)}`, LIMITS);
  expect(notable.map(({ line, rank, of }) => [line, rank, of])).toEqual([
    [1, 1, undefined],
    [2, 0, undefined],
    [3, 1, undefined],
    [4, 1, undefined],
    [5, 0, 4],
    [6, 1, undefined],
    [7, 1, 6],
    [8, 0, 6],
  ]);
  for (const { text, line } of notable) expect(text).toBe(lines[line - 1]);
});

test('however a text is split, the same lines are notable; of a long line only the start counts', () => {
  const line = fc.constantFrom(
    'error',
    'fine',
    `fatal ${'x'.repeat(600)}`,
    `${'x'.repeat(600)} fatal`,
    '',
    'a panic\r',
    '😀'.repeat(400),
  );
  const property = fc.property(
    fc.array(line, { minLength: 5, maxLength: 20 }),
    fc.array(fc.integer({ min: 1, max: 700 })),
    (lines, cuts) => {
      const whole = lines.join('\n').padEnd(30, ' ');
      const { notable } = gathered(piecesOf(whole, cuts)) as LongText;
      expect(notable).toEqual(textOf(whole, LIMITS).notable);
      for (const each of notable) {
        expect(each.text.length).toBeLessThanOrEqual(500);
        expect(whole.split('\n')[each.line - 1]?.startsWith(each.text)).toBe(true);
        expect(each.text).toMatch(/error|fatal|panic/);
      }
      const expected = whole.split('\n').filter((each) => /error|^fatal|panic/.test(each)).length;
      expect(notable.length).toBe(expected);
    },
  );
  fc.assert(property);
});
