import { describe, expect, it } from 'vitest';
import { textOf } from '../../json/long-text.ts';
import { base64Of, mediaOf } from './base64.ts';
import { base64 } from './data.testing.ts';

/** Bytes without a pattern, the same every time. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (state * 48271) % 2147483647;
      return state & 0xff;
    }),
  );
}

describe('what base64 holds', () => {
  it.each([
    ['89504e470d0a1a0a', 'image/png', 'png'],
    ['ffd8ffe0', 'image/jpeg', 'jpg'],
    ['474946383961', 'image/gif', 'gif'],
    ['524946460000000057454250', 'image/webp', 'webp'],
    ['524946460000000057415645', 'audio/wav', 'wav'],
    ['255044462d312e37', 'application/pdf', 'pdf'],
    ['504b0304', 'application/zip', 'zip'],
    ['1f8b0800', 'application/gzip', 'gz'],
    ['494433', 'audio/mpeg', 'mp3'],
    ['4f676753', 'audio/ogg', 'ogg'],
    ['664c6143', 'audio/flac', 'flac'],
    ['000000206674797069736f6d', 'video/mp4', 'mp4'],
    ['1a45dfa3', 'video/webm', 'webm'],
    ['774f4646', 'font/woff', 'woff'],
    ['424d0000000000000000', 'image/bmp', 'bmp'],
  ])('tells %s by its first bytes', (start, mimeType, extension) => {
    const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(400, 1)]);
    expect(mediaOf(bytes.toString('base64'))).toEqual({ mimeType, extension, bytes: bytes.length });
  });

  it('is told by its mixture where the first bytes say nothing', () => {
    expect(mediaOf(noise(1000).toString('base64'))).toEqual({
      mimeType: 'application/octet-stream',
      extension: 'bin',
      bytes: 1000,
    });
  });

  it.each([
    ['one letter again and again', 'x'.repeat(100_000)],
    ['hexadecimal', noise(1000).toString('hex')],
    ['words', 'ThisIsOneLongNameOfAThing'.repeat(40)],
    ['base64 with a line end', `${noise(999).toString('base64')}\n`],
    ['base64 and base64url in one', `-_${noise(999).toString('base64').slice(2)}`],
    ['base64url of a length that it never has', noise(999).toString('base64url').slice(3)],
    ['padding that base64url never has', `${noise(1000).toString('base64url')}=`],
    ['one sign again and again in base64url', `-${'x'.repeat(1000)}`],
    [
      'letters and numbers of a length that only base64url has',
      `${noise(999).toString('base64').replaceAll(/[+/]/g, 'x')}xy`,
    ],
    ['a slug', 'How-to-Read-a-Table-in-3-Steps-and-2-Ways_'.repeat(20)],
    ['names in capitals', 'MOST_LINES_4_TABLE-readLine7_'.repeat(20)],
    ['identifiers in a row', '3f2504e0-4f89-11d3-9a0c-0305e82c3301_'.repeat(10)],
    [
      'keys that are joined',
      noise(999)
        .toString('base64')
        .replaceAll(/[+/]/g, 'x')
        .replaceAll(/(.{8})/g, '$1-'),
    ],
    ['a picture without a mixture, as base64url', `iVBORw0KGgo-${'A'.repeat(500)}`],
    ['what is short', base64(60)],
    ['a length that base64 never has', noise(999).toString('base64').slice(1)],
    ['nothing', ''],
  ])('is not seen in %s', (_, text) => {
    expect(mediaOf(text)).toBeUndefined();
  });

  it('is seen in base64url, padded or not, however much is held', () => {
    const limits = { textChars: 1_000, listBytes: 1_000 };
    for (const bytes of [noise(4_000), noise(4_001), noise(4_002)]) {
      const text = bytes.toString('base64url');
      for (const each of [text, text.padEnd(4 * Math.ceil(text.length / 4), '=')]) {
        const media = { mimeType: 'application/octet-stream', extension: 'bin', bytes: bytes.length };
        expect(mediaOf(each)).toEqual(media);
        expect(mediaOf(textOf(each, limits))).toEqual(media);
        expect(base64Of(each)).toBe(bytes.toString('base64'));
      }
    }
    const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), noise(900)]);
    expect(mediaOf(picture.toString('base64url'))).toMatchObject({ mimeType: 'image/png' });
  });

  it('believes a declaration', () => {
    expect(mediaOf('aGVsbG8=', true)).toMatchObject({ bytes: 5 });
    expect(mediaOf('hello, world', true)).toBeUndefined();
  });

  it('is seen in lines of one length, however much is held', () => {
    const lines = (bytes: Buffer, length: number, end: string) =>
      (bytes.toString('base64').match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(end);
    const picture = Buffer.from(base64(10_000), 'base64');
    const texts = [
      lines(picture, 60, '\n'),
      `${lines(picture, 76, '\r\n')}\r\n`,
      lines(noise(9_999), 64, '\n'),
    ];
    const limits = { textChars: 1_000, listBytes: 1_000 };
    for (const text of texts) {
      const bytes = text === texts[2] ? 9_999 : 10_000;
      expect(mediaOf(text)).toMatchObject({ bytes });
      expect(mediaOf(textOf(text, limits))).toEqual(mediaOf(text));
      expect(Buffer.from(base64Of(text), 'base64')).toHaveLength(bytes);
    }
    const uneven = lines(picture, 60, '\n').replace(/^(.{1000})./s, '$1\n');
    expect(mediaOf(uneven)).toBeUndefined();
    expect(mediaOf(`${lines(picture, 60, '\n')}\nand a line`)).toBeUndefined();
    expect(mediaOf(textOf(lines(picture, 60, '\n').replace(/.+$/, 'and a line'), limits))).toBeUndefined();
  });

  it('believes what stands beside it, but not of what is short', () => {
    const text = Buffer.from('# A heading and many words\n'.repeat(40)).toString('base64');
    expect(mediaOf('a'.repeat(400))).toBeUndefined();
    expect(mediaOf('a'.repeat(400), false, true)).toMatchObject({ bytes: 300 });
    expect(mediaOf('a'.repeat(40), false, true)).toBeUndefined();
    expect(mediaOf(text, false, true)).toMatchObject({ mimeType: 'text/plain', extension: 'txt' });
  });

  it('believes the type of a data: URI', () => {
    const uri = `data:image/svg+xml;charset=utf-8;base64,${noise(500).toString('base64')}`;
    expect(mediaOf(uri)).toEqual({ mimeType: 'image/svg+xml', extension: 'bin', bytes: 500 });
    expect(mediaOf(`data:image/PNG;base64,${base64(500)}`)).toMatchObject({
      mimeType: 'image/png',
      extension: 'png',
    });
    expect(mediaOf(`data:text/plain,${'a'.repeat(1000)}`)).toBeUndefined();
  });

  it('is the same for a text of which only the ends are held', () => {
    const limits = { textChars: 1000, listBytes: 1000 };
    const text = base64(10_001);
    expect(mediaOf(textOf(text, limits))).toEqual(mediaOf(text));
    expect(mediaOf(textOf('x'.repeat(10_000), limits))).toBeUndefined();
    expect(mediaOf(textOf(`data:;base64,${text}`, limits))).toMatchObject({
      mimeType: 'image/png',
      bytes: 10_001,
    });
  });
});
