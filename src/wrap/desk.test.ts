import { expect, test } from 'vitest';
import { asKept, newSpool } from '../spool/spool.testing.ts';
import type { Spool } from '../spool/spool.ts';
import { Catalog } from './catalog.ts';
import { Desk } from './desk.ts';

/** A desk in front of a server that said this of itself. */
async function deskFor(
  capabilities: object,
  spool = { find: async () => undefined } as unknown as Spool,
): Promise<Desk> {
  const catalog = new Catalog({ tools: true });
  const message = { result: { capabilities } };
  const audience = { limitOf: () => 1000 };
  await catalog.edit('initialize', Buffer.from(JSON.stringify(message)), message, audience);
  return new Desk(spool, catalog, false);
}

const limit = () => ({ chars: 1000 });
test.each([[{ tools: {}, resources: {} }], [{ tools: {} }]])(
  'the resources of a server that said %j are its own to tell of',
  async (capabilities) => {
    const desk = await deskFor(capabilities);
    for (const method of ['resources/list', 'resources/templates/list', 'resources/read']) {
      expect(desk.answer({ method, params: { uri: 'file:///other' } }, limit)).toBeUndefined();
    }
    const own = desk.answer({ method: 'resources/read', params: { uri: 'plimsoll://spool/abc/1' } }, limit);
    expect(own?.reader).toBe('resources/read');
    await expect(own?.result).rejects.toThrow('abc');
  },
);

test('a client elsewhere is told an address only if it may read resources', async () => {
  const { spool } = newSpool();
  const draft = await spool.begin({ kind: 'tool' });
  const part = draft.part('1', '/content/0/data');
  part.write(Buffer.from('PNG'));
  part.close({ kind: 'media', mimeType: 'image/png' });
  const { handle } = asKept(await draft.publish());
  const params = { name: 'plimsoll_read', arguments: { handle } };
  const told = async (capabilities: object) => {
    const desk = await deskFor(capabilities, spool);
    return JSON.stringify(await desk.answer({ method: 'tools/call', params }, limit)?.result);
  };
  expect(await told({ tools: {}, resources: {} })).toContain(`kept at plimsoll://spool/${handle}/1`);
  expect(await told({ tools: {} })).toContain(
    `kept at the machine where it was cut (plimsoll spool read ${handle} `,
  );
});
