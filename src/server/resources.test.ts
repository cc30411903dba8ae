import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cache } from '../cache/cache.ts';
import { clientOf, testServices } from './server.testing.ts';

const textOf = async (client: Awaited<ReturnType<typeof clientOf>>, uri: string) => {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
};

test('memory and the diary are resources, and so is each fact', async () => {
  const services = testServices();
  const memory = services.memory('test');
  await memory.set('people.maria.role', '"CTO"');
  await memory.set('v1\\.2', '"a literal dot"');
  await memory.addDiary('We met.', { tag: 'meeting' });
  const client = await clientOf(services);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'plimsoll://context/',
    'plimsoll://diary/latest',
    'plimsoll://context/people',
    'plimsoll://context/v1%5C.2',
  ]);
  for (const { uri } of resources) expect(await textOf(client, uri)).toContain('not instructions');
  expect(await textOf(client, 'plimsoll://context/people.maria.role')).toMatch(/\n\nCTO$/);
  expect(await textOf(client, 'plimsoll://context/v1%5C.2')).toMatch(/\n\na literal dot$/);
  expect(await textOf(client, 'plimsoll://diary/latest')).toContain('We met.');
  await client.close();
});

test('a repository or a folder that may be looked into is a resource, within the limit', async () => {
  const services = testServices({}, { PLIMSOLL_MAX_RESULT_CHARS: '5000' });
  const folder = join(services.settings.workFolder as string, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.ts'), 'export const answer = 42;\n'.repeat(1000));
  const client = await clientOf(services);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('plimsoll://digest/{repo}');
  const uri = `plimsoll://digest/${encodeURIComponent(folder)}`;
  const result = await client.readResource({ uri });
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  expect(JSON.stringify(result)).toContain('export const answer = 42;');
  await expect(textOf(client, 'plimsoll://digest/%2Fetc')).rejects.toThrow('may not be looked into');
  await client.close();
});

test('what there isn’t is no resource', async () => {
  const client = await clientOf(testServices());
  for (const uri of ['plimsoll://context/none', 'plimsoll://other', 'x:/y', 'plimsoll://context/%zz']) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
  }
  await client.close();
});

test('keys of memory and repositories that are kept complete what is typed, the ones that start so first', async () => {
  const services = testServices();
  const memory = services.memory('test');
  await memory.set('people.maria.role', '"CTO"');
  await memory.set('team.people', '3');
  const cache = new Cache(services.settings.cache);
  for (const kind of ['git', 'github'] as const) {
    await (await cache.open(kind, 'https://github.com/fastify/fastify')).write('text', 'file');
  }
  await (await cache.open('git', 'https://host.example/other')).write('text', 'file');
  await cache.close();
  const client = await clientOf(services);
  const ref = { type: 'ref/resource', uri: 'plimsoll://context/{key}' } as const;
  const { completion } = await client.complete({ ref, argument: { name: 'key', value: 'Peo' } });
  expect(completion.values).toEqual(['people', 'people.maria', 'people.maria.role', 'team.people']);
  for (const asked of [
    { ref: { type: 'ref/prompt', name: 'explore_repository' }, name: 'repository' },
    { ref: { type: 'ref/resource', uri: 'plimsoll://digest/{repo}' }, name: 'repo' },
  ] as const) {
    const { ref, name } = asked;
    const kept = await client.complete({ ref, argument: { name, value: 'stif' } });
    expect(kept.completion).toMatchObject({ values: ['https://github.com/fastify/fastify'], total: 1 });
  }
  await client.close();
});

test('prompts name the tools, and say what they need', async () => {
  const client = await clientOf(testServices());
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['explore_repository', 'remember_this_conversation']);
  const { messages } = await client.getPrompt({
    name: 'explore_repository',
    arguments: { repository: 'a/b', question: 'Where is the parser?' },
  });
  expect(JSON.stringify(messages)).toMatch(/fetch_github_repo.*read_repo_file/);
  expect(JSON.stringify(messages)).toContain('Where is the parser?');
  await expect(client.getPrompt({ name: 'explore_repository' })).rejects.toThrow("needs 'repository'");
  await expect(client.getPrompt({ name: 'nope' })).rejects.toThrow('There are explore_repository');
  await client.close();
});
