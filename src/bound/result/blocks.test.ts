import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { openSpool } from '../../spool/spool.ts';
import { boundResult } from '../bound.ts';
import { type Facts, META_KEY } from '../facts.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-blocks-'));
const spool = openSpool({ folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readers = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };

type Block = { type: string; text?: string; description?: string; uri?: string };
type Cut = { content: Block[]; structuredContent?: object; _meta: Record<string, Facts> };

async function cut(result: object, limit: number): Promise<Cut> {
  const bounded = await boundResult(result as Cut, { limit, spool, readers });
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(limit);
  return bounded;
}

const factsOf = (result: Cut) => result._meta[META_KEY] as Facts;
const wordsOf = ({ text, description }: Block) => text ?? description ?? '';
const list = <Item>(count: number, itemOf: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => itemOf(index));
const link = (n: number) => ({
  type: 'resource_link',
  uri: `demo://resource/${n}`,
  name: `Resource ${n}`,
  description: `Resource ${n}: a text of its own`,
  mimeType: 'text/plain',
});
const text = (value: string) => ({ type: 'text', text: value });

const MANY: [what: string, content: object[]][] = [
  ['a text and links', [text('Here they are:'), ...list(300, link)]],
  ['links', list(300, link)],
  ['short texts', list(3000, (n) => text(`a text, ${n}`))],
  ['empty texts', list(3000, () => text(''))],
  ['pictures that stay', list(900, () => ({ type: 'image', mimeType: 'image/png', data: 'AAAA' }))],
];

describe.each(MANY)('of %s, too many', (_, content) => {
  it.each([1000, 2000, 3000, 20_000])('the outermost say that some are missing, at %i', async (limit) => {
    const result = await cut({ content }, limit);
    for (const block of [result.content[0], result.content.at(-1)] as [Block, Block]) {
      expect(wordsOf(block)).toMatch(
        /\d blocks?\b.* left out|left out.* \d[\d,]* of [\d,]+ blocks|^\[Plimsoll: image\/png, 3 bytes, left out/,
      );
      expect(wordsOf(block)).not.toMatch(/\b0 (?:of|char|byte|line|block)/);
    }
  });

  it('`_meta` says which ones', async () => {
    const result = await cut({ content }, 20_000);
    const { left, of, gaps } = factsOf(result);
    const [gap] = gaps.filter(({ at, unit }) => at === '/content' && unit === 'items');
    expect(gap).toMatchObject({ of: of.blocks });
    expect((gap?.to ?? 0) - (gap?.from ?? 0)).toBe(left.blocks);
    const [, from = '', to = ''] =
      /left out here: ([\d,]+) to ([\d,]*\d)/.exec(result.content.map(wordsOf).join('\n')) ?? [];
    expect([from, to].map((figure) => Number(figure.replace(',', '')))).toEqual([
      gap?.from,
      (gap?.to ?? 0) - 1,
    ]);
  });
});

it('those that stay are what they were, in their order', async () => {
  const content = list(300, link);
  const { content: blocks } = await cut({ content }, 20_000);
  const kept = blocks.filter(({ uri }) => uri?.startsWith('demo:'));
  expect(kept.length).toBeGreaterThan(20);
  expect(kept).toEqual(content.filter(({ uri }) => kept.some((block) => block.uri === uri)));
});

it('all are counted in the smallest answer, and told as one gap', async () => {
  const { handle: _, ...facts } = factsOf(
    await cut({ content: list(3000, (n) => text(`a text, ${n}`)), a: 'x '.repeat(300) }, 1000),
  );
  expect(facts.left.blocks).toBeGreaterThan(2900);
  expect(facts.gapCount).toBe(1);
});

const entities = list(400, (n) => ({ name: `person ${n}`, observations: [`likes item ${n}`] }));

test.each([[{ entities }], [{ result: entities }]])(
  'where a text that mirrors structured content has no room, what stands for it says what that lost',
  async (structuredContent) => {
    const result = await cut({ content: [text(JSON.stringify(structuredContent))], structuredContent }, 1000);
    expect(result.structuredContent).toBeDefined();
    const said = result.content.map(wordsOf).join('\n');
    expect(said).toMatch(/of structuredContent (?:39\d items|400 items|1 entry) \([\d,]+ characters\)/);
    expect(said).toMatch(/plimsoll_read \{"handle":"\w{16}","part":"structured"\}/);
  },
);

test.each([0, 1, 2, 3])('the bytes of base64 are those of its file: %i beyond threes', async (more) => {
  const bytes = 30_000 + more;
  const data = Buffer.alloc(bytes, 'ab\u0001').toString('base64');
  const image = { type: 'image', mimeType: 'image/png', data };
  for (const keeps of [spool, false] as const) {
    const options = { limit: 5000, spool: keeps, readers };
    const result = (await boundResult({ content: [text('a picture'), image] }, options)) as unknown as Cut;
    expect(factsOf(result).left.bytes).toBe(bytes);
    expect(JSON.stringify(result.content)).toContain(`${bytes.toLocaleString('en')} bytes`);
  }
});
