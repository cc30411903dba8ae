// `plimsoll serve` beside a server that the SDK alone makes: `node bench/serve.mjs [RUNS]`.
// Prints Markdown; exits with 1 where a bar is missed.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bars, mb, median, ms, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { residentKb, start } from './lib/mcp.mjs';
import { plimsoll } from './lib/run.mjs';

const runs = Number(process.argv[2] ?? 30);
const WARMUPS = 3;
const REST_MS = 3000;

const data = mkdtempSync(join(tmpdir(), 'bench-serve-'));
const node = process.execPath;
const servers = [
  {
    name: 'a bare SDK server',
    command: [node, fileURLToPath(new URL('peers/bare-server.mjs', import.meta.url))],
  },
  { name: '`plimsoll serve`', command: [node, plimsoll, 'serve'] },
];
const clientInfo = { name: 'bench', version: '1' };
const requests = [
  {
    name: '`initialize`',
    message: {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    },
  },
  {
    name: '`server/discover`',
    message: {
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  },
];

/** Starts a server with a request waiting, and gives how long its answer took and the memory it then rests at. */
async function firstAnswer(command, message, restMs) {
  const from = performance.now();
  const server = start(command, { env: { PLIMSOLL_DATA_DIR: data } });
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
  const [chunk] = await once(server.child.stdout, 'data');
  const took = performance.now() - from;
  if (!('result' in JSON.parse(String(chunk)))) throw new Error(`No answer: ${chunk}`);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const kb = residentKb(server.pid);
  await server.close();
  return { took, kb };
}

const setting = machine();
const verdicts = bars();
const rows = [];
for (const { name: request, message } of requests) {
  const times = servers.map(() => []);
  for (let round = -WARMUPS; round < runs; round++) {
    for (const [i, { command }] of servers.entries()) {
      const { took } = await firstAnswer(command, message, 0);
      if (round >= 0) times[i].push(took);
    }
  }
  const [bare, own] = times.map(median);
  for (const [i, { name }] of servers.entries()) {
    rows.push([
      request,
      name,
      ms(median(times[i])),
      ms(Math.min(...times[i])),
      `${(median(times[i]) / bare).toFixed(2)}x`,
    ]);
  }
  verdicts.atMost(`first answer to ${request}, times a bare SDK server's`, own / bare, 1.5);
}
const rest = [];
for (const { name, command } of servers) {
  const { kb } = await firstAnswer(command, requests[0].message, REST_MS);
  rest.push([name, mb(kb)]);
  if (name !== servers[0].name) verdicts.atMost('memory at rest, MB', (kb * 1024) / 1e6, 80);
}
rmSync(data, { recursive: true });

console.log(`## The server

${setting}
- ${runs} runs of each after ${WARMUPS} warm-ups, in turn; from the start of the process to its first answer

${table(['request', '', 'median', 'least', 'ratio'], rows)}

Resident memory ${REST_MS / 1000} s after the answer:

${table(['', 'at rest'], rest)}

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
