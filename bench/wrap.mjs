// `plimsoll wrap` beside a direct connection, supergateway and mcp-proxy: `node bench/wrap.mjs [SHARE]`.
// SHARE makes all of it shorter: 0.1 takes a tenth of the calls. Prints Markdown; exits with 1 where a bar is missed.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bars, count, mb, median, ms, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { descriptors, openSession, overHttp, overStdio, residentKb } from './lib/mcp.mjs';
import { plimsoll, root } from './lib/run.mjs';
import { gatewayVersions, mcpProxy, supergateway } from './peers/peers.mjs';

const share = Number(process.argv[2] ?? 1);
const few = (number) => Math.max(2, Math.ceil(number * share));

const ROUNDS = few(10);
const CALLS_A_ROUND = few(1000);
const WARM_UP = few(500);
const AT_ONCE = 8;
const LONG_RUN = few(10_000);
/** The engine's heap takes so many calls to grow to the size at which it stays. */
const SETTLED = few(20_000);
const SAMPLES = 10;
const LARGE = 8_000_000;
const LARGE_CALLS = 5;
const HUGE = 64_000_000;
const HUGE_CALLS = few(5);

const MOST_ADDED_MS = 0.3;
const MOST_HELD_UP_MS = 50;
/** What may be added from one sample of the long run to the next, in KiB: noise of the collector, but no leak. */
const MOST_GROWTH_KB = 256;

const node = process.execPath;
const server = join(root, 'test/servers/mcp-big.mjs');
const folder = mkdtempSync(join(tmpdir(), 'bench-wrap-'));
const env = { PLIMSOLL_DATA_DIR: folder };
const wrap = (...options) => [node, plimsoll, 'wrap', ...options, '--', node, server];

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  return port;
}

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

/** The milliseconds of each of so many calls, one after another. */
async function latencies(client, calls, tool = 'small', args = {}) {
  const times = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    await client.call(tool, args);
    times.push(performance.now() - start);
  }
  return times;
}

/** So many calls in flight at any time; gives calls a second. */
async function throughput(client, calls) {
  const start = performance.now();
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await client.call('small');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (calls * 1000) / (performance.now() - start);
}

/** Runs contenders in turn, so that what disturbs the machine disturbs all alike. */
async function inTurn(contenders) {
  const open = [];
  for (const { name, connect } of contenders) {
    const client = await connect();
    await latencies(client, WARM_UP);
    open.push({ name, client, times: [], rates: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { client, times, rates } of open) {
      times.push(...(await latencies(client, CALLS_A_ROUND)));
      rates.push(await throughput(client, CALLS_A_ROUND));
    }
    process.stderr.write(`\rround ${round + 1} of ${ROUNDS}   `);
  }
  process.stderr.write('\n');
  for (const one of open) {
    one.afterSmall = residentKb(one.client.pid, server);
    await latencies(one.client, LARGE_CALLS, 'lines', { bytes: LARGE });
    one.afterLarge = residentKb(one.client.pid, server);
    await one.client.close();
  }
  return open;
}

const verdicts = bars();
const setting = machine();
const versions = gatewayVersions();
const fine = (value) => `${value.toFixed(3)} ms`;
const rowOf = ({ name, times, rates, afterSmall, afterLarge }) => [
  name,
  fine(median(times)),
  fine(percentile(times, 0.99)),
  count(Math.round(median(rates))),
  afterSmall ? mb(afterSmall) : '',
  afterLarge ? mb(afterLarge) : '',
];
const head = [
  '',
  'median',
  '99%',
  `calls a second, ${AT_ONCE} at once`,
  'memory',
  `after ${mb(LARGE / 1024)} results`,
];

async function stdio() {
  const [direct, proxied] = await inTurn([
    { name: 'direct', connect: () => overStdio([node, server]) },
    { name: 'Plimsoll', connect: () => overStdio(wrap(), { env }) },
  ]);
  const added = median(proxied.times) - median(direct.times);
  verdicts.atMost('stdio: added to the median of a small call', added, MOST_ADDED_MS, ' ms');
  return table(head, [direct, proxied].map(rowOf));
}

async function http() {
  const [superPort, proxyPort] = [await freePort(), await freePort()];
  const [own, ...peers] = await inTurn([
    { name: 'Plimsoll', connect: () => overHttp(wrap('--http', '0'), { env }) },
    {
      name: `supergateway ${versions.supergateway}`,
      connect: () =>
        overHttp(
          [
            ...[
              node,
              supergateway,
              '--stdio',
              `'${node}' '${server}'`,
              '--outputTransport',
              'streamableHttp',
            ],
            ...['--stateful', '--logLevel', 'none', '--port', String(superPort)],
          ],
          { url: `http://127.0.0.1:${superPort}/mcp` },
        ),
    },
    {
      name: `mcp-proxy ${versions.mcpProxy}`,
      connect: () =>
        overHttp(
          [
            node,
            mcpProxy,
            '--server',
            'stream',
            '--host',
            '127.0.0.1',
            '--port',
            String(proxyPort),
            '--',
            node,
            server,
          ],
          { url: `http://127.0.0.1:${proxyPort}/mcp` },
        ),
    },
  ]);
  for (const peer of peers) {
    const name = peer.name.split(' ')[0];
    verdicts.atMost(`HTTP: median, share of ${name}`, median(own.times) / median(peer.times), 1);
    verdicts.atMost(`HTTP: memory, share of ${name}`, own.afterSmall / peer.afterSmall, 1);
    verdicts.atMost(
      `HTTP: memory after large results, share of ${name}`,
      own.afterLarge / peer.afterLarge,
      1,
    );
  }
  return table(head, [own, ...peers].map(rowOf));
}

async function longRun() {
  const client = await overStdio(wrap(), { env });
  await latencies(client, SETTLED);
  const files = descriptors(client.pid);
  const samples = [];
  for (let i = 0; i < SAMPLES; i++) {
    await latencies(client, LONG_RUN / SAMPLES);
    samples.push(residentKb(client.pid, server));
  }
  verdicts.atMost(
    'long run: growth from sample to sample',
    slope(samples) / 1024,
    MOST_GROWTH_KB / 1024,
    ' MiB',
  );
  verdicts.atMost('long run: descriptors more', descriptors(client.pid) - files, 0);
  verdicts.atMost(
    'long run: warnings of listeners',
    (client.errors().match(/MaxListeners/g) ?? []).length,
    0,
  );
  await client.close();
  return `Memory after each ${count(LONG_RUN / SAMPLES)} of ${count(LONG_RUN)} calls, after ${count(SETTLED)}: ${samples.map(mb).join(', ')}.`;
}

/** How much each value is more than the one before, by least squares. */
function slope(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const up = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return up / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

/**
 * Small calls of one session while the server of another sends large results. Over stdio a small answer stands behind
 * a large one in the server's own output, so that only sessions can be apart.
 */
async function heldUp() {
  const client = await overHttp(wrap('--http', '0'), { env });
  const other = await openSession(client.address);
  await latencies(other, WARM_UP);
  let running = true;
  const large = latencies(client, HUGE_CALLS, 'lines', { bytes: HUGE }).finally(() => {
    running = false;
  });
  const small = [];
  while (running) small.push(...(await latencies(other, 1)));
  const huge = await large;
  await client.close();
  const held = percentile(small, 0.99);
  verdicts.atMost('99% of small calls while large results pass', held, MOST_HELD_UP_MS, ' ms');
  return `${huge.length} results of ${mb(HUGE / 1024)} took ${ms(median(huge))} each (median) in one session; of ${count(small.length)} small calls in another meanwhile the median took ${fine(median(small))}, and 99% at most ${fine(held)}.`;
}

try {
  console.log(`## \`plimsoll wrap\`

${setting}
- the server is \`test/servers/mcp-big.mjs\`, the clients \`bench/lib/mcp.mjs\`
- ${ROUNDS} rounds of ${count(CALLS_A_ROUND)} small calls one after another and as many ${AT_ONCE} at once, after ${count(WARM_UP)}, in turn
- memory is the resident set of the proxy and what it starts, without the server

Over stdio:

${await stdio()}

Over HTTP, the server behind it on stdio:

${await http()}

${await longRun()}

${await heldUp()}

${verdicts.table()}`);
  process.exitCode = verdicts.kept() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
