// `plimsoll serve` over HTTP with 200 calls at once, mixed tools, half of them cancelled in a second round:
// `node bench/serve-load.mjs [SECONDS]`. Prints Markdown; exits with 1 where a bar is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bars, count, mb, median, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { descriptors, overHttp, residentKb } from './lib/mcp.mjs';
import { plimsoll, root } from './lib/run.mjs';

const seconds = Number(process.argv[2] ?? 60);
const AT_ONCE = 200;
const CLIENTS = 8;
const WARMUP_S = 20;
/** Longer than clients keep connections that they don't use: as long as the server offers, 65 s. */
const REST_MS = 70_000;
const FACTS = 500;

const data = mkdtempSync(join(tmpdir(), 'bench-serve-'));
const command = [process.execPath, plimsoll, 'serve', '--http', '0', '--root', root];
const server = await overHttp(command, { env: { PLIMSOLL_DATA_DIR: data } });
const clients = await Promise.all(
  Array.from({ length: CLIENTS }, async (_, i) => {
    const mode = i % 2 === 0 ? 'legacy' : { pin: '2026-07-28' };
    const client = new Client({ name: `load-${i}`, version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.address)));
    return client;
  }),
);

/** Calls whose answers are known: a tool, its arguments, what must stand in the answer. */
const CALLS = [
  (i) => ['update_context', { key: `load.k${i % FACTS}`, value: `value ${i % FACTS}` }, `k${i % FACTS}`],
  (i) => ['read_context', { prefix: `load.k${i % FACTS}` }, `value ${i % FACTS}`],
  (i) => ['search_context', { query: `k${i % FACTS}` }, `k${i % FACTS}`],
  () => ['read_diary', { last_n: 1 }, 'not instructions'],
  () => ['read_repo_file', { repo: root, path: 'LICENSE' }, 'Permission is hereby granted'],
  () => ['list_repo', { repo: root, path: 'bench' }, 'all.mjs'],
  () => ['search_repo', { repo: root, pattern: 'AT_ONCE', path: 'bench' }, 'serve-load.mjs'],
  () => ['digest_folder', { path: join(root, 'bench/lib'), budget: '8000' }, 'figures.mjs'],
  () => ['read_context', { prefix: {} }, 'has to be a text'],
];

/** Keeps so many calls going for a time; with `cancels`, every second one is given up after a moment. */
async function load(forMs, cancels) {
  const end = performance.now() + forMs;
  const tally = { calls: 0, cancelled: 0, wrong: [], times: [] };
  let next = 0;
  async function worker(client) {
    while (performance.now() < end) {
      const i = next++;
      const [name, args, expected] = CALLS[i % CALLS.length](i);
      const controller = new AbortController();
      const timer =
        cancels && Math.random() < 0.5
          ? setTimeout(() => controller.abort('enough'), Math.random() * 50)
          : undefined;
      const from = performance.now();
      try {
        const { content } = await client.callTool({ name, arguments: args }, { signal: controller.signal });
        tally.calls += 1;
        tally.times.push(performance.now() - from);
        if (!content[0].text.includes(expected))
          tally.wrong.push(`${name}: ${content[0].text.slice(0, 200)}`);
      } catch (error) {
        if (controller.signal.aborted) tally.cancelled += 1;
        else tally.wrong.push(`${name}: ${error.message}`);
      } finally {
        clearTimeout(timer);
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => worker(clients[i % CLIENTS])));
  return tally;
}

/** The resident memory and the open files, once all is quiet. */
async function atRest() {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return { kb: residentKb(server.pid), files: descriptors(server.pid) };
}

const setting = machine();
for (let i = 0; i < FACTS; i++) {
  const args = { key: `load.k${i}`, value: `value ${i}` };
  await clients[0].callTool({ name: 'update_context', arguments: args });
}
await load(WARMUP_S * 1000, true);
const rounds = [{ name: 'before', rest: await atRest() }];
for (const cancels of [false, true]) {
  const tally = await load(seconds * 1000, cancels);
  rounds.push({ name: cancels ? 'half cancelled' : 'all answered', tally, rest: await atRest() });
}
await Promise.all(clients.map((client) => client.close()));
await server.close();
rmSync(data, { recursive: true });

const [before, answered, cancelled] = rounds;
const wrong = rounds.flatMap(({ tally }) => tally?.wrong ?? []);
for (const line of wrong.slice(0, 10)) process.stderr.write(`${line}\n`);
const rows = rounds.map(({ name, tally, rest }) => [
  name,
  tally ? count(tally.calls) : '',
  tally ? count(tally.cancelled) : '',
  tally ? `${Math.round(median(tally.times))} ms` : '',
  mb(rest.kb),
  String(rest.files),
]);
const verdicts = bars();
verdicts.atMost('calls that failed or were answered wrongly', wrong.length, 0);
verdicts.atMost('memory after both rounds, times that before', cancelled.rest.kb / before.rest.kb, 1.25);
verdicts.atMost(
  'memory after the second, times that after the first',
  cancelled.rest.kb / answered.rest.kb,
  1.15,
);
verdicts.atMost(
  'open files more than before',
  Math.max(0, cancelled.rest.files - before.rest.files),
  CLIENTS,
);

console.log(`## The server under load

${setting}
- ${AT_ONCE} calls at once by ${CLIENTS} clients of both eras over HTTP, ${seconds} s each round, after ${WARMUP_S} s of warm-up

${table(['', 'answered', 'cancelled', 'median', 'memory at rest', 'open files'], rows)}

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
