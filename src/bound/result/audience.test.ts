import { expect, test } from 'vitest';
import { boundResult } from '../bound.ts';

const text = (of: string, length: number, audience?: readonly string[]) => ({
  type: 'text',
  text: `${of} line\n`.repeat(length / (of.length + 6)),
  ...(audience && { annotations: { audience } }),
});

async function shown(blocks: readonly object[], limit = 10_000) {
  const bounded = await boundResult({ content: blocks }, { limit, spool: false });
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(limit);
  return bounded.content.map((block) => (block as { text: string }).text);
}

test('what only the user reads takes no room from what the model reads', async () => {
  const preview = text('preview', 60_000, ['user']);
  const [alone = ''] = await shown([text('data', 60_000)]);
  const [first = '', second = ''] = await shown([preview, text('data', 60_000)]);
  expect(second.match(/^data line$/gm)?.length).toBeGreaterThan(
    0.8 * (alone.match(/^data line$/gm)?.length ?? 0),
  );
  expect(first).toMatch(/left out/);
});

test('what only the user reads has the room that the model leaves', async () => {
  const preview = text('preview', 60_000, ['user']);
  const [first = '', second = ''] = await shown([preview, text('data', 1_200, ['assistant'])]);
  expect(second.match(/^data line$/gm)).toHaveLength(120);
  expect(first.length).toBeGreaterThan(6_000);
  const [only = ''] = await shown([preview]);
  expect(only.length).toBeGreaterThan(8_000);
});

test.each([[['user', 'assistant']], [['assistant']], [[]], [undefined]])(
  'with the audience %j a block has an equal share',
  async (audience) => {
    const [first = '', second = ''] = await shown([
      text('one', 60_000, audience),
      text('two', 60_000, ['assistant']),
    ]);
    expect(first.length / second.length).toBeCloseTo(1, 0);
  },
);
