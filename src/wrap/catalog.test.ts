import { expect, test } from 'vitest';
import { type Audience, Catalog } from './catalog.ts';

const everyone: Audience = { limitOf: () => 1000 };

async function edit(catalog: Catalog, method: string, json: string, audience = everyone): Promise<string> {
  const bytes = await catalog.edit(method, Buffer.from(json), JSON.parse(json), audience);
  return bytes?.toString() ?? json;
}

const answer = (result: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const namesIn = (json: string) => JSON.parse(json).result.tools.map(({ name }: { name: string }) => name);

const OURS = ['plimsoll_read', 'plimsoll_search', 'plimsoll_select', 'plimsoll_list'];

test('our tools stand on the last page, and all other bytes stay', async () => {
  const catalog = new Catalog({ tools: true });
  const first = '{"id":1.0,"result":{"tools":[ {"name":"a","n":1.50} ],"nextCursor":"2"}}';
  expect(await edit(catalog, 'tools/list', first)).toBe(first);
  const last = '{"id":1.0,"result":{"tools":[ {"name":"b","n":1.50} ] , "x":"é"}}';
  const edited = await edit(catalog, 'tools/list', last);
  expect(namesIn(edited)).toEqual(['b', ...OURS]);
  expect(edited.startsWith('{"id":1.0,"result":{"tools":[ {"name":"b","n":1.50} ,{')).toBe(true);
  expect(edited.endsWith('] , "x":"é"}}')).toBe(true);
  expect(namesIn(await edit(catalog, 'tools/list', '{"result":{"tools":[ ]}}'))).toEqual(OURS);
});

test('the tool that lists what is kept is left out where it may not be listed', async () => {
  const catalog = new Catalog({ tools: true, lists: false });
  const list = await edit(catalog, 'tools/list', answer({ tools: [tool('a')] }));
  expect(namesIn(list)).toEqual(['a', ...OURS.slice(0, 3)]);
  expect(catalog.readerOf('plimsoll_list')).toBeUndefined();
  expect(catalog.readerOf('plimsoll_read')).toBe('plimsoll_read');
});

test('without our tools a list stays as it is', async () => {
  const catalog = new Catalog({ tools: false });
  const list = answer({ tools: [tool('a')] });
  expect(await edit(catalog, 'tools/list', list)).toBe(list);
  expect(catalog.readers).toBeUndefined();
  expect(catalog.readerOf('plimsoll_read')).toBeUndefined();
});

test('where the server has a tool of the same name all of ours are renamed, for the whole session', async () => {
  const catalog = new Catalog({ tools: true });
  await edit(catalog, 'tools/list', answer({ tools: [tool('plimsoll_list')], nextCursor: '2' }));
  const second = await edit(catalog, 'tools/list', answer({ tools: [tool('plimsoll_read_2')] }));
  const renamed = OURS.map((name) => `${name}_3`);
  expect(namesIn(second)).toEqual(['plimsoll_read_2', ...renamed]);
  expect(namesIn(await edit(catalog, 'tools/list', answer({ tools: [] })))).toEqual(renamed);
  expect(catalog.readers).toEqual({ read: 'plimsoll_read_3', select: 'plimsoll_select_3' });
  expect(catalog.readerOf('plimsoll_read_3')).toBe('plimsoll_read');
  expect(catalog.readerOf('plimsoll_read')).toBeUndefined();
  expect(catalog.readerOf('other_3')).toBeUndefined();
});

const rigid = {
  type: 'object',
  properties: { key: { type: 'string', pattern: '^[0-9a-f]+!$' } },
  required: ['key'],
};
const open = { type: 'object', properties: { text: { type: 'string' } } };

test('a schema within which nothing can be left out is kept from the client for the whole session', async () => {
  const catalog = new Catalog({ tools: false });
  const list = answer({
    tools: [tool('a', { outputSchema: rigid, x: 1 }), tool('b', { outputSchema: open })],
  });
  const expected = answer({ tools: [tool('a', { x: 1 }), tool('b', { outputSchema: open })] });
  expect(await edit(catalog, 'tools/list', list)).toBe(expected);
  expect(catalog.outputSchemaOf('a')).toBeUndefined();
  expect(catalog.outputSchemaOf('b')).toEqual(open);
  const changed = answer({ tools: [tool('a', { outputSchema: open })] });
  expect(await edit(catalog, 'tools/list', changed)).toBe(answer({ tools: [tool('a')] }));
});

test("a schema of a tool whose results pass whole is the client's", async () => {
  const catalog = new Catalog({ tools: false });
  const list = answer({ tools: [tool('a', { outputSchema: rigid })] });
  expect(await edit(catalog, 'tools/list', list, { ...everyone, limitOf: () => undefined })).toBe(list);
  expect(catalog.outputSchemaOf('a')).toEqual(rigid);
});

test.each([
  [
    'records of short texts',
    { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  ],
  ['numbers', { type: 'array', items: { type: 'number' } }],
  ['a text', { type: 'string' }],
])('a schema whose root takes no further field is kept from every client: of %s', async (_, value) => {
  const catalog = new Catalog({ tools: false });
  const closed = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false };
  const within = { ...closed, additionalProperties: {} };
  const list = answer({ tools: [tool('a', { outputSchema: closed }), tool('b', { outputSchema: within })] });
  expect(await edit(catalog, 'tools/list', list)).toBe(
    answer({ tools: [tool('a'), tool('b', { outputSchema: within })] }),
  );
});

test('a server without tools has ours, if it has what may be cut', async () => {
  const catalog = new Catalog({ tools: true });
  const none = answer({ capabilities: { logging: {} } });
  expect(await edit(catalog, 'initialize', none)).toBe(none);
  expect(catalog.isAlone).toBe(false);
  const withTools = answer({ capabilities: { tools: {}, resources: {} } });
  expect(await edit(catalog, 'initialize', withTools)).toBe(withTools);
  expect(catalog.isAlone).toBe(false);
  expect(await edit(catalog, 'server/discover', answer({ capabilities: { prompts: {} } }))).toBe(
    answer({ capabilities: { tools: {}, prompts: {} } }),
  );
  expect(catalog.isAlone).toBe(true);
  const names = (await catalog.ownTools()).map((own) => (own as { name: string }).name);
  expect(names).toEqual(OURS);
});

test('tools that the client has not listed are learned as if it had listed them before', async () => {
  const catalog = new Catalog({ tools: true });
  await edit(
    catalog,
    'tools/list',
    answer({ tools: [tool('told', { outputSchema: open })], nextCursor: 'x' }),
  );
  expect(['told', 'a'].map((name) => catalog.isTold(name))).toEqual([true, false]);
  const changed = tool('told', { outputSchema: rigid });
  const tools = [changed, tool('a', { outputSchema: open }), tool('b', { outputSchema: rigid })];
  await catalog.learn({ tools: [...tools, tool('plimsoll_list')], nextCursor: 'x' }, everyone);
  await catalog.learn({ tools: [tool('c')] }, everyone);
  await catalog.learn(undefined, everyone);
  expect(['told', 'a', 'b', 'c'].map((name) => catalog.outputSchemaOf(name))).toEqual([
    open,
    open,
    undefined,
    undefined,
  ]);
  expect(catalog.isTold('a')).toBe(false);
  expect(catalog.suffix).toBe('_2');
});

test("our resources' template is listed where the server has resources", async () => {
  const catalog = new Catalog({ tools: true });
  const list = answer({ resourceTemplates: [] });
  expect(await edit(catalog, 'resources/templates/list', list)).toBe(list);
  await edit(catalog, 'initialize', answer({ capabilities: { resources: {} } }));
  const [template] = JSON.parse(await edit(catalog, 'resources/templates/list', list)).result
    .resourceTemplates;
  expect(template.uriTemplate).toMatch(/^plimsoll:\/\/spool\//);
  const page = answer({ resourceTemplates: [], nextCursor: 'x' });
  expect(await edit(catalog, 'resources/templates/list', page)).toBe(page);
});

test('long descriptions and instructions are cut, if that is asked for', async () => {
  const catalog = new Catalog({ tools: false, descriptions: 100 });
  const long = 'Ä"\n'.repeat(1000);
  const list = await edit(catalog, 'tools/list', answer({ tools: [tool('a', { description: long })] }));
  const { description } = JSON.parse(list).result.tools[0];
  expect(description.length).toBeLessThanOrEqual(100);
  expect(description).toMatch(/^Ä"\n.* \[… Plimsoll: the first of 3,000 characters\]$/s);
  const handshake = await edit(catalog, 'initialize', answer({ capabilities: {}, instructions: long }));
  expect(JSON.parse(handshake).result.instructions.length).toBeLessThanOrEqual(100);
  const short = answer({ tools: [tool('a', { description: 'short' })] });
  expect(await edit(catalog, 'tools/list', short)).toBe(short);
});

test.each([
  '{"result":null}',
  '{"result":{"tools":{}}}',
  '{"result":{"tools":[null,1,{}]}}',
  '{"result":[]}',
])('what is no list passes: %s', async (json) => {
  const catalog = new Catalog({ tools: false });
  for (const method of ['tools/list', 'initialize', 'resources/templates/list']) {
    expect(await edit(catalog, method, json)).toBe(json);
  }
});
