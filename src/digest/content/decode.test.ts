import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decode, decodedLength, zeroMarkedUtf16 } from './decode.ts';

const code = (comments: readonly string[]) =>
  [
    '#include <stdio.h>',
    `/* ${comments[0]} */`,
    'static int count(const char *name, int length) {',
    '  int n = 0;',
    `  // ${comments[1]}`,
    '  for (int i = 0; i < length; i++) { n += name[i]; }',
    `  printf("${comments[2]}: %d\\n", n);`,
    '  return n;',
    '}',
    '',
  ].join('\n');

const JAPANESE = ['バッファの大きさを計算する関数', '配列の要素を順番に足していく', '結果を表示します'];
const SIMPLIFIED = ['计算缓冲区大小的函数', '依次累加数组中的每个元素，直到末尾', '输出结果'];
const TRADITIONAL = ['計算緩衝區大小的函式', '依序累加陣列中的每個元素，直到結尾', '輸出結果'];
const KOREAN = ['버퍼의 크기를 계산하는 함수', '배열의 요소를 차례로 더한다', '결과를 출력합니다'];
const RUSSIAN = ['Вычисляет размер буфера', 'складываем все элементы массива', 'Результат'];
const GERMAN = ['Berechnet die Größe des Puffers', 'zählt alle Einträge zusammen', 'Länge für später'];
const FRENCH = ['Calcule la taille de la mémoire', 'on ajoute chaque élément à la somme', 'résultat'];
const SPANISH = ['Calcula el tamaño del búfer', 'suma cada elemento según el índice', 'año'];
const POLISH = [
  'Oblicza wielkość bufora i zwraca różnicę',
  'dodaje każdy element, aż do końca pętli',
  'długość wyjścia',
];
const QUOTED = ['The “length” – and only that', "the file's name…", 'it’s done'];

describe('decode', () => {
  it('takes valid UTF-8 as it is', async () => {
    expect(await decode(Buffer.from('größer als 日本 🎉\n'))).toEqual({
      text: 'größer als 日本 🎉\n',
      encoding: 'UTF-8',
    });
    expect(await decode(Buffer.alloc(0))).toEqual({ text: '', encoding: 'UTF-8' });
  });

  it('strips a byte order mark and names it', async () => {
    expect(await decode(Buffer.from('\ufeffcafé'))).toEqual({ text: 'café', encoding: 'UTF-8 with BOM' });
  });

  it('reads UTF-16 and UTF-32 with a byte order mark', async () => {
    const text = 'héllo 日本 🎉\r\n';
    const cases = {
      'UTF-16LE': 'utf-16le',
      'UTF-16BE': 'utf-16be',
      'UTF-32LE': 'utf-32le',
      'UTF-32BE': 'utf-32be',
    };
    for (const [encoding, name] of Object.entries(cases)) {
      expect(await decode(iconv.encode(text, name, { addBOM: true }))).toEqual({ text, encoding });
    }
  });

  it('recognises plain UTF-16 text without a byte order mark', async () => {
    for (const text of [
      code(GERMAN),
      code(JAPANESE),
      'ok\n',
      '日本語のテキストはここにあります。\n次の行\n',
    ]) {
      expect(await decode(iconv.encode(text, 'utf-16le'))).toEqual({ text, encoding: 'UTF-16LE' });
      expect(await decode(iconv.encode(text, 'utf-16be'))).toEqual({ text, encoding: 'UTF-16BE' });
    }
  });

  it('does not take other bytes with zeros for UTF-16', () => {
    for (const bytes of [
      'abc\0def',
      'a\0',
      '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0',
      '\x01\0\x02\0\x03\0\x04\0',
      '\0\0\0\x0cjP  ',
    ]) {
      expect(zeroMarkedUtf16(Buffer.from(bytes, 'latin1'))).toBeUndefined();
    }
  });

  it('makes text well-formed', async () => {
    const halves = Buffer.from('\ufeffa\ud83d b\udc4d c', 'utf16le');
    expect(await decode(halves)).toEqual({ text: 'a\ufffd b\ufffd c', encoding: 'UTF-16LE' });
    const odd = Buffer.concat([Buffer.from('\ufeffabc', 'utf16le'), Buffer.from([0x64])]);
    expect((await decode(odd)).text).toBe('abc\ufffd');
  });

  it('keeps damaged UTF-8 as UTF-8', async () => {
    const bytes = Buffer.from(`${code(GERMAN)}${code(FRENCH)}`);
    bytes[bytes.indexOf('ß') + 1] = 0x20;
    const { text, encoding } = await decode(bytes);
    expect(encoding).toBe('UTF-8');
    expect(text).toContain('Gr\u00f6\ufffd e des Puffers');
    expect(text).toContain('zählt alle Einträge');
    expect(await decode(Buffer.from('\xef\xbb\xbfcaf\xe9', 'latin1'))).toEqual({
      text: 'caf\ufffd',
      encoding: 'UTF-8 with BOM',
    });
  });

  const LEGACY: readonly [encoding: string, comments: readonly string[]][] = [
    ['Shift_JIS', JAPANESE],
    ['EUC-JP', JAPANESE],
    ['GB18030', SIMPLIFIED],
    ['Big5', TRADITIONAL],
    ['EUC-KR', KOREAN],
    ['windows-1251', RUSSIAN],
    ['KOI8-R', RUSSIAN],
    ['ISO-8859-1', GERMAN],
    ['ISO-8859-1', FRENCH],
    ['ISO-8859-1', SPANISH],
    ['ISO-8859-2', POLISH],
    ['windows-1252', QUOTED],
  ];
  it.each(LEGACY)('tells a source in %s: %s', async (encoding, comments) => {
    const text = code(comments);
    expect(await decode(iconv.encode(text, encoding))).toEqual({ text, encoding });
    const mostlyAscii = code(['nothing', 'to see', 'here']).repeat(500) + text;
    expect(await decode(iconv.encode(mostlyAscii, encoding))).toEqual({ text: mostlyAscii, encoding });
    expect(await decode(iconv.encode(text.replaceAll('\n', ' '), encoding))).toHaveProperty(
      'encoding',
      encoding,
    );
  });

  it('tells East Asian text from a single comment', async () => {
    for (const [encoding, comments] of LEGACY.slice(0, 5)) {
      const text = `int n; /* ${comments[1]} */\n`;
      expect(await decode(iconv.encode(text, encoding))).toEqual({ text, encoding });
    }
  });

  it('reads a lone accent as Western European', async () => {
    for (const word of [
      'naïve',
      'café',
      'Größe',
      'José',
      'Muñoz',
      'ça',
      '© 2004',
      '20 °C',
      'São Paulo',
      'FÜR',
    ]) {
      const text = `// ${word}\nint main(void) { return 0; }\n`;
      expect(await decode(iconv.encode(text, 'ISO-8859-1'))).toEqual({ text, encoding: 'ISO-8859-1' });
    }
  });

  it('leaves out what is incomplete at the end of a head', async () => {
    const utf8 = Buffer.from('日本語');
    for (const end of [7, 8]) {
      expect((await decode(utf8.subarray(0, end), true)).text).toBe('日本');
      expect((await decode(utf8.subarray(0, end))).text).toBe('日本\ufffd');
    }
    expect((await decode(utf8, true)).text).toBe('日本語');
    const text = code(JAPANESE);
    const sjis = iconv.encode(text, 'Shift_JIS');
    const inside = sjis.indexOf(iconv.encode('示', 'Shift_JIS')) + 1;
    expect((await decode(sjis.subarray(0, inside), true)).text).toBe(text.slice(0, text.indexOf('示')));
    const utf16 = Buffer.from('\ufeffab🎉', 'utf16le');
    expect((await decode(utf16.subarray(0, 8), true)).text).toBe('ab');
  });

  it('gives well-formed text for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, head) => {
        const { text } = await decode(Buffer.from(bytes), head);
        expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('gives back any text that was UTF-8', async () => {
    const text = fc.string({ unit: 'binary' }).filter((s) => !s.includes('\0') && !s.startsWith('\ufeff'));
    await fc.assert(
      fc.asyncProperty(text, async (s) => {
        expect(await decode(Buffer.from(s))).toEqual({ text: s, encoding: 'UTF-8' });
        expect((await decode(Buffer.from(s), true)).text).toBe(s);
      }),
    );
  });
});

describe('decodedLength', () => {
  async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
    let at = 0;
    for (let i = 0; at < bytes.length; i++) {
      const size = sizes[i % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }

  it('agrees with decode, however the bytes are cut', async () => {
    const samples = [
      ['utf8', code(GERMAN)],
      ['utf8', '日本🎉'.repeat(50)],
      ['utf8', `\ufeff${code(FRENCH)}`],
      ['utf16le', `\ufeff${code(JAPANESE)}🎉`],
      ['utf-16be', `\ufeff${code(KOREAN)}🎉`],
      ['utf-32le', `\ufeff${code(KOREAN)}🎉`],
      ['Shift_JIS', code(JAPANESE)],
      ['EUC-JP', code(JAPANESE)],
      ['GB18030', `${code(SIMPLIFIED)} 🎉`],
      ['Big5', code(TRADITIONAL)],
      ['EUC-KR', code(KOREAN)],
      ['ISO-8859-1', code(SPANISH)],
    ] as const;
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), sizes, async ([name, text], cuts) => {
        const bytes = iconv.encode(text, name);
        const decoded = await decode(bytes);
        expect(await decodedLength(inPieces(bytes, cuts), decoded.encoding)).toBe(decoded.text.length);
      }),
    );
  });

  it('counts damaged text as decode does', async () => {
    const utf8 = Buffer.concat([Buffer.from(code(GERMAN)), Buffer.from([0x20, 0xff, 0x61, 0xe2, 0x82])]);
    const decoded = await decode(utf8);
    expect(decoded.encoding).toBe('UTF-8');
    expect(await decodedLength(inPieces(utf8, [3]), 'UTF-8')).toBe(decoded.text.length);
  });

  it('refuses an encoding it does not know', async () => {
    await expect(decodedLength(inPieces(Buffer.from('a'), [1]), 'no-such-thing')).rejects.toThrow(
      'no-such-thing',
    );
  });
});
