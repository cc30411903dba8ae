import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectV1, connectV2 } from './servers/mcp-clients.ts';
import {
  environment,
  type Json,
  Line,
  MAIN,
  run,
  temporaryFolder,
  type Wrapped,
  wrapCommand,
  wrapped,
} from './wrapped.ts';

// Faults of other tools that people have reported, each with what is right. The comment names the report.

const REFERENCE = [process.execPath, resolve('test/servers/mcp-reference/main.mjs')];
const LIMIT = 8000;

const factsOf = (result: Json) => result._meta['dev.plimsoll/bound'];
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const size = (value: unknown) => JSON.stringify(value).length;

/** Lines that all differ, of about 60 characters. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1} ${'of many '.repeat(6)}\n`).join('');
/** JSON on one line. */
const records = (count: number) =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, id) => ({ id, name: `record ${id}`, on: true })),
  });

interface Opening {
  readonly options?: readonly string[];
  readonly env?: Record<string, string>;
  readonly client?: string;
  readonly tools?: readonly Json[];
  readonly cwd?: string;
}

/** A proxy with a limit of {@link LIMIT} characters, unless other options are given. */
async function opened({
  options = ['--limit', String(LIMIT)],
  env,
  client,
  tools,
  cwd,
}: Opening = {}): Promise<Wrapped> {
  const proxy = await wrapped({ options, ...(env && { env }), ...(cwd !== undefined && { cwd }) });
  await proxy.open({ clientInfo: { name: client ?? 'someone', version: '1' }, ...(tools && { tools }) });
  return proxy;
}

/** A call of one of the proxy's own tools. */
async function reader(proxy: Wrapped, name: string, args: Json): Promise<Json> {
  const id = `own-${Math.random()}`;
  proxy.client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  const { message } = await proxy.client.answer(id);
  return message.result;
}

function files(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
const spoolOf = ({ folder }: Wrapped) => join(folder, 'spool');
const partFile = (proxy: Wrapped, name: string) =>
  files(spoolOf(proxy)).find((path) => path.endsWith(`${sep}${name}`)) ?? 'no such part';

/** The call that a marker or a notice names, as a tool and its arguments. */
function callIn(words: string): { name: string; args: Json } {
  const [, name = '', args = ''] = /(plimsoll_\w+) (\{.*?\})/.exec(words) ?? [];
  return { name, args: JSON.parse(args) };
}

/** What is shown of a page of a text: all but its first line, which is about the page. */
const shown = (page: Json) => page.content[0].text.slice(page.content[0].text.indexOf('\n') + 1);

describe('the whole', () => {
  test('is kept before anything is cut', async () => {
    // github/copilot-cli 1732
    const proxy = await opened();
    const whole = lines(20_000);
    await proxy.call(text(whole));
    expect(readFileSync(partFile(proxy, '1.txt'), 'utf8')).toBe(whole);
  });

  test('can be read on from where the shown part ends, by the very call that the marker names', async () => {
    // bytedance/deer-flow 5475, openai/codex 14466, openai/codex 35226
    const proxy = await opened();
    const whole = lines(5000);
    const { result } = (await proxy.call(text(whole))).message;
    const [notice = '', ...rest] = result.content[0].text.split('\n');
    const marker = rest.find((line: string) => line.includes('Plimsoll')) ?? '';
    for (const words of [notice, marker]) {
      expect(words).toContain('Plimsoll');
      expect(words).toContain('left out');
    }
    const [gap] = factsOf(result).gaps;
    const { name, args } = callIn(marker);
    expect(args.from).toBe(gap.from);
    const page = await reader(proxy, name, args);
    expect(shown(page).slice(0, 1000)).toBe(whole.slice(gap.from, gap.from + 1000));
    expect((await reader(proxy, callIn(notice).name, callIn(notice).args)).isError).not.toBe(true);
  });

  test('is on disk in lines that can be paged, though it is one line of JSON', async () => {
    // anthropics/claude-code 41092
    const proxy = await opened();
    await proxy.call(text(records(5000)));
    const view = files(spoolOf(proxy)).find((path) => path.includes('.view.')) ?? '';
    const paged = readFileSync(view, 'utf8').split('\n');
    expect(paged.length).toBeGreaterThan(5000);
    expect(Math.max(...paged.map(({ length }) => length))).toBeLessThanOrEqual(2000);
    expect(JSON.parse(paged.join('\n'))).toEqual(JSON.parse(records(5000)));
  });

  test('is read without being kept again, and without anything added', async () => {
    // anthropics/claude-code 31686
    const proxy = await opened();
    const whole = lines(5000);
    const { handle } = factsOf((await proxy.call(text(whole))).message.result);
    const before = files(spoolOf(proxy));
    const page = await reader(proxy, 'plimsoll_read', { handle, part: '1' });
    expect(whole.startsWith(shown(page))).toBe(true);
    expect(size(page)).toBeLessThanOrEqual(LIMIT);
    expect(page._meta).not.toHaveProperty(['dev.plimsoll/bound']);
    expect(files(spoolOf(proxy))).toEqual(before);
  });

  test('is read on and on, though its lines are longer than a page', async () => {
    // langchain-ai/deepagentsjs 172
    const proxy = await opened();
    const whole = `${'a'.repeat(30_000)}\n${'b'.repeat(30_000)}`;
    const { handle } = factsOf((await proxy.call(text(whole))).message.result);
    let read = '';
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: Json = await reader(proxy, 'plimsoll_read', { handle, part: '1', from });
      read += shown(page);
      const next: number | undefined = page._meta['dev.plimsoll/page'].next;
      expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(from);
      from = next;
    }
    expect(read).toBe(whole);
  });

  test('is had through the same connection, without any tool for files', async () => {
    // anthropics/claude-agent-sdk-typescript 175
    const proxy = await opened();
    const { handle } = factsOf((await proxy.call(text(lines(5000)))).message.result);
    const found = await reader(proxy, 'plimsoll_search', { handle, pattern: 'line 4321 ' });
    expect(found.content[0].text).toContain('line 4321 of many');
    proxy.client.send({
      jsonrpc: '2.0',
      id: 'r',
      method: 'resources/read',
      params: { uri: `plimsoll://spool/${handle}/1` },
    });
    const { result } = (await proxy.client.answer('r')).message;
    expect(result.contents[0].text).toContain('line 1 of many');
  });

  test('is for its owner alone, under a name that nobody guesses', async () => {
    // earendil-works/pi 7521, aaif-goose/goose PR 10482
    const proxy = await opened();
    const [first, second] = [await proxy.call(text(lines(5000))), await proxy.call(text(lines(5000)))].map(
      ({ message }) => factsOf(message.result).handle,
    );
    expect(first).toMatch(/^[a-z2-7]{16,}$/);
    expect(second).not.toBe(first);
    for (const path of [spoolOf(proxy), ...files(spoolOf(proxy))]) {
      const stat = statSync(path);
      expect(stat.mode & 0o777).toBe(stat.isDirectory() ? 0o700 : 0o600);
    }
  });

  test('says that it has expired, and which call makes it again, as soon as it is asked for', async () => {
    // aaif-goose/goose 12110, github/copilot-cli 3007, NousResearch/hermes-agent 80760
    const proxy = await opened({ env: { PLIMSOLL_SPOOL_MAX_AGE: '2h' } });
    const params = { name: 'made', arguments: { again: 7 } };
    const { handle } = factsOf((await proxy.call(text(lines(5000)), params)).message.result);
    const before = new Date(Date.now() - 3 * 3_600_000);
    for (const path of files(spoolOf(proxy))) utimesSync(path, before, before);
    const page = await reader(proxy, 'plimsoll_read', { handle, part: '1' });
    expect(page.isError).toBe(true);
    expect(page.content[0].text).toContain('expired');
    expect(page.content[0].text).toContain('made {"again":7}');
    expect(files(spoolOf(proxy)).filter((path) => path.endsWith('1.txt'))).toEqual([]);
  });

  test('is not promised when it could not be kept', async () => {
    // MCKRUZ/microsoft-agentic-harness 559, 579
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'taken'), '');
    const proxy = await opened({ options: ['--limit', String(LIMIT), '--spool', join(folder, 'taken')] });
    const { result } = (await proxy.call(text(lines(5000)))).message;
    expect(size(result)).toBeLessThanOrEqual(LIMIT);
    expect(result.content[0].text).toContain('not kept');
    expect(JSON.stringify(result)).not.toContain('plimsoll_read');
    expect(factsOf(result)).toHaveProperty('notKept');
    expect(factsOf(result)).not.toHaveProperty('handle');
  });

  test('goes where it is told, within the workspace if need be', async () => {
    // github/copilot-sdk 1788, 2076; kamp-us/phoenix 6991
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'workspace'));
    const proxy = await opened({
      options: ['--limit', String(LIMIT), '--spool', 'workspace/kept'],
      cwd,
      env: { PLIMSOLL_SPOOL_DIR: join(cwd, 'elsewhere') },
    });
    const { result } = (await proxy.call(text(lines(5000)))).message;
    const { folder } = factsOf(result);
    expect(isAbsolute(folder)).toBe(true);
    expect(folder.startsWith(join(cwd, 'workspace/kept'))).toBe(true);
    expect(result.content[0].text).toContain(folder);
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
  });
});

describe('what is said', () => {
  test('is true of what is sent', async () => {
    // cline/cline 13923, PR 14257
    const proxy = await opened();
    const whole = lines(5000);
    const { result } = (await proxy.call(text(whole))).message;
    const { gaps, left } = factsOf(result);
    const cut = result.content[0].text;
    expect(gaps).toHaveLength(1);
    const [{ from, to, of, lines: missing }] = gaps;
    expect(of).toBe(whole.length);
    expect(cut).toContain(whole.slice(0, from));
    expect(cut.endsWith(whole.slice(to))).toBe(true);
    expect(cut).not.toContain(`line ${missing.from} of`);
    expect(cut).not.toContain(`line ${missing.to - 1} of`);
    expect(cut).toContain(`line ${missing.to} of`);
    expect(left.chars).toBe(to - from);
    expect(left.bytes).toBe(Buffer.byteLength(whole.slice(from, to)));
    expect(left.lines).toBe(whole.slice(from, to).split('\n').length - 1);
  });

  test('names only tools that are there', async () => {
    // github/copilot-sdk 1091
    const named = (result: Json) => new Set(JSON.stringify(result).match(/plimsoll_\w+/g));
    const proxy = await opened();
    proxy.client.send({ jsonrpc: '2.0', id: 'l', method: 'tools/list' });
    await proxy.server.next(({ method }) => method === 'tools/list');
    proxy.server.send({
      jsonrpc: '2.0',
      id: 'l',
      result: { tools: [{ name: 'plimsoll_read', inputSchema: { type: 'object' } }] },
    });
    const listed = (await proxy.client.answer('l')).message.result.tools.map(({ name }: Json) => name);
    expect(new Set(listed).size).toBe(listed.length);
    const own = named((await proxy.call(text(lines(5000)))).message.result);
    expect(own.size).toBeGreaterThan(0);
    expect(own).not.toContain('plimsoll_read');
    for (const name of own) expect(listed).toContain(name);

    const without = await opened({ options: ['--limit', String(LIMIT), '--no-tools'] });
    expect(named((await without.call(text(lines(5000)))).message.result).size).toBe(0);
  });

  test('is there whatever is lost, a part of one long line too', async () => {
    // riceharvest/agents-first-toolkit 59
    const proxy = await opened();
    const { result } = (await proxy.call(text('x'.repeat(LIMIT)))).message;
    const { left, gaps } = factsOf(result);
    expect(left.chars).toBeGreaterThan(0);
    expect(gaps[0].to - gaps[0].from).toBe(left.chars);
    expect(result.content[0].text.split('x').length - 1 + left.chars).toBeGreaterThanOrEqual(LIMIT);
  });

  test('is no error, and an error stays one', async () => {
    // moonbitlang/openseek 351
    const proxy = await opened();
    const fine = (await proxy.call(text(lines(5000)))).message.result;
    expect(fine).not.toHaveProperty('isError');
    const failed = (await proxy.call({ ...text(lines(5000)), isError: true })).message.result;
    expect(failed.isError).toBe(true);
    const { gaps } = factsOf(failed);
    expect(gaps[0].of - gaps[0].to).toBeGreaterThan(gaps[0].from);
  });

  test('leaves JSON a reader can parse', async () => {
    // aaif-goose/goose 7846
    const proxy = await opened();
    const { result } = (await proxy.call(text(records(5000)))).message;
    const { items, _plimsoll } = JSON.parse(result.content[0].text);
    expect(items[0]).toEqual({ id: 0, name: 'record 0', on: true });
    expect(items.at(-1)).toEqual({ id: 4999, name: 'record 4999', on: true });
    expect(_plimsoll).toContain('left out');
  });

  test('reaches whoever is shown only one of the two carriers', async () => {
    // MoonshotAI/kimi-code 2554, anomalyco/opencode 38923
    const proxy = await opened();
    const { items } = JSON.parse(records(5000));
    const { result } = (await proxy.call({ ...text('5,000 records'), structuredContent: { items } })).message;
    expect(JSON.stringify(result.content)).toContain('left out');
    expect(JSON.stringify(result.structuredContent)).toContain('left out');
    expect(result.content[0].text).toContain('5,000 records');
  });
});

describe('how much is sent', () => {
  test.each([
    ['opencode', 51_200, 2000],
    ['Kilo-Code', 51_200, 2000],
    ['codex-mcp-client', 40_000, Number.POSITIVE_INFINITY],
    ['gemini-cli-mcp-client', 40_000, Number.POSITIVE_INFINITY],
    ['Cline', 8000, Number.POSITIVE_INFINITY],
    ['Visual Studio Code', 8192, Number.POSITIVE_INFINITY],
  ])('stays under the cap of %s with room to spare, both ends shown', async (client, bytes, most) => {
    // Kilo-Org/kilocode 12777, openai/codex 6544, cline/cline 13923
    const proxy = await opened({ options: [], client });
    const whole = Array.from({ length: 50_000 }, (_, i) => `line ${i}\n`).join('');
    const { result } = (await proxy.call(text(whole))).message;
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(bytes * 0.9);
    expect(result.content[0].text.split('\n').length).toBeLessThanOrEqual(most);
    expect(result.content[0].text).toContain('line 0\n');
    expect(result.content[0].text).toContain('line 49999');
  });

  test('is one amount for all blocks and both carriers, however many they are', async () => {
    // coder/xum 3891 (3138)
    const proxy = await opened();
    const block = { type: 'text', text: '"\\\n\t"'.repeat(200) };
    const many = (await proxy.call({ content: Array.from({ length: 2000 }, () => block) })).message.result;
    expect(size(many)).toBeLessThanOrEqual(LIMIT);
    const { items } = JSON.parse(records(5000));
    const both = (await proxy.call({ ...text(lines(5000)), structuredContent: { items } })).message.result;
    expect(size(both)).toBeLessThanOrEqual(LIMIT);
  });

  test('is bounded for every tool, for resources and for prompts, without being asked to', async () => {
    // QwenLM/qwen-code 2439, stacklok/mecatl 178, google-gemini/gemini-cli 12172, NousResearch/hermes-agent 56059
    const proxy = await opened({ options: [] });
    const whole = lines(20_000);
    const results = [
      await proxy.ask('tools/call', { name: 'never-listed' }, text(whole)),
      await proxy.ask('resources/read', { uri: 'a:b' }, { contents: [{ uri: 'a:b', text: whole }] }),
      await proxy.ask(
        'prompts/get',
        { name: 'p' },
        { messages: [{ role: 'user', content: { type: 'text', text: whole } }] },
      ),
    ];
    for (const { message } of results) {
      expect(size(message.result)).toBeLessThanOrEqual(100_000);
      expect(factsOf(message.result).left.chars).toBeGreaterThan(0);
    }
    expect(results[1]?.message.result.contents[0].uri).toBe('a:b');
    expect(results[2]?.message.result.messages[0].role).toBe('user');
  });

  test('is what the strongest setting says', async () => {
    // anthropics/claude-code 31674, openai/codex 5913, aaif-goose/goose 6939
    const sizeWith = async (options: readonly string[], env: Record<string, string>, client = 'someone') => {
      const proxy = await opened({ options, env, client });
      return size((await proxy.call(text('word '.repeat(60_000)))).message.result);
    };
    const env = { PLIMSOLL_MAX_RESULT_CHARS: '6000' };
    const near = (limit: number, is: number) => {
      expect(is).toBeLessThanOrEqual(limit);
      expect(is).toBeGreaterThan(limit * 0.8);
    };
    near(2000, await sizeWith(['--limit', '4000', '--tool', 'tool=2000'], env, 'Cline'));
    near(4000, await sizeWith(['--limit', '4000', '--tool', 'other=2000'], env, 'Cline'));
    near(6000, await sizeWith([], env, 'Cline'));
    near(6000, await sizeWith([], { GPTME_MCP_MAX_OUTPUT_CHARS: '6000' }));
    near(6400, await sizeWith([], {}, 'Cline'));
    near(100_000, await sizeWith([], {}));
  });

  test.each(['0', '-1', 'NaN', 'lots'])(
    'is never without bounds: a limit of %s is told of and passed over',
    async (bad) => {
      const proxy = await opened({ options: [], env: { PLIMSOLL_MAX_RESULT_CHARS: bad } });
      const { result } = (await proxy.call(text('word '.repeat(60_000)))).message;
      expect(size(result)).toBeLessThanOrEqual(100_000);
      expect(proxy.stderr()).toContain('PLIMSOLL_MAX_RESULT_CHARS');
    },
  );

  test('is nothing but a pointer, or everything, for the tools of which that is asked', async () => {
    // anthropics/claude-code 45766, 42444
    const options = ['--limit', String(LIMIT), '--tool', 'whole=inline', '--tool', 'file=spool'];
    const proxy = await opened({ options });
    const whole = lines(5000);
    const inline = (await proxy.call(text(whole), { name: 'whole' })).message.result;
    expect(inline).toEqual(text(whole));
    const small = (await proxy.call(text('only a few words '.repeat(100)), { name: 'file' })).message.result;
    expect(size(small)).toBeLessThan(1700);
    expect(factsOf(small).handle).toBeTruthy();
  });

  test('has data once where both carriers say the same', async () => {
    // neomjs/neo 16833, MoonshotAI/kimi-code 3234, QwenPaw 6958, copilot-intellij 2058
    const proxy = await opened();
    const structuredContent = JSON.parse(records(5000));
    const { result } = (await proxy.call({ ...text(records(5000)), structuredContent })).message;
    expect(size(result)).toBeLessThanOrEqual(LIMIT);
    const ids = (data: Json) => data.items.map((item: Json) => item.id ?? 'gap');
    expect(ids(JSON.parse(result.content[0].text))).toEqual(ids(result.structuredContent));
    const large = files(spoolOf(proxy)).filter(
      (path) => statSync(path).size > 100_000 && !path.includes('.view.') && !path.endsWith('.map.tsv'),
    );
    expect(large).toHaveLength(1);
  });
});

describe('media', () => {
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    Buffer.from(Array.from({ length: 300_000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 24)),
  ]);
  const image = { type: 'image', data: png.toString('base64'), mimeType: 'image/png' };

  test('are never cut, nor put into words, nor counted as words', async () => {
    // google-gemini/gemini-cli 17923, HKUDS/nanobot 4542
    const proxy = await opened({ options: ['--limit', '20000'] });
    const { result } = (await proxy.call({ content: [image, ...text(lines(5000)).content] })).message;
    expect(result.content[0]).toEqual(image);
    expect(result.content[1].text).toContain('line 5000 ');
  });

  test('give way to a link to the file when they are too large', async () => {
    const proxy = await opened({ options: ['--limit', '5000'] });
    const { result } = (await proxy.call({ content: [image] })).message;
    expect(size(result)).toBeLessThanOrEqual(5000);
    const file = files(spoolOf(proxy)).find((path) => path.endsWith('.png')) ?? '';
    expect(readFileSync(file).equals(png)).toBe(true);
    expect(JSON.stringify(result)).toContain('image/png');
    expect(factsOf(result).left.bytes).toBeGreaterThanOrEqual(png.length);
  });

  test('within data are replaced whole', async () => {
    // anthropics/claude-code 70280, 31208, 9152
    const proxy = await opened();
    const structuredContent = { screenshot: image.data, title: 'Home' };
    const { result } = (await proxy.call({ content: [image], structuredContent })).message;
    expect(size(result)).toBeLessThanOrEqual(LIMIT);
    expect(result.structuredContent.title).toBe('Home');
    expect(result.structuredContent.screenshot).not.toContain(image.data.slice(0, 40));
    expect(readFileSync(partFile(proxy, '1.png')).equals(png)).toBe(true);
  });
});

describe('text', () => {
  test.each(['😀', 'e\u0301', '👩‍👩‍👧', '\r\n', '한'])(
    'made of %j is not cut within a character',
    async (character) => {
      // anthropics/claude-code 56064, elizaOS/eliza 23686, esengine/DeepSeek-Reasonix 1970
      const proxy = await opened();
      for (const shift of ['', 'a', 'ab']) {
        const whole = shift + character.repeat(20_000);
        const { result } = (await proxy.call({ ...text(whole), isError: true })).message;
        const cut: string = result.content[0].text;
        expect(cut.isWellFormed()).toBe(true);
        const [{ from, to }] = factsOf(result).gaps;
        expect((from - shift.length) % character.length).toBe(0);
        expect((to - shift.length) % character.length).toBe(0);
      }
    },
  );

  test('in several blocks reaches clients that show only one', async () => {
    // gptme (its SDK calls itself 'mcp'): only the first text block of a result is returned
    const proxy = await opened({ options: [], client: 'mcp' });
    const content = ['first', 'second', 'third'].map((words) => ({ type: 'text', text: words }));
    const { result } = (await proxy.call({ content })).message;
    for (const words of ['first', 'second', 'third']) expect(result.content[0].text).toContain(words);
    const plain = await opened({ options: [] });
    expect((await plain.call({ content })).message.result).toEqual({ content });
  });
});

const BIG = [process.execPath, resolve('test/servers/mcp-big.mjs')];
const MB = 1_000_000;

/** A raw client of the server of large results, with its spool in `folder`. */
async function large(folder: string, command: readonly string[] = wrapCommand([], BIG)) {
  const { child } = run(command, { env: environment(folder) });
  const client = new Line(child.stdout as Readable, child.stdin as Writable);
  let id = 0;
  const request = async (method: string, params: Json): Promise<Json> => {
    id += 1;
    client.send({ jsonrpc: '2.0', id, method, params });
    return (await client.answer(id)).message.result;
  };
  const clientInfo = { name: 'someone', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = (name: string, args: Json = {}) => request('tools/call', { name, arguments: args });
  return { child, call, request };
}

const largestIn = (folder: string) =>
  Math.max(0, ...files(folder).map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0));

describe('the spool', () => {
  test('has nothing of a result whose proxy was killed while it was being kept', async () => {
    const folder = temporaryFolder();
    const killed = await large(folder);
    void killed.call('lines', { bytes: 256 * MB }).catch(() => {});
    await expect.poll(() => largestIn(folder), { timeout: 20_000, interval: 5 }).toBeGreaterThan(MB);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const { call } = await large(folder);
    const listed = await call('plimsoll_list');
    expect(JSON.stringify(listed)).not.toMatch(/[a-z2-7]{16,}/);
    await call('lines', { bytes: MB / 5 });
    expect(largestIn(folder)).toBeLessThan(MB);
  });

  test('is shared by two proxies, each of which reads back its own', async () => {
    const folder = temporaryFolder();
    const proxies = [await large(folder), await large(folder)];
    await Promise.all(
      proxies.map(async ({ call }) => {
        const results = await Promise.all([1, 2, 3].map((i) => call('lines', { bytes: i * MB })));
        for (const [i, result] of results.entries()) {
          const { handle } = factsOf(result);
          const page = await call('plimsoll_read', {
            handle,
            part: '1',
            unit: 'lines',
            from: (i + 1) * 10_000,
          });
          expect(page.content[0].text).toContain(`line ${(i + 1) * 10_000 - 1} `);
        }
      }),
    );
  });

  test('has a result once, though two proxies stand one behind the other; it is read back through both', async () => {
    const folder = temporaryFolder();
    const twice = wrapCommand(['--limit', '5000'], wrapCommand(['--limit', '5000'], BIG));
    const { call, request } = await large(folder, twice);
    const { tools } = await request('tools/list', {});
    expect(tools.filter(({ name }: Json) => name.startsWith('plimsoll_read'))).toHaveLength(2);
    const result = await call('lines', { bytes: MB });
    expect(size(result)).toBeLessThanOrEqual(5000);
    expect(result.content[0].text.match(/Read on:/g)).toHaveLength(1);
    expect(files(folder).filter((path) => path.endsWith(`${sep}1.txt`))).toHaveLength(1);
    const { name, args } = callIn(result.content[0].text.split('Read on: ')[1]);
    const page = await call(name, args);
    expect(page.content[0].text).toContain(`line ${args.from / 100} `);
    expect(size(page)).toBeLessThanOrEqual(5000);
  });

  test('that can take no more does not keep a result from being bounded', async () => {
    const folder = temporaryFolder();
    const command = wrapCommand([], BIG).map((word) => `'${word}'`);
    // No file may be larger than 4 MB; a full disk says so in the same place.
    const { call } = await large(folder, ['bash', '-c', `ulimit -f 4096; exec ${command.join(' ')}`]);
    const result = await call('lines', { bytes: 20 * MB });
    expect(size(result)).toBeLessThanOrEqual(100_000);
    expect(factsOf(result).notKept).toBeTruthy();
    expect(result.content[0].text).toContain('not kept');
    expect(largestIn(folder)).toBeLessThan(MB);
    expect(factsOf(await call('lines', { bytes: MB })).handle).toBeTruthy();
  });
});

describe('the connection', () => {
  test('is not held up by standard error that nobody reads', async () => {
    // tbxark/mcp-proxy PR 80, modelcontextprotocol/python-sdk PR 2070 (547)
    const noisy = `
      const { writeSync } = require('node:fs');
      for (let i = 0; i < 200; i++) writeSync(2, 'noise '.repeat(10_000) + '\\n');
      process.stdin.on('data', () => writeSync(1, '{"jsonrpc":"2.0","id":1,"result":{}}\\n'));
    `;
    const [program = '', ...args] = wrapCommand([], [process.execPath, '-e', noisy]);
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment(temporaryFolder()),
    });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const client = new Line(child.stdout as Readable, child.stdin as Writable);
    client.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await client.answer(1)).message.result).toEqual({});
  });

  test.each([
    { sdk: 'SDK v1', connect: connectV1 },
    { sdk: 'SDK v2', connect: connectV2 },
  ])('over HTTP is open for a question while a call runs ($sdk)', async ({ connect }) => {
    // wso2/api-platform 2968
    const command = [process.execPath, MAIN, 'wrap', '--http', '0', '--', ...REFERENCE];
    const { child } = run(command, { env: environment(temporaryFolder()) });
    let url = '';
    const printed = createInterface(child.stderr as Readable);
    while (!url) {
      const [line] = await once(printed, 'line');
      url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    }
    const client = await connect({ url });
    const result = await client.callTool('test_elicitation', { message: 'Who?' });
    expect(result.content[0].text).toContain('"name":"Ada"');
    expect(client.events.map(({ method }) => method)).toContain('elicitation/create');
  });
});
