import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { connectV1, connectV2 } from './servers/mcp-clients.ts';
import { environment, type Json, Line, run, temporaryFolder, wrapCommand } from './wrapped.ts';

const BIG = [process.execPath, resolve('test/servers/mcp-big.mjs')];
const LIMIT = 100_000;
const MB = 1_000_000;
const MIB = 1024 * 1024;
/** What the proxy may take for texts and files above what it takes when it is idle, whatever their size. */
const MOST_ABOVE_IDLE = 96 * MIB;
/** So many times its size may structured content take. */
const MOST_OF_STRUCTURED = 4;
/** V8's heap is not given back at once; a proxy that has just started has not grown it yet. */
const WARM_UP_CALLS = 50;

/** A figure of a process's memory, in bytes (proc_pid_status(5)). */
function memory(pid: number | undefined, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${figure}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024;
}

/** The files of the spool, largest first. */
function spooled(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort((a, b) => statSync(b).size - statSync(a).size);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Calls a tool of the large server through the proxy. */
async function call(tool: string, bytes: number) {
  const folder = temporaryFolder();
  const { child } = run(wrapCommand(['--limit', String(LIMIT)], BIG), { env: environment(folder) });
  const client = new Line(child.stdout as Readable, child.stdin as Writable);
  let id = 0;
  const request = async (method: string, params: Json) => {
    id += 1;
    client.send({ jsonrpc: '2.0', id, method, params });
    return client.answer(id);
  };
  const clientInfo = { name: 'someone', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await request('tools/list', {});
  for (let i = 0; i < WARM_UP_CALLS; i++) await request('tools/call', { name: 'small' });

  const idle = memory(child.pid, 'VmRSS');
  const { message } = await request('tools/call', { name: tool, arguments: { bytes } });
  const peak = memory(child.pid, 'VmHWM');
  const { message: told } = await request('tools/call', { name: 'sha256' });
  return {
    result: message.result,
    chars: JSON.stringify(message.result).length,
    aboveIdle: peak - idle,
    sent: JSON.parse(told.result.content[0].text),
    spool: join(folder, 'spool'),
  };
}

for (const tool of ['line', 'lines']) {
  test.each([3, 12, 64, 256])(`a text of %d MB, as ${tool}`, { timeout: 120_000 }, async (size) => {
    const { result, chars, aboveIdle, sent, spool } = await call(tool, size * MB);
    expect(chars).toBeLessThanOrEqual(LIMIT);
    const text: string = result.content[0].text;
    expect(text).toContain('line 0 ');
    expect(text).toContain(`line ${size * 10_000 - 1} `);
    const facts = result._meta['dev.plimsoll/bound'];
    expect(facts.left.chars + shownOf(facts)).toBe(size * MB);
    const exact = spooled(spool).find((path) => path.endsWith('1.txt') && !path.endsWith('.view.txt'));
    expect(await sha256Of(exact ?? '')).toBe(sent.sha256);
    expect(aboveIdle).toBeLessThanOrEqual(MOST_ABOVE_IDLE);
  });
}

/** The characters of the first text that are shown, by its gaps. */
function shownOf({ gaps }: Json): number {
  const own = gaps.filter(({ at }: Json) => at === '/content/0/text');
  return own[0].of - own.reduce((sum: number, gap: Json) => sum + gap.to - gap.from, 0);
}

test('a file of 20 MB as base64', { timeout: 120_000 }, async () => {
  const { result, chars, aboveIdle, sent, spool } = await call('base64', 20 * MB);
  expect(chars).toBeLessThanOrEqual(LIMIT);
  expect(JSON.stringify(result.content[0])).toContain('image/png');
  const file = spooled(spool).find((path) => path.endsWith('.png'));
  expect(await sha256Of(file ?? '')).toBe(sent.sha256);
  expect(aboveIdle).toBeLessThanOrEqual(MOST_ABOVE_IDLE);
});

test('50 MB of structured content', { timeout: 120_000 }, async () => {
  const { result, chars, aboveIdle, sent, spool } = await call('structured', 50 * MB);
  expect(chars).toBeLessThanOrEqual(LIMIT);
  const { records } = result.structuredContent;
  expect(records[0]).toMatchObject({ id: 0, name: 'record 0' });
  const part = spooled(spool).find((path) => path.endsWith('/structured.json'));
  expect(await sha256Of(part ?? '')).toBe(sent.sha256);
  expect(aboveIdle).toBeLessThanOrEqual(MOST_OF_STRUCTURED * sent.bytes);
});

// typescript-sdk 2239, 2245, 2775: a message of more than 10 MiB ends a connection of these clients.
test.each([
  { sdk: 'SDK v1', connect: connectV1 },
  { sdk: 'SDK v2', connect: connectV2 },
])('a client of $sdk stays connected when a server sends 12 MB', async ({ connect }) => {
  const client = await connect({ command: wrapCommand([], BIG), env: environment(temporaryFolder()) });
  const result = await client.callTool('lines', { bytes: 12 * MB });
  expect(result.content[0].text).toContain('line 0 ');
  expect((await client.callTool('small')).content).toEqual([{ type: 'text', text: 'small' }]);
});
