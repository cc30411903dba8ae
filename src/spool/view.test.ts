import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { cutHead } from '../text/cut.ts';
import { decodeText, encodeText } from '../text/wtf8.ts';
import { makeView } from './view.ts';

const PLENTY = 1e9;

interface View {
  readonly lines: readonly Buffer[];
  /** Where each line starts in the text. */
  readonly starts: readonly number[];
  readonly bytes: number | undefined;
}

async function viewOf(text: Buffer, kind: 'text' | 'json'): Promise<View> {
  const folder = tempFolder();
  const files = { source: join(folder, 's'), view: join(folder, 'v'), map: join(folder, 'm') };
  writeFileSync(files.source, text);
  const bytes = await makeView({ ...files, kind }, PLENTY);
  const [head, ...map] = readFileSync(files.map, 'utf8').trimEnd().split('\n');
  expect(head).toBe('line\tbyte');
  expect(map.map((line) => Number(line.split('\t')[0]))).toEqual(map.map((_, index) => index + 1));
  const view = readFileSync(files.view);
  expect(bytes).toBe(view.length + readFileSync(files.map).length);
  return { lines: linesOf(view), starts: map.map((line) => Number(line.split('\t')[1])), bytes };
}

/** Without their newlines; nothing after the last newline is no line. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines = bytes.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => Buffer.from(line, 'latin1'));
}

/** Expects that the lines are the text, each where the map says, with newlines of the text's own or none between. */
function expectWhole({ lines, starts }: View, text: Buffer): void {
  expect(starts).toHaveLength(lines.length);
  for (const [index, line] of lines.entries()) {
    const start = starts[index] as number;
    const next = starts[index + 1] ?? text.length;
    expect(text.subarray(start, start + line.length).equals(line)).toBe(true);
    const between = text.toString('latin1', start + line.length, next);
    expect(['', '\n']).toContain(between);
  }
  expect(starts[0] ?? 0).toBe(0);
}

/** Long lines of all kinds of characters, and control sequences. */
const longText = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'a',
        'word ',
        '\n',
        '\r\n',
        'é',
        '汉',
        '😀',
        '👩‍👩‍👧',
        'e\u0301\u0302',
        '\u{1f1e9}\u{1f1ea}',
        '\x1b[1;31m',
        '\ud83d',
      ),
      fc.constantFrom(1, 3, 400, 1000, 3000),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.map(([piece, count]) => piece.repeat(count)).join(''));

describe('the view of a text', () => {
  test('is the text, in lines of at most 1,000 characters, none of them damaged', async () => {
    await fc.assert(
      fc.asyncProperty(longText, async (text) => {
        const bytes = encodeText(text);
        const view = await viewOf(bytes, 'text');
        expectWhole(view, bytes);
        const lines = view.lines.map(decodeText);
        for (const line of lines) expect(line.replace(/\r$/, '').length).toBeLessThanOrEqual(1000);
        for (const line of lines) if (text.isWellFormed()) expect(line.isWellFormed()).toBe(true);
        for (const line of lines) expect(line).not.toMatch(/\x1b(?:\[[\d;]*)?$/);
      }),
      { numRuns: 30 },
    );
  });

  test('goes on after a long line where the line does', async () => {
    const text = `${'x'.repeat(2500)}\nshort\n\n${'y'.repeat(1001)}`;
    const { lines, starts } = await viewOf(Buffer.from(text), 'text');
    expect(lines.map(({ length }) => length)).toEqual([1000, 1000, 500, 5, 0, 1000, 1]);
    expect(starts).toEqual([0, 1000, 2000, 2501, 2507, 2508, 3508]);
  });

  test('is never cut inside a character, wherever the bytes come apart', async () => {
    const family = '👩‍👩‍👧‍👦';
    const text = family.repeat(20_000);
    const { lines } = await viewOf(Buffer.from(text), 'text');
    for (const line of lines) expect(line.toString().replaceAll(family, '')).toBe('');
    expect(lines[0]?.toString()).toBe(cutHead(text, 1000));
  });

  test('keeps a carriage return at its newline', async () => {
    const text = `${'x'.repeat(1000)}\r\n${'y'.repeat(1000)}\r\n`;
    const { lines } = await viewOf(Buffer.from(text), 'text');
    expect(lines.map(({ length }) => length)).toEqual([1001, 1001]);
  });

  test.each([
    ['colour', '\x1b[38;5;196m'],
    ['hyperlink', '\x1b]8;;https://example.com/a/path\x1b\\'],
    ['title', '\x1b]0;a title\x07'],
  ])('is not cut inside a %s', async (_, sequence) => {
    for (let before = 1000 - sequence.length; before <= 1000; before++) {
      const text = `${'x'.repeat(before)}${sequence}${'y'.repeat(1000)}`;
      const { lines } = await viewOf(Buffer.from(text), 'text');
      expect(lines.filter((line) => line.includes(sequence))).toHaveLength(1);
    }
  });

  test('of bytes that are no text is those bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000, minLength: 2000 }), async (bytes) => {
        expectWhole(await viewOf(Buffer.from(bytes), 'text'), Buffer.from(bytes));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the view of JSON', () => {
  test('is the JSON, indented, and every line stands where the map says', async () => {
    const value = fc.jsonValue({ stringUnit: 'binary' });
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(undefined, 3), async (value, indent) => {
        const json = Buffer.from(JSON.stringify(value, null, indent));
        const { lines, starts } = await viewOf(json, 'json');
        expect(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])).toString()).toBe(
          `${JSON.stringify(value, null, 2)}\n`,
        );
        for (const [index, start] of starts.entries()) {
          const token =
            /^\s*(?:"(?:[^"\\]|\\.)*"|[^",:\s]+|.)/.exec(lines[index]?.toString() ?? '')?.[0].trim() ?? '';
          expect(json.subarray(start, start + Buffer.byteLength(token)).toString()).toBe(token);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('has its long strings wrapped outside of characters and escapes', async () => {
    const strings = fc
      .array(
        fc.tuple(fc.constantFrom('a', '"', '\n', '\\', '😀', '汉', '\x1b[31m'), fc.constantFrom(1, 400, 999)),
      )
      .map((pieces) => pieces.map(([piece, count]) => piece.repeat(count)).join(''));
    const value = fc.array(fc.record({ key: strings }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (value, asAscii) => {
        const json = asAscii ? escaped(JSON.stringify(value)) : JSON.stringify(value);
        const { lines, starts } = await viewOf(Buffer.from(json), 'json');
        const texts = lines.map((line) => line.toString());
        expect(JSON.parse(texts.join(''))).toEqual(value);
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(1000);
          expect(text).not.toMatch(/(?:^|[^\\])(?:\\\\)*\\(?:u[\da-f]{0,3}|ud83d|u001b\[?\d*)?$/);
        }
        for (const [index, start] of starts.entries()) {
          const line = (lines[index] as Buffer).toString().trimStart().slice(0, 4);
          if (!line.isWellFormed()) continue;
          expect(
            Buffer.from(json)
              .subarray(start, start + Buffer.byteLength(line))
              .toString(),
          ).toBe(line);
        }
      }),
      { numRuns: 30 },
    );
  });
});

/** JSON with escapes for all that isn't ASCII. */
function escaped(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe('no view is made', () => {
  test('that would take more room than there is', async () => {
    const folder = tempFolder();
    const files = { source: join(folder, 's'), view: join(folder, 'v'), map: join(folder, 'm') };
    writeFileSync(files.source, 'x'.repeat(3000));
    expect(await makeView({ ...files, kind: 'text' }, 3000)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['s']);
    expect(await makeView({ ...files, kind: 'text' }, 3100)).toBeLessThanOrEqual(3100);
  });

  test('that would be nearly all indentation', async () => {
    const folder = tempFolder();
    const files = { source: join(folder, 's'), view: join(folder, 'v'), map: join(folder, 'm') };
    writeFileSync(files.source, '['.repeat(100_000) + ']'.repeat(100_000));
    expect(await makeView({ ...files, kind: 'json' }, PLENTY)).toBeUndefined();
    expect(existsSync(files.view)).toBe(false);
  });

  test('where the system refuses', async () => {
    const folder = tempFolder();
    const files = { source: join(folder, 'none'), view: join(folder, 'v'), map: join(folder, 'm') };
    expect(await makeView({ ...files, kind: 'text' }, PLENTY)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});
