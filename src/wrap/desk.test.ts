import { expect, test } from 'vitest';
import type { Spool } from '../spool/spool.ts';
import { Catalog } from './catalog.ts';
import { Desk } from './desk.ts';

/** A desk in front of a server that said this of itself. */
async function deskFor(capabilities: object): Promise<Desk> {
  const catalog = new Catalog({ tools: true });
  const message = { result: { capabilities } };
  const audience = { limitOf: () => 1000, seesOnlyStructured: false };
  await catalog.edit('initialize', Buffer.from(JSON.stringify(message)), message, audience);
  return new Desk({ find: async () => undefined } as unknown as Spool, catalog, true);
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
