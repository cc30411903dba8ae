// `plimsoll --version` beside a bare Node: `node bench/startup.mjs [RUNS]`.
// Prints Markdown; exits with 1 where the bar is missed.
import { bars, ms, summary, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { interleave, plimsoll } from './lib/run.mjs';

const runs = Number(process.argv[2] ?? 50);
const node = process.execPath;
const contenders = [
  { name: '`node -e 0`', command: [node, '-e', '0'], bare: true },
  { name: '`plimsoll --version`', command: [node, plimsoll, '--version'], bare: true },
  { name: '`plimsoll --help`', command: [node, plimsoll, '--help'], bare: true },
];
const setting = machine();
const results = interleave(contenders, { runs, warmups: 3 });
const bare = summary(results.get(contenders[0].name));
const rows = contenders.map(({ name }) => {
  const figures = summary(results.get(name));
  return [name, ms(figures.ms), ms(figures.minMs), `${(figures.ms / bare.ms).toFixed(2)}x`];
});
const verdicts = bars();
const version = summary(results.get(contenders[1].name));
verdicts.atMost('`plimsoll --version`, times a bare Node', version.ms / bare.ms, 2);

console.log(`## Start-up

${setting}
- ${runs} runs of each after three warm-ups, in turn

${table(['', 'wall, median', 'least', 'ratio'], rows)}

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
