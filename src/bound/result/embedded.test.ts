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
const blocks = fc.array(block, { minLength: 1, maxLength: 8 });
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

test('a gap in a string of an unknown block counts the string, not its escapes', async () => {
  const data = 'say "no"\n'.repeat(20_000);
  const result = await boundResult({ content: [{ type: 'hologram', data }] }, { limit: 1000, spool: false });
  const { _meta } = result as unknown as { _meta: Record<string, Facts> };
  expect(_meta[META_KEY]).toMatchObject({ of: { chars: data.length } });
  for (const { of, unit } of _meta[META_KEY]?.gaps ?? []) if (unit === 'chars') expect(of).toBe(data.length);
});
