import { expect, test } from 'vitest';
import type { Spool } from '../spool/spool.ts';
import { Catalog } from './catalog.ts';
import { Desk, Refusal } from './desk.ts';

/** A desk in front of a server that said this of itself. */
async function deskFor(capabilities: object): Promise<Desk> {
  const catalog = new Catalog({ tools: true });
  const message = { result: { capabilities } };
  const audience = { limitOf: () => 1000, seesOnlyStructured: false };
  await catalog.edit('initialize', Buffer.from(JSON.stringify(message)), message, audience);
  return new Desk({ find: async () => undefined } as unknown as Spool, catalog, true);
}

const limit = () => ({ chars: 1000 });
const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

test('a server without resources has those that results are kept as, and no others', async () => {
  const desk = await deskFor({ tools: {} });
  const ask = (method: string, params?: object) => desk.answer({ method, params }, limit)?.result;
  expect(await ask('resources/list')).toEqual({ resources: [] });
  expect(await ask('resources/templates/list')).toEqual({
    resourceTemplates: [expect.objectContaining({ uriTemplate: expect.stringMatching(/^plimsoll:/) })],
  });
  const uri = 'file:///other';
  await expect(ask('resources/read', { uri })).rejects.toEqual(
    new Refusal(-32002, 'Resource not found: file:///other', { uri }),
  );
  await expect(ask('resources/read', { uri, ...modern })).rejects.toMatchObject({
    code: -32602,
    data: { uri },
  });
  expect(ask('resources/subscribe', { uri })).toBeUndefined();
  expect(ask('prompts/list')).toBeUndefined();
});

test.each([[{ tools: {}, resources: {} }], [{ logging: {} }]])(
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
