import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { bound, boundResult, openSpool } from './bound.ts';

test('a text that is JSON has the files that stand in it as base64 kept, each once, and linked to', async () => {
  const spool = openSpool({ folder: join(tempFolder(), 'spool') });
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(60_000, 'plimsoll')]);
  const data = png.toString('base64');
  const { text } = await bound(JSON.stringify({ one: { data }, two: [data], name: 'a' }), {
    limit: 5000,
    spool,
  });
  const { one, two, name } = JSON.parse(text);
  const [, path = ''] =
    /image\/png, 60,008 bytes, left out; kept whole: (.*file1\.png)\]/.exec(one.data) ?? [];
  expect(readFileSync(path).equals(png)).toBe(true);
  expect(two).toEqual([one.data]);
  expect(name).toBe('a');
});

test('behind a byte order mark, too', async () => {
  const spool = openSpool({ folder: join(tempFolder(), 'spool') });
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(60_000, 'plimsoll')]);
  const json = `\ufeff${JSON.stringify({ data: png.toString('base64') })}`;
  const { text } = await bound(json, { limit: 5000, spool });
  const [, path = ''] = /kept whole: (.*file1\.png)\]/.exec(JSON.parse(text.slice(1)).data) ?? [];
  expect(readFileSync(path).equals(png)).toBe(true);
  const { content } = await boundResult({ content: [{ type: 'text', text: json }] }, { limit: 5000, spool });
  expect(content[0]?.text).toMatch(/^\ufeff\{.*file1\.png\]/s);
});

test('base64url is kept as the file that it is, too', async () => {
  const spool = openSpool({ folder: join(tempFolder(), 'spool') });
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const png = Buffer.concat([
    start,
    ...Array.from({ length: 300 }, (_, at) => createHash('sha256').update(`${at}`).digest()),
  ]);
  const { text } = await bound(JSON.stringify({ data: png.toString('base64url') }), { limit: 5000, spool });
  const [, path = ''] = /kept whole: (.*file1\.png)\]/.exec(JSON.parse(text).data) ?? [];
  expect(readFileSync(path).equals(png)).toBe(true);
});
