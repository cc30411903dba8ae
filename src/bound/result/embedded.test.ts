import {
  CallToolResultSchema,
  GetPromptResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundResult } from '../bound.ts';
import { type Facts, META_KEY } from '../facts.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 'base64 of a file ').toString('base64');
const text = (chars: number) => ({ type: 'text', text: 'words and words '.repeat(Math.ceil(chars / 16)) });
const file = (bytes: number) => ({
  type: 'resource',
  resource: { uri: 'file:///a.bin', mimeType: 'application/octet-stream', blob: base64(bytes) },
});
const image = (bytes: number) => ({ type: 'image', mimeType: 'image/png', data: base64(bytes) });

const block = fc.oneof(
  fc.integer({ min: 0, max: 60_000 }).map(text),
  fc.integer({ min: 1, max: 40_000 }).map(file),
  fc.integer({ min: 1, max: 40_000 }).map(image),
);
const more = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.integer({ min: 0, max: 4000 }).map((count) => ({ _meta: { html: 'words '.repeat(count) } })),
  fc.integer({ min: 0, max: 4000 }).map((count) => ({ _meta: { numbers: Array(count).fill(1_234) } })),
  fc.integer({ min: 0, max: 4000 }).map((count) => ({ more: 'words '.repeat(count) })),
);
const blocks = fc.array(
  fc.tuple(block, more).map(([one, fields]) => ({ ...one, ...fields })),
  { minLength: 1, maxLength: 8 },
);
const limit = fc.integer({ min: 1000, max: 60_000 });

type Block = { type: string; data?: string; resource?: { blob?: string } };

/** What is base64 after bounding was there before. */
function expectWhole(before: readonly Block[], after: readonly Block[]): void {
  const all = (list: readonly Block[]) =>
    list.flatMap(({ data, resource }) => [data, resource?.blob].filter((one) => one !== undefined));
  const known = all(before);
  for (const one of all(after)) expect(known.includes(one)).toBe(true);
}

test('base64 beside texts is whole or gone, so that every client takes the result', {
  timeout: 60_000,
}, async () => {
  const check = async (content: Block[], most: number) => {
    const result = await boundResult({ content }, { limit: most, spool: false });
    expectWhole(content, CallToolResultSchema.parse(result).content as Block[]);
    const messages = content.map((one) => ({ role: 'user' as const, content: one }));
    const prompt = await boundResult({ messages }, { limit: most, spool: false });
    expectWhole(
      content,
      GetPromptResultSchema.parse(prompt).messages.map((message) => message.content as Block),
    );
  };
  await check([text(250_000), file(30_000), text(250_000)], 100_000);
  await check([text(250_000), text(250_000), file(30_000)], 100_000);
  await fc.assert(fc.asyncProperty(blocks, limit, check), { numRuns: 60 });
});

test('figures are of what a result had, not of the words that stand for its files', async () => {
  const contents = Array.from({ length: 200 }, (_, i) => ({ uri: `file:///${i}`, blob: base64(9000) }));
  const result = await boundResult({ contents }, { limit: 10_000, spool: false });
  ReadResourceResultSchema.parse(result);
  const { _meta } = result as unknown as { _meta: Record<string, Facts> };
  const facts = _meta[META_KEY];
  expect(facts).toMatchObject({
    left: { chars: 2_400_000, lines: 0 },
    of: { chars: 2_400_000, blocks: 200 },
  });
  const folds = facts?.gaps.map(({ from, to, chars }) => [chars, (to - from) * 12_000]);
  expect(folds).toHaveLength(1);
  for (const [chars, all] of folds ?? []) expect(chars).toBe(all);
});

test('pictures that stay are in the figures once their blocks are left out', async () => {
  const texts = Array.from({ length: 60 }, () => text(800));
  const content = [...texts, image(3000), ...texts];
  const result = await boundResult({ content }, { limit: 10_000, spool: false });
  expect(JSON.stringify(result)).not.toContain('image/png');
  const { _meta } = result as unknown as { _meta: Record<string, Facts> };
  const { of, gaps = [] } = _meta[META_KEY] ?? {};
  expect(of).toEqual({ chars: 120 * 800 + 4000, blocks: 121 });
  const [fold] = gaps;
  expect(fold?.chars).toBe(((fold?.to ?? 0) - (fold?.from ?? 0) - 1) * 800 + 4000);
});

test('of pictures no more stay than a model takes, however little they cost', async () => {
  const png = Buffer.alloc(1_400_000, 'plimsoll');
  png.set(Buffer.from('89504e470d0a1a0a', 'hex'));
  const picture = { type: 'image', mimeType: 'image/png', data: png.toString('base64') };
  const content = [picture, picture, picture, { ...picture, data: base64(90_000) }];
  const result = await boundResult({ content }, { limit: 1_000_000, spool: false });
  expect(result.content.map(({ type }) => type)).toEqual(['image', 'image', 'text', 'image', 'text']);
});

test.each([true, false])('what else a block says beside base64 is cut, links %s', async (links) => {
  const _meta = { html: 'words and words '.repeat(5000) };
  for (const one of [
    { ...file(200_000), _meta },
    { ...image(200_000), _meta },
    { ...image(3000), _meta },
  ]) {
    const options = { limit: 20_000, spool: false as const, links };
    const { content } = await boundResult({ content: [one, text(80_000)] }, options);
    const [first, second] = content as { type: string; text?: string; _meta?: { html?: string } }[];
    expect(first?._meta?.html).toMatch(/^words and .* left out/);
    expect(second?.text).toMatch(/left out[\s\S]*\nwords and/);
    expectWhole([one], content as Block[]);
  }
});

test('words that stand for base64 are never cut, and take lines', async () => {
  const content = [...Array.from({ length: 12 }, () => image(9000)), text(30_000)];
  content.push({ type: 'text', text: 'line\n'.repeat(3000) });
  for (const limit of [2000, 3000, '20000,40lines']) {
    const result = await boundResult({ content }, { limit, spool: false, links: false });
    const texts = result.content.map((one) => String((one as { text?: string }).text));
    expect(texts.length).toBeGreaterThan(2);
    for (const one of texts.filter((said) => said.includes('image/png')))
      expect(one).toMatch(/^\[Plimsoll: image\/png, 9,000 bytes, left out; it was not kept .*\]$/);
    if (limit === '20000,40lines') {
      expect(texts).toHaveLength(content.length);
      expect(texts.flatMap((one) => one.split('\n')).length).toBeLessThanOrEqual(40);
    }
  }
});

test('a gap in a string of an unknown block counts the string, not its escapes', async () => {
  const data = 'say "no"\n'.repeat(20_000);
  const result = await boundResult({ content: [{ type: 'hologram', data }] }, { limit: 1000, spool: false });
  const { _meta } = result as unknown as { _meta: Record<string, Facts> };
  expect(_meta[META_KEY]).toMatchObject({ of: { chars: data.length } });
  for (const { of, unit } of _meta[META_KEY]?.gaps ?? []) if (unit === 'chars') expect(of).toBe(data.length);
});
