// Plimsoll beside repomix's default run, on one checkout: `node bench/speed.mjs CHECKOUT [RUNS]`.
// The checkout may also be named by PLIMSOLL_BENCH_CHECKOUT. Prints Markdown; exits with 1 where a bar is missed.
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bars, count, cpu, mb, ms, summary, table } from './lib/figures.mjs';
import { commitOf, machine, trackedIn } from './lib/machine.mjs';
import { interleave, plimsoll, work } from './lib/run.mjs';
import { treePeakKb } from './lib/tree.mjs';
import { node22, repomix, repomixVersion } from './peers/peers.mjs';

const TREE_RUNS = 3;

const checkout = process.argv[2] ?? process.env.PLIMSOLL_BENCH_CHECKOUT;
const runs = Number(process.argv[3] ?? 10);
if (!checkout || !existsSync(checkout)) {
  throw new Error('Name a checkout: `node bench/speed.mjs CHECKOUT [RUNS]`, or set PLIMSOLL_BENCH_CHECKOUT.');
}
const version = repomixVersion();
const path = resolve(checkout);

/** An empty folder of the given name, to run in: repomix reads its settings from the current folder. */
function emptyFolder(name) {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** repomix keeps its counts of tokens in the temporary folder; each contender gets one of its own. */
function repomixRun(name, folder, emptied) {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return {
    name,
    cwd: folder,
    command: [node22, repomix, path, '-o', join(folder, 'out.xml')],
    env: { TMPDIR: temporary },
    before: () => emptied && rmSync(join(temporary, 'repomix'), { recursive: true, force: true }),
    output: join(folder, 'out.xml'),
  };
}

/** Plimsoll keeps what it found out about files in a cache; each contender gets one of its own. */
function plimsollRun(name, folder, { node = process.execPath, options = [], emptied = true } = {}) {
  const output = join(folder, 'digest.md');
  const cache = join(folder, 'cache');
  return {
    name,
    cwd: folder,
    command: [node, plimsoll, 'digest', path, ...options],
    env: { PLIMSOLL_CACHE_DIR: cache },
    before: () => emptied && rmSync(cache, { recursive: true, force: true }),
    stdoutFile: output,
    output,
  };
}

const contenders = [
  plimsollRun('Plimsoll, cold', emptyFolder('speed-plimsoll')),
  plimsollRun('Plimsoll, warm', emptyFolder('speed-plimsoll-warm'), { emptied: false }),
  plimsollRun('Plimsoll, --no-graph, cold', emptyFolder('speed-plimsoll-no-graph'), {
    options: ['--no-graph'],
  }),
  plimsollRun("Plimsoll, cold, on repomix's Node", emptyFolder('speed-plimsoll-22'), { node: node22 }),
  repomixRun('repomix, its cache warm', emptyFolder('speed-repomix-warm'), false),
  repomixRun('repomix, its cache emptied', emptyFolder('speed-repomix-cold'), true),
];
const setting = machine([node22]);
const results = interleave(contenders, { runs });
const own = summary(results.get(contenders[0].name));
const warm = summary(results.get(contenders[1].name));
const withoutGraph = summary(results.get(contenders[2].name));
const verdicts = bars();
const rows = [];
for (const contender of contenders) {
  const figures = summary(results.get(contender.name));
  const tree = [];
  for (let i = 0; i < TREE_RUNS; i++) {
    contender.before?.();
    tree.push(await treePeakKb(contender));
  }
  rows.push([
    contender.name,
    ms(figures.ms),
    ms(figures.minMs),
    `${(figures.ms / own.ms).toFixed(1)}x`,
    cpu(figures.cpuMs),
    mb(figures.kb),
    `${(figures.kb / own.kb).toFixed(1)}x`,
    mb(Math.max(...tree)),
    count(statSync(contender.output).size),
  ]);
  if (contender.name.startsWith('repomix')) {
    verdicts.atMost(`wall time, cold, share of ${contender.name}`, own.ms / figures.ms, 1);
    verdicts.atMost(`wall time, warm, share of ${contender.name}`, warm.ms / figures.ms, 1 / 5);
    verdicts.atMost(
      `wall time of --no-graph, cold, share of ${contender.name}`,
      withoutGraph.ms / figures.ms,
      1 / 5,
    );
    verdicts.atMost(`peak memory, cold, share of ${contender.name}`, own.kb / figures.kb, 1 / 3);
  }
}

console.log(`## Beside repomix

${setting}
- repository: \`${path.split('/').at(-1)}\` at \`${commitOf(path)}\`, ${count(trackedIn(path))} tracked files
- repomix ${version}: \`node repomix.cjs CHECKOUT -o FILE\`, all else as it comes, on the later Node
- Plimsoll: \`node dist/cli/main.js digest CHECKOUT >FILE\`; cold is without anything in its cache, warm with what the run before kept
- ${runs} runs of each after a warm-up, in turn; the files of the checkout are in the page cache

${table(['', 'wall, median', 'least', 'ratio', 'CPU time', 'peak memory', 'ratio', 'whole tree', 'output, bytes'], rows)}

CPU time is that of all processes, median. Peak memory is the largest resident set of any one process of the
command's tree (GNU time's \`%M\`, median of the runs). "Whole tree" is the largest sum over all its processes,
sampled every 5 ms in ${TREE_RUNS} runs of their own; pages that processes share count for each. repomix keeps its counts
of tokens in a cache in the temporary folder; the last row empties it before every run, but leaves Node's cache of
its compiled code.

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
