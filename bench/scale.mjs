// `plimsoll digest` beside `git status` on repositories of 1,000, 10,000 and 100,000 files, made here:
// `node bench/scale.mjs [RUNS]`. Prints Markdown; exits with 1 where a bar is missed.
import { join } from 'node:path';
import { scaleRepository } from './generate/scale.mjs';
import { bars, count, cpu, mb, ms, summary, table } from './lib/figures.mjs';
import { commitOf, machine } from './lib/machine.mjs';
import { interleave, plimsoll, run, work } from './lib/run.mjs';
import { treePeakKb } from './lib/tree.mjs';

const SIZES = [1000, 10_000, 100_000];
const TIMES_STATUS = 4;
const MOST_MB = 400;

const runs = Number(process.argv[2] ?? 10);
const setting = machine();
const verdicts = bars();
const rows = [];
const commits = [];
const medians = [];
for (const size of SIZES) {
  const folder = join(work, `scale-${size}`);
  process.stderr.write(`${size} files\n`);
  await scaleRepository(folder, size);
  commits.push(`${count(size)} files: \`${commitOf(folder).slice(0, 12)}\``);
  const status = { name: 'status', command: ['git', '-C', folder, 'status'] };
  const digest = { name: 'digest', command: [process.execPath, plimsoll, 'digest', folder] };
  const first = [run(status), run(digest)];
  const results = interleave([status, digest], { runs, warmups: 0 });
  const [statusFigures, digestFigures] = [status, digest].map(({ name }) => summary(results.get(name)));
  const tree = await treePeakKb(digest);
  const ratio = digestFigures.ms / statusFigures.ms;
  medians.push(digestFigures.ms);
  rows.push([
    count(size),
    `${ms(first[0].ms)}, ${ms(statusFigures.ms)}`,
    cpu(statusFigures.cpuMs),
    mb(statusFigures.kb),
    `${ms(first[1].ms)}, ${ms(digestFigures.ms)}`,
    ms(digestFigures.minMs),
    cpu(digestFigures.cpuMs),
    `${ratio.toFixed(2)}x`,
    `${((digestFigures.ms / size) * 1000).toFixed(1)} µs`,
    mb(digestFigures.kb),
    mb(tree),
  ]);
  if (size === SIZES.at(-1)) {
    verdicts.atMost(`wall time at ${count(size)} files, times \`git status\``, ratio, TIMES_STATUS);
    verdicts.atMost(
      `peak memory at ${count(size)} files`,
      (digestFigures.maxKb * 1024) / 1e6,
      MOST_MB,
      ' MB',
    );
  }
}
const slopes = [];
for (let i = 1; i < SIZES.length; i++) {
  const [fewer, more] = [SIZES[i - 1], SIZES[i]];
  const exponent = Math.log(medians[i] / medians[i - 1]) / Math.log(more / fewer);
  const marginal = ((medians[i] - medians[i - 1]) / (more - fewer)) * 1000;
  const step = `from ${count(fewer)} to ${count(more)} files`;
  slopes.push(`- ${step}: each further file adds ${marginal.toFixed(1)} µs`);
  verdicts.atMost(`growth of time ${step}, power of the number of files`, exponent, 1);
}

console.log(`## At scale

${setting}
- repositories made by \`bench/generate/scale.mjs\` (${commits.join(', ')}):
  packages in several languages, about seven files a folder, files of 0 to 20 kB, a commit for every twenty files
- \`git -C REPOSITORY status\` and \`node dist/cli/main.js digest REPOSITORY\`, ${runs} runs of each in turn; the index
  is fresh and the files are in the page cache. "First" is the run before those

${table(
  [
    'files',
    '`git status`: first, median',
    'its CPU time',
    'its peak memory',
    'digest: first, median',
    'least',
    'CPU time',
    'ratio',
    'a file',
    'peak memory',
    'whole tree',
  ],
  rows,
)}

${slopes.join('\n')}

CPU time is that of all processes, median. Peak memory is the largest resident set of any one process of the
command's tree (GNU time's \`%M\`, median; the bar takes the largest of the runs). "Whole tree" is the largest sum
over all its processes, sampled every 5 ms in a run of its own.

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
