import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** GNU time, which reports the processor time and the peak memory of the command that it runs. */
const GNU_TIME = '/usr/bin/time';

/** The project's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Scratch for benchmarks; git ignores it. */
export const work = join(root, 'bench/scratch');

/** The built command. */
export const plimsoll = join(root, 'dist/cli/main.js');

/**
 * Runs a command once, its standard output going into a file. Throws if the command fails.
 *
 * `ms` is the wall time from before the spawn to after the exit; GNU time, which tells the rest, adds about a
 * millisecond to it. `cpuMs` is the processor time of the command and its children, in steps of 10 ms. `peakKb`
 * is the largest resident set that any single process of the command's tree reached, in KiB (`ru_maxrss` of the
 * processes waited for). With `bare: true` the command runs without GNU time, and both are 0.
 */
export function run({ command, cwd, env = {}, stdoutFile = '/dev/null', bare = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const report = join(folder, 'time');
  const errors = join(folder, 'stderr');
  const out = openSync(stdoutFile, 'w');
  const err = openSync(errors, 'w');
  try {
    const options = { cwd, env: { ...process.env, ...env }, stdio: ['ignore', out, err] };
    const line = bare ? command : [GNU_TIME, '-q', '-f', '%U %S %M', '-o', report, ...command];
    const start = process.hrtime.bigint();
    const result = spawnSync(line[0], line.slice(1), options);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (result.error) throw result.error;
    if (result.status !== 0) {
      throw new Error(`exit ${result.status}: ${command.join(' ')}\n${readFileSync(errors, 'utf8')}`);
    }
    if (bare) return { ms, cpuMs: 0, peakKb: 0 };
    const [user, system, peakKb] = readFileSync(report, 'utf8').split(' ').map(Number);
    return { ms, cpuMs: (user + system) * 1000, peakKb };
  } finally {
    closeSync(out);
    closeSync(err);
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs contenders in turn, one run of each a round, so that what disturbs the machine disturbs all alike.
 * The first `warmups` rounds are not counted. A contender is `{ name, command, … }` as `run` takes it, with
 * an optional `before` that prepares each run. Returns the runs of each, by name.
 */
export function interleave(contenders, { runs, warmups = 1 }) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -warmups; round < runs; round++) {
    for (const contender of contenders) {
      contender.before?.();
      const result = run(contender);
      if (round >= 0) results.get(contender.name).push(result);
    }
    process.stderr.write(`\r${round < 0 ? 'warm-up' : `round ${round + 1} of ${runs}`}   `);
  }
  process.stderr.write('\n');
  return results;
}
