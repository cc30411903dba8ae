import { expect, test } from 'vitest';
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
  const client = await clientOf(services);
  const ref = { type: 'ref/resource', uri: 'plimsoll://context/{key}' } as const;
  const { completion } = await client.complete({ ref, argument: { name: 'key', value: 'Peo' } });
  expect(completion.values).toEqual(['people', 'people.maria', 'people.maria.role', 'team.people']);
  const none = await client.complete({
    ref: { type: 'ref/prompt', name: 'explore_repository' },
    argument: { name: 'repository', value: '' },
  });
  expect(none.completion).toMatchObject({ values: [], total: 0 });
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
