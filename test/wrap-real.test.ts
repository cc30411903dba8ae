import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Client, type Connect, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { environment, type Json, temporaryFolder, wrapCommand } from './wrapped.ts';

const bin = (name: string) => [
  process.execPath,
  resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
];
const REFERENCE = [process.execPath, resolve('test/servers/mcp-reference/main.mjs')];

const SDKS = [
  { sdk: 'SDK v1', connect: connectV1 },
  { sdk: 'SDK v2', connect: connectV2 },
];

/** What one client was told, step by step. */
type Transcript = [step: string, answer: Json][];

/** Takes out what differs from run to run: times, and identifiers that are drawn. */
function steady(value: Json): Json {
  const text = JSON.stringify(value)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, 'TIME')
    .replace(/\b[\da-f]{32}\b|\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID');
  return JSON.parse(text);
}

/** A result without what the proxy adds to lists, and without schemas that let no notice in, which it takes away. */
function stripped(result: Json): Json {
  if (Array.isArray(result?.tools)) {
    const others = result.tools.filter(({ name }: Json) => !name.startsWith('plimsoll_'));
    return { ...result, tools: others.map(withoutClosedSchema) };
  }
  if (Array.isArray(result?.resourceTemplates)) {
    const own = ({ uriTemplate }: Json) => uriTemplate.startsWith('plimsoll:');
    return { ...result, resourceTemplates: result.resourceTemplates.filter((one: Json) => !own(one)) };
  }
  return result;
}

function withoutClosedSchema({ outputSchema, ...tool }: Json): Json {
  return outputSchema?.additionalProperties === false ? tool : { ...tool, outputSchema };
}

/** Has both a direct client and one behind the proxy do the same, each in its own world, and compares. */
async function compare(
  connect: Connect,
  worldOf: () => { command: readonly string[]; env?: Record<string, string>; roots?: readonly string[] },
  steps: (client: Client, world: string) => Promise<Transcript>,
): Promise<Transcript> {
  const run = async (proxied: boolean) => {
    const { command, env = {}, roots = [] } = worldOf();
    const folder = temporaryFolder();
    const client = await connect(
      {
        command: proxied ? wrapCommand([], command) : command,
        env: { ...environment(folder), ...env },
      },
      { roots },
    );
    const transcript = await steps(client, roots[0] ?? folder);
    transcript.unshift(['capabilities', client.capabilities()], ['instructions', client.instructions()]);
    const text = JSON.stringify(transcript.map(([step, answer]) => [step, stripped(answer)]));
    const own = [folder, ...roots].reduce((all, path) => all.replaceAll(path, 'FOLDER'), text);
    return steady(JSON.parse(own)) as Transcript;
  };
  const [direct, proxied] = await Promise.all([run(false), run(true)]);
  expect(proxied).toEqual(direct);
  return proxied;
}

/** Everything a server lists, and every resource and prompt that can be had without knowing more of it. */
async function lists(client: Client): Promise<Transcript> {
  const transcript: Transcript = [];
  const add = async (method: string, params: Json = {}) => {
    const answer = await client.request(method, params);
    transcript.push([`${method} ${JSON.stringify(params)}`, answer]);
    return answer;
  };
  const { tools, resources, prompts } = client.capabilities();
  if (tools) await add('tools/list');
  if (resources) {
    await add('resources/templates/list');
    const list = await add('resources/list');
    for (const { uri } of list.resources) await add('resources/read', { uri });
  }
  if (prompts) {
    const list = await add('prompts/list');
    for (const { name, arguments: wanted = [] } of list.prompts) {
      if (wanted.length === 0) await add('prompts/get', { name });
    }
  }
  return transcript;
}

async function calls(client: Client, list: readonly [string, Json?][]): Promise<Transcript> {
  const transcript: Transcript = [];
  for (const [name, args] of list) transcript.push([name, await client.callTool(name, args)]);
  return transcript;
}

/** What the server asked, each thing once: it asks for the roots once or twice, as its own timer has it. */
function askedIn({ events }: Client): Json[] {
  const asked = events.filter(({ method }) => !method.startsWith('notifications/'));
  return [...new Map(asked.map((request) => [JSON.stringify(request), request])).values()];
}

describe.each(SDKS)('$sdk', ({ connect }) => {
  test('server-everything says the same through the proxy', async () => {
    const world = () => ({ command: [...bin('everything'), 'stdio'], roots: ['/tmp'] });
    const transcript = await compare(connect, world, async (client) => [
      ...(await lists(client)),
      ...(await calls(client, [
        ['echo', { message: 'é\u2028😀 "\\" \u0000' }],
        ['echo', { message: 1 }],
        ['no-such-tool'],
        ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 10 }],
        ['get-resource-reference', { resourceType: 'Text', resourceId: 2 }],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-sum', { a: 0.1, b: 0.2 }],
        ['get-tiny-image'],
        ['gzip-file-as-resource', { data: 'data:text/plain,hello', outputType: 'resource' }],
        ['get-roots-list'],
        ['trigger-sampling-request', { prompt: 'Hello', maxTokens: 5 }],
        ['trigger-elicitation-request'],
      ])),
      ['text resource', await client.request('resources/read', { uri: 'demo://resource/dynamic/text/7' })],
      ['no resource', await client.request('resources/read', { uri: 'demo://none' })],
      ['prompt', await client.request('prompts/get', { name: 'args-prompt', arguments: { city: 'Oslo' } })],
      ['no prompt', await client.request('prompts/get', { name: 'none' })],
      [
        'completion',
        await client.request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'E' },
        }),
      ],
      ['ping', await client.request('ping')],
      ['level', await client.request('logging/setLevel', { level: 'debug' })],
      ['subscribe', await client.request('resources/subscribe', { uri: 'demo://resource/dynamic/text/1' })],
      ['asked by the server', askedIn(client)],
    ]);
    const asked = transcript.find(([step]) => step === 'asked by the server')?.[1];
    expect(asked.map(({ method }: Json) => method).sort()).toEqual([
      'elicitation/create',
      'roots/list',
      'sampling/createMessage',
    ]);
  });

  test('server-everything: logs, updates, changed roots and progress come through; a call is cancelled', async () => {
    const command = wrapCommand([], [...bin('everything'), 'stdio']);
    const client = await connect({ command, env: environment(temporaryFolder()) }, { roots: ['/tmp'] });

    const progress: number[] = [];
    const ran = await client.request(
      'tools/call',
      { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
      { onprogress: (step) => progress.push(step.progress) },
    );
    expect(ran.content[0].text).toContain('completed');
    // The second SDK drops a step that it has not dealt with when the answer comes.
    expect(progress.slice(0, 2)).toEqual([1, 2]);

    const uri = 'demo://resource/dynamic/text/1';
    await client.request('resources/subscribe', { uri });
    await client.callTool('toggle-subscriber-updates');
    expect(await client.event('notifications/resources/updated')).toEqual({ uri });

    await client.request('logging/setLevel', { level: 'debug' });
    await client.callTool('toggle-simulated-logging');
    expect(await client.event('notifications/message')).toHaveProperty('level');

    await client.setRoots(['/usr']);
    await expect
      .poll(async () => JSON.stringify(await client.callTool('get-roots-list')), { timeout: 5000 })
      .toContain('file:///usr');

    const abort = new AbortController();
    const cancelled = await client.request(
      'tools/call',
      { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 600 } },
      { onprogress: () => abort.abort('enough'), signal: abort.signal },
    );
    expect(cancelled).toHaveProperty('error');
    expect(await client.callTool('echo', { message: 'after' })).toEqual({
      content: [{ type: 'text', text: 'Echo: after' }],
    });
  });

  test('server-memory says the same through the proxy', async () => {
    const world = () => ({
      command: bin('memory'),
      env: { MEMORY_FILE_PATH: join(temporaryFolder(), 'memory.jsonl') },
    });
    const ada = { name: 'Ada', entityType: 'person', observations: ['wrote notes'] };
    const engine = { name: 'Engine', entityType: 'machine', observations: [] };
    const relation = { from: 'Ada', to: 'Engine', relationType: 'describes' };
    await compare(connect, world, async (client) => [
      ...(await lists(client)),
      ...(await calls(client, [
        ['create_entities', { entities: [ada, engine] }],
        ['create_relations', { relations: [relation] }],
        ['add_observations', { observations: [{ entityName: 'Engine', contents: ['analytical'] }] }],
        ['add_observations', { observations: [{ entityName: 'Nobody', contents: ['none'] }] }],
        ['read_graph'],
        ['search_nodes', { query: 'analytical' }],
        ['open_nodes', { names: ['Ada'] }],
        ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['wrote notes'] }] }],
        ['delete_relations', { relations: [relation] }],
        ['delete_entities', { entityNames: ['Ada', 'Engine'] }],
        ['read_graph'],
      ])),
      ...(await lists(client)),
    ]);
  });

  test('server-filesystem says the same through the proxy', async () => {
    const world = () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
      writeFileSync(join(folder, 'pixel.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
      return { command: [...bin('filesystem'), folder], roots: [folder] };
    };
    await compare(connect, world, async (client, folder) => {
      const path = join(folder, 'a.txt');
      return [
        ...(await lists(client)),
        ...(await calls(client, [
          ['read_file', { path }],
          ['read_text_file', { path, head: 1 }],
          ['read_text_file', { path, tail: 1 }],
          ['read_text_file', { path: '/etc/hostname' }],
          ['read_media_file', { path: join(folder, 'pixel.png') }],
          ['read_multiple_files', { paths: [path, join(folder, 'none.txt')] }],
          ['write_file', { path: join(folder, 'b.txt'), content: 'new' }],
          ['edit_file', { path, edits: [{ oldText: 'two', newText: '2' }], dryRun: true }],
          ['edit_file', { path, edits: [{ oldText: 'two', newText: '2' }] }],
          ['create_directory', { path: join(folder, 'c') }],
          ['move_file', { source: join(folder, 'b.txt'), destination: join(folder, 'c/b.txt') }],
          ['list_directory', { path: folder }],
          ['list_directory_with_sizes', { path: folder, sortBy: 'size' }],
          ['directory_tree', { path: folder }],
          ['search_files', { path: folder, pattern: '**/*.txt' }],
          ['list_allowed_directories'],
        ])),
      ];
    });
  });

  test('a result whose schema lets no notice in has none that the client knows, and says what is missing', async () => {
    const server = [process.execPath, resolve('test/servers/mcp-plain.mjs'), '--schemas'];
    const command = wrapCommand(['--limit', '5000'], server);
    const client = await connect({ command, env: environment(temporaryFolder()) });
    const { tools } = await client.request('tools/list');
    const withSchema = tools.filter((tool: Json) => tool.outputSchema).map(({ name }: Json) => name);
    expect(withSchema).toEqual(['structured']);

    const { structuredContent } = await client.callTool('numbers', { items: 5000 });
    expect(structuredContent._plimsoll).toMatch(/left out/);
    expect(structuredContent.values).toContain(4999);
    const small = await client.callTool('numbers', { items: 3 });
    expect(small.structuredContent).toEqual({ values: [0, 1, 2] });
  });

  test('a big file is bounded, and can be read back whole', async () => {
    const folder = temporaryFolder();
    const whole = Array.from({ length: 40_000 }, (_, i) => `line ${i} ${'é😀'.repeat(i % 9)}\n`).join('');
    writeFileSync(join(folder, 'big.txt'), whole);
    const data = temporaryFolder();
    const command = wrapCommand(['--limit', '20000'], [...bin('filesystem'), folder]);
    const client = await connect({ command, env: environment(data) }, { roots: [folder] });
    await client.request('tools/list');

    const result = await client.callTool('read_text_file', { path: join(folder, 'big.txt') });
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(20_000);
    const { handle } = result._meta['dev.plimsoll/bound'];
    let text = '';
    let next: number | undefined = 0;
    while (next !== undefined) {
      const page: Json = await client.callTool('plimsoll_read', { handle, part: '1', from: next });
      expect(JSON.stringify(page).length).toBeLessThanOrEqual(20_000);
      const facts = page._meta['dev.plimsoll/page'];
      expect(facts.from).toBe(next);
      const shown: string = page.content[0].text;
      text += shown.slice(shown.indexOf('\n') + 1).slice(0, facts.to - facts.from);
      next = facts.next;
    }
    expect(sha(text)).toBe(sha(whole));
    const kept = files(data).find((path) => path.endsWith('/1.txt')) ?? '';
    expect(sha(readFileSync(kept))).toBe(sha(whole));
  });
});

test('the reference server says the same in the era of 2026-07-28, on stdio', async () => {
  const names = ['elicitation', 'sampling', 'list_roots', 'request_state', 'multiple_inputs', 'multi_round'];
  const world = () => ({ command: REFERENCE, roots: ['/tmp'] });
  await compare(connectModern, world, async (client) => [
    ...(await lists(client)),
    ...(await calls(client, [
      ['test_simple_text'],
      ['test_multiple_content_types'],
      ['test_error_handling'],
      ['no-such-tool'],
      ...names.map((name): [string] => [`test_input_required_result_${name}`]),
    ])),
    ['asked', client.events],
  ]);
});

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
