import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recorder } from './record.ts';

const HANDLE = 'abcdefghijklmnop';
const NOW = Date.parse('2026-02-03T04:05:06Z');
const DAY = 24 * 60 * 60 * 1000;

let base: string;
let folder: string;
let logged: string[];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plimsoll-stats-'));
  folder = join(base, 'data', 'stats');
  logged = [];
});

afterEach(() => rmSync(base, { recursive: true }));

function open(place = folder): Recorder {
  return new Recorder({ folder: place, command: 'docs', log: (line) => logged.push(line), now: () => NOW });
}

/** An answer of the size, with the key to what it leaves out. */
function answer(size: number, handle = HANDLE): Buffer {
  const facts = `{"_meta":{"dev.plimsoll/bound":{"handle":"${handle}","left":{}}}}`;
  return Buffer.from(`"${'x'.repeat(size - facts.length - 2)}"${facts}`);
}

function lines(): unknown[] {
  const [name = ''] = readdirSync(folder);
  return readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('calls are written down, a line each, with nothing of their arguments', async () => {
  const recorder = open();
  recorder.answered(
    { method: 'tools/call', name: 'find', arguments: { secret: 's3cr3t' } },
    5000,
    answer(300),
  );
  recorder.answered({ method: 'tools/call', name: 'get' }, 70, undefined);
  recorder.answered({ method: 'tasks/result' }, 80, Buffer.from('joined'));
  recorder.answered({ method: 'resources/read', name: 'file:///secret' }, 90, undefined);
  recorder.read('plimsoll_read', HANDLE, 100);
  recorder.read('plimsoll_list', undefined, 20);
  recorder.read('plimsoll_read', '../../s3cr3t', 10);
  await recorder.close();
  const common = { time: '2026-02-03T04:05:06.000Z', server: 'docs' };
  expect(lines()).toEqual([
    { ...common, tool: 'find', before: 5000, after: 300, handle: HANDLE },
    { ...common, tool: 'get', before: 70, after: 70 },
    { ...common, tool: 'tasks/result', before: 80, after: 6 },
    { ...common, tool: 'resources/read', before: 90, after: 90 },
    { ...common, reader: 'plimsoll_read', after: 100, handle: HANDLE },
    { ...common, reader: 'plimsoll_list', after: 20 },
    { ...common, reader: 'plimsoll_read', after: 10 },
  ]);
  expect(logged).toEqual([]);
});

test('what looks like the facts of a cut within a text is none', async () => {
  const recorder = open();
  const text = JSON.stringify(`"dev.plimsoll/bound":{"handle":"${HANDLE}"`);
  recorder.answered({ method: 'tools/call', name: 'a' }, 500, Buffer.from(text));
  recorder.answered({ method: 'tools/call', name: 'b' }, 500, answer(200, 'NOT-A-HANDLE-XXX'));
  await recorder.close();
  expect(lines()).toEqual([
    expect.not.objectContaining({ handle: expect.anything() }),
    expect.not.objectContaining({ handle: expect.anything() }),
  ]);
});

test('files that are left out are told from text', async () => {
  const recorder = open();
  const answers = [
    '{"handle":"abcdefghijklmnop","limit":{"chars":1000},"left":{"chars":70000,"bytes":52500,"lines":0}}',
    '{"notKept":"it is full","limit":{"chars":1000},"left":{"chars":71000,"bytes":53500,"lines":0}}',
    '{"handle":"abcdefghijklmnop","limit":{"chars":1000},"left":{"chars":5000,"bytes":5200,"lines":9}}',
  ];
  for (const facts of answers) {
    const answer = Buffer.from(`{"_meta":{"dev.plimsoll/bound":${facts}}}`);
    recorder.answered({ method: 'tools/call', name: 'a' }, 99_000, answer);
  }
  await recorder.close();
  expect(lines()).toMatchObject([{ files: 70_000, handle: HANDLE }, { files: 70_000 }, { handle: HANDLE }]);
  expect(lines()[2]).not.toHaveProperty('files');
});

test.each([
  ['mine', 'its own', 'mine'],
  [undefined, 'its own', 'its own'],
  [undefined, undefined, 'npx'],
  [undefined, '', 'npx'],
  [undefined, 5, 'npx'],
])('a server that the user calls %j, and itself %j, is called %j', async (name, own, called) => {
  const recorder = new Recorder({ folder, name, command: 'npx', log: (line) => logged.push(line) });
  recorder.met(own);
  recorder.answered({ method: 'tools/call', name: 'a' }, 1, undefined);
  await recorder.close();
  expect(lines()).toMatchObject([{ server: called }]);
});

test('nobody else can read a record', async () => {
  const recorder = open();
  recorder.answered({ method: 'tools/call', name: 'find' }, 1, undefined);
  await recorder.close();
  const [name = ''] = readdirSync(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('nothing is made before there is something to write', async () => {
  await open().close();
  expect(readdirSync(base)).toEqual([]);
});

test('many calls come to disk before the end', async () => {
  const recorder = open();
  for (let call = 0; call < 1200; call++)
    recorder.answered({ method: 'tools/call', name: 'n' }, 1, undefined);
  await expect.poll(() => lines().length).toBe(1000);
  await recorder.close();
  expect(lines()).toHaveLength(1200);
});

test('a call comes to disk by itself', async () => {
  const recorder = open();
  recorder.answered({ method: 'tools/call', name: 'find' }, 1, undefined);
  await expect.poll(() => readdirSync(base).length > 0 && lines().length, { timeout: 5000 }).toBe(1);
  await recorder.close();
});

test('what can not be written is said once, and ends the record', async () => {
  writeFileSync(join(base, 'data'), '');
  const recorder = open();
  for (let call = 0; call < 1200; call++)
    recorder.answered({ method: 'tools/call', name: 'n' }, 1, undefined);
  await recorder.close();
  await recorder.close();
  expect(logged).toEqual([expect.stringMatching(/^calls are not recorded: /)]);
});

test('a record of a session does not grow without end', async () => {
  const recorder = open();
  const name = 'n'.repeat(1000);
  for (let call = 0; call < 50_000; call++) recorder.answered({ method: 'tools/call', name }, 1, undefined);
  await recorder.close();
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(10_000_000);
  expect(logged).toEqual(['calls are not recorded: there have been too many in this session']);
});

test('old records go, and the oldest of too many', async () => {
  const recorder = open();
  recorder.answered({ method: 'tools/call', name: 'n' }, 1, undefined);
  await recorder.close();
  const records = { a: [31, 10], b: [29, 10], c: [3, 6_000_000], d: [2, 6_000_000], e: [-1, 10] } as const;
  const names = new Map<string, string>();
  for (const [letter, [days, size]] of Object.entries(records)) {
    const name = `${letter.repeat(16)}.ndjson`;
    names.set(name, letter);
    writeFileSync(join(folder, name), 'x'.repeat(size));
    const at = new Date(NOW - days * DAY);
    utimesSync(join(folder, name), at, at);
  }
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  utimesSync(join(folder, 'notes.txt'), 0, 0);

  const next = open();
  next.answered({ method: 'tools/call', name: 'n' }, 1, undefined);
  await next.close();
  const left = readdirSync(folder);
  expect(left.flatMap((name) => names.get(name) ?? [])).toEqual(['d', 'e']);
  expect(left).toContain('notes.txt');
});
