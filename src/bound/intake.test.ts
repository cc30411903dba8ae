import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Held, LongText } from '../json/held.ts';
import { chunksOf, escapedJson, json, text } from '../json/json.testing.ts';
import { stringify } from '../json/stringify.ts';
import { JsonWalk } from '../json/walk.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool } from '../spool/spool.ts';
import type { Kept } from '../spool/types.ts';
import { Intake, type TakenIn, takeIn } from './intake.ts';

const LIMITS = { textChars: 3_000 };

function spool() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-intake-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openSpool({ folder });
}

async function taken(result: unknown, source = JSON.stringify(result), cuts: readonly number[] = []) {
  const draft = await spool().begin({ kind: 'tool' });
  const intake = new Intake(draft, LIMITS);
  const walk = new JsonWalk(intake);
  for (const chunk of chunksOf(Buffer.from(source), cuts)) walk.write(Buffer.from(chunk));
  walk.finish();
  return intake.finish();
}

async function keptOf(taken: TakenIn): Promise<Kept> {
  const kept = await taken.draft?.publish();
  if (!kept || 'reason' in kept) throw new Error('it was not kept');
  return kept;
}

async function partsOf(taken: TakenIn) {
  const { parts } = await keptOf(taken);
  return parts.map(({ name, at, kind, mimeType, path }) => ({
    name,
    at,
    kind,
    mimeType,
    bytes: readFileSync(path),
  }));
}

const long = (char: string, count = 5_000) => char.repeat(count);

test('texts of every kind of block become parts, decoded, in order', async () => {
  const result = {
    content: [
      { type: 'text', text: `${long('a')}\n"é"` },
      { type: 'text', text: 'short' },
      { type: 'resource', resource: { uri: 'x:y', text: long('b'), more: { text: long('z') } } },
    ],
    contents: [{ uri: 'x:z', text: long('c') }],
    messages: [
      { role: 'user', content: { type: 'text', text: long('d') } },
      { role: 'user', content: { type: 'resource', resource: { text: long('e') } } },
    ],
    result: { content: [{ type: 'text', text: long('f') }] },
    other: { content: [{ type: 'text', text: long('y') }] },
  };
  const parts = await partsOf(await taken(result));
  expect(parts.map(({ name, at, kind, bytes }) => [name, at, kind, bytes.toString().slice(0, 1)])).toEqual([
    ['result', '', 'json', '{'],
    ['1', '/content/0/text', 'text', 'a'],
    ['2', '/content/2/resource/text', 'text', 'b'],
    ['3', '/contents/0/text', 'text', 'c'],
    ['4', '/messages/0/content/text', 'text', 'd'],
    ['5', '/messages/1/content/resource/text', 'text', 'e'],
    ['6', '/result/content/0/text', 'text', 'f'],
  ]);
  expect(parts[1]?.bytes.toString()).toBe(result.content[0]?.text);
});

test('the envelope is the bytes of the result, but for what stands in for parts', async () => {
  const source = `{ "n" : 1.0, "content":[{"text":"${long('a')}","type":"te\\u0078t"}] ,"structuredContent" : {"b": "${long('b')}" } }`;
  const intake = await taken(undefined, source);
  const handle = intake.draft?.handle;
  const [envelope, , structured] = await partsOf(intake);
  expect(envelope?.bytes.toString()).toBe(
    `{ "n" : 1.0, "content":[{"text":{"plimsoll-part-${handle}":"1"},"type":"te\\u0078t"}] ,"structuredContent" : {"plimsoll-part-${handle}":"structured"} }`,
  );
  expect(structured?.bytes.toString()).toBe(`{"b": "${long('b')}" }`);
});

test('media are parts with their type, wherever that stands in the block', async () => {
  const base64 = Buffer.from(long('picture ')).toString('base64');
  const result = {
    content: [
      { type: 'image', data: base64, mimeType: 'image/png' },
      { type: 'audio', mimeType: 'audio/wav', data: base64 },
      { type: 'resource', resource: { blob: base64, uri: 'x:y', mimeType: 'application/pdf' } },
      { type: 'image', data: `${base64}!`, mimeType: 'image/png' },
      { type: 'image', data: base64.slice(0, 1_000), mimeType: 'image/png' },
    ],
  };
  const intake = await taken(result);
  const parts = await partsOf(intake);
  expect(parts.slice(1).map(({ at, kind, mimeType }) => [at, kind, mimeType])).toEqual([
    ['/content/0/data', 'media', 'image/png'],
    ['/content/1/data', 'media', 'audio/wav'],
    ['/content/2/resource/blob', 'media', 'application/pdf'],
    ['/content/3/data', 'text', undefined],
  ]);
  expect(parts[1]?.bytes.toString()).toBe(long('picture '));
});

/** Base64 of bytes that look like a picture. */
function picture(bytes: number, fill = 7): string {
  const content = Buffer.alloc(bytes, fill);
  Buffer.from('89504e470d0a1a0a', 'hex').copy(content);
  return content.toString('base64');
}

test('base64 within data is a file besides, decoded, and stays where it was', async () => {
  const [one, two] = [picture(2_000), picture(3_000, 8)];
  const lines = two.replace(/.{60}/g, '$&\n');
  const data = {
    picture: one,
    list: [{ encoding: 'base64', content: lines }, `data:image/jpeg;base64,${picture(900, 9)}`],
    small: picture(500),
  };
  const result = {
    content: [
      { type: 'text', text: JSON.stringify({ one, more: long('a') }) },
      { type: 'text', text: `${one}${long(' b')}` },
    ],
    structuredContent: data,
  };
  const draft = await spool().begin({ kind: 'tool' });
  const intake = await takeIn(Buffer.from(JSON.stringify(result)), draft, LIMITS);
  const kept = await keptOf(intake);
  expect(await restore(kept)).toEqual(result);
  const files = kept.parts.filter(({ name }) => name.startsWith('file'));
  expect(files.map(({ name, at, kind, mimeType }) => [name, at, kind, mimeType])).toEqual([
    ['file1', '/content/0/text/one', 'media', 'image/png'],
    ['file2', '/structuredContent/list/0/content', 'media', 'image/png'],
    ['file3', '/structuredContent/list/1', 'media', 'image/jpeg'],
  ]);
  expect(files.map(({ path, bytes }) => [path.replace(/.*\//, ''), bytes])).toEqual([
    ['file1.png', 2_000],
    ['file2.png', 3_000],
    ['file3.jpg', 900],
  ]);
  expect(readFileSync(files[1]?.path ?? '').toString('base64')).toBe(two);
  expect(intake.partAt('/structuredContent/picture')).toBe('file1');
  expect(intake.partAt('/structuredContent/small')).toBe(undefined);
});

test('of a result that comes in chunks, base64 becomes a file if all of it is held', async () => {
  const text = JSON.stringify([picture(2_000), long('a', 50_000)]);
  const intake = await taken({ content: [{ type: 'text', text }], structuredContent: [picture(30_000)] });
  expect(intake.partAt('/content/0/text/0')).toBe('file1');
  expect(intake.partAt('/structuredContent/0')).toBe(undefined);
  await intake.draft?.discard();
});

test('only so much base64 within data becomes files', async () => {
  const data = Array.from({ length: 102 }, (_, index) => picture(1_000, index));
  const result = { content: [], structuredContent: { data } };
  const draft = await spool().begin({ kind: 'tool' });
  const intake = await takeIn(Buffer.from(JSON.stringify(result)), draft, LIMITS);
  expect(intake.partAt('/structuredContent/data/99')).toBe('file100');
  expect(intake.partAt('/structuredContent/data/100')).toBe(undefined);
  await intake.draft?.discard();
});

test('a text that is JSON is a part of JSON, whether it is held whole or not', async () => {
  const texts = [2_000, 20_000].flatMap((count) => {
    const list = JSON.stringify(Array.from({ length: count }, (_, index) => index));
    return [list, list.slice(0, -1), JSON.stringify(long('x'))];
  });
  const parts = await partsOf(await taken({ content: texts.map((each) => ({ type: 'text', text: each })) }));
  expect(parts.map(({ kind }) => kind)).toEqual(['json', 'json', 'text', 'json', 'json', 'text', 'json']);
});

test('who holds a long text, or knows its place, knows its part', async () => {
  const content = [{ text: long('b') }, { text: long('a', 50_000) }, { text: 'c' }];
  const intake = await taken({ content, structuredContent: [long('d')] });
  const texts = (intake.held as unknown as { content: { text: Held }[] }).content.map(({ text }) => text);
  expect(texts[0]).toBe(long('b'));
  expect(texts[1]).toBeInstanceOf(LongText);
  expect(texts[1]).toMatchObject({ part: '2' });
  const pointers = ['/content/0/text', '/content/1/text', '/content/2/text', '/structuredContent'];
  expect(pointers.map((pointer) => intake.partAt(pointer))).toEqual(['1', '2', undefined, 'structured']);
  await intake.draft?.discard();
});

test('only so many texts become parts', async () => {
  const result = { content: Array.from({ length: 502 }, () => ({ text: long('a') })) };
  const intake = await taken(result);
  expect(intake.partAt('/content/499/text')).toBe('500');
  expect(intake.partAt('/content/500/text')).toBe(undefined);
  expect(await restore(await keptOf(intake))).toEqual(result);
});

test('only the first of two structuredContents is a part', async () => {
  const data = `{"a":"${long('a')}"}`;
  const intake = await taken(
    undefined,
    `{"structuredContent":${data},"structuredContent":${data},"result":{"structuredContent":${data}}}`,
  );
  expect(await restore(await keptOf(intake))).toEqual(
    JSON.parse(`{"structuredContent":${data},"result":{"structuredContent":${data}}}`),
  );
});

const longer = fc
  .tuple(text, fc.constantFrom(1, 900, 3_000), fc.constantFrom('', '[1]', 'QUJD'))
  .map(([part, count, more]) => {
    return (part + more).repeat(count).slice(0, 20_000);
  });
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: longer }),
  fc.record({ mimeType: fc.constant('image/png'), data: longer }),
  fc.record({ resource: fc.record({ blob: longer, text: longer, mimeType: text }, { requiredKeys: [] }) }),
  json,
);
const result = fc.record(
  {
    content: fc.oneof(fc.array(block, { maxLength: 4 }), json),
    structuredContent: fc.oneof(json, longer, fc.array(longer)),
    messages: fc.array(fc.record({ content: block }), { maxLength: 2 }),
    contents: fc.array(block, { maxLength: 2 }),
    other: json,
  },
  { requiredKeys: [] },
);

test('what is kept is the result, however it came', async () => {
  const home = spool();
  const property = fc.asyncProperty(
    result,
    fc.array(fc.nat()),
    fc.boolean(),
    async (value, cuts, escaped) => {
      const source = escaped ? escapedJson(value) : JSON.stringify(value, null, 1);
      const draft = await home.begin({ kind: 'tool' });
      const intake = new Intake(draft, LIMITS);
      const walk = new JsonWalk(intake);
      for (const chunk of chunksOf(Buffer.from(source), cuts)) walk.write(Buffer.from(chunk));
      const { chars, bytes, held } = intake.finish();
      expect([chars, bytes]).toEqual([source.length, Buffer.byteLength(source)]);
      const kept = await draft.publish();
      if ('reason' in kept) throw new Error(kept.reason);
      expect(JSON.stringify(await restore(kept))).toBe(JSON.stringify(JSON.parse(source)));
      const withoutDraft = await takeIn(Buffer.from(source), undefined, LIMITS);
      expect(plain(withoutDraft.held)).toEqual(plain(held));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

/** A held value without the names of parts. */
function plain(held: Held): unknown {
  return JSON.parse(JSON.stringify(held, (key, value) => (key === 'part' ? undefined : value)));
}

test('without a draft nothing is kept, and nothing is a part', async () => {
  const source = JSON.stringify({ content: [{ text: long('a', 50_000) }] });
  const { draft, held, partAt } = await takeIn(Buffer.from(source), undefined, LIMITS);
  expect(draft).toBe(undefined);
  expect(partAt('/content/0/text')).toBe(undefined);
  expect((held as unknown as { content: { text: LongText }[] }).content[0]?.text.part).toBe(undefined);
});

test('what is small is held as it is', async () => {
  const source = '{"content":[{"type":"text","text":"a"}],"structuredContent":{"n":1.50}}';
  const { held, chars, bytes } = await takeIn(Buffer.from(` ${source}\n`), undefined, LIMITS);
  expect(stringify(held)).toBe(source);
  expect([chars, bytes]).toEqual([source.length, source.length]);
});

test('what is not JSON is refused', async () => {
  await expect(takeIn(Buffer.from('{"content":[}'), undefined, LIMITS)).rejects.toThrow(
    'Unexpected "}" at byte 12',
  );
});

test('others have their turn while what is in memory is taken in', async () => {
  let isDone = false;
  const taking = takeIn(Buffer.from(JSON.stringify([long('a', 500_000)])), undefined, LIMITS).then(() => {
    isDone = true;
  });
  await setImmediate();
  expect(isDone).toBe(false);
  await taking;
});
