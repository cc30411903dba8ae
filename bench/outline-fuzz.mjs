// Outlines of cut and spliced golden files, in one process: `node bench/outline-fuzz.mjs [FILES]`.
// Prints what memory the process holds after a tenth and after all; exits with 1 where a parser broke, a file took
// longer than a worker may, or memory went on growing. Some broken files take longer than a second, the limit.
import { readdirSync, readFileSync } from 'node:fs';
import { Outliner } from '../dist/outline/outliner.js';
import { bars, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';

const count = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 16;
const golden = new URL('../src/digest/outline/languages/golden/', import.meta.url);
const samples = readdirSync(golden)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => ({
    language: name.slice(0, -4),
    text: readFileSync(new URL(encodeURIComponent(name), golden), 'utf8'),
  }));

let state = 1;
/** The next of always the same numbers from 0 on, below a limit. */
function random(limit) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * limit);
}

function sample() {
  const [a, b] = [samples[random(samples.length)], samples[random(samples.length)]];
  const [from, to] = [random(a.text.length), random(a.text.length)].sort((x, y) => x - y);
  const kinds = [
    { ...a, text: a.text.slice(0, from) + a.text.slice(to) },
    { ...a, text: a.text.slice(0, from) + b.text.slice(random(b.text.length)) },
    { ...b, text: a.text.slice(from) + b.text.slice(0, random(b.text.length)) },
  ];
  const { text, language } = kinds[random(kinds.length)];
  // Each tenth is as long as long files are.
  return { language, text: random(10) === 0 ? text.repeat(20) : text };
}

const outliner = new Outliner();
const failures = {};
let done = 0;
let slowest = 0;
let bytes = 0;
const memory = [];
const started = performance.now();
async function run() {
  while (done < count) {
    done++;
    if (done === Math.ceil(count / 10)) memory.push(process.memoryUsage().rss);
    const { text, language } = sample();
    const at = performance.now();
    const result = await outliner.outline(text, language);
    slowest = Math.max(slowest, performance.now() - at);
    bytes += text.length;
    if ('failure' in result)
      failures[`${result.failure} (${language})`] = (failures[`${result.failure} (${language})`] ?? 0) + 1;
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, run));
const seconds = (performance.now() - started) / 1000;
memory.push(process.memoryUsage().rss);
await outliner.close();

const mb = (size) => Math.round(size / 1_000_000);
const verdicts = bars();
const broken = Object.keys(failures).filter((failure) => !failure.startsWith('time'));
verdicts.atMost('languages whose parser broke', broken.length, 0);
verdicts.atMost('the slowest, ms', Math.round(slowest), 3_000);
verdicts.atMost('memory at the end, times a tenth of the way', memory[1] / memory[0], 1.5);
console.log(`## Outlines of broken files

${machine()}
- ${count.toLocaleString('en')} files, ${mb(bytes)} MB, ${AT_ONCE} at a time

${table(
  ['', ''],
  [
    ['seconds', seconds.toFixed(1)],
    ['memory after a tenth', `${mb(memory[0])} MB`],
    ['memory after all', `${mb(memory[1])} MB`],
    ['failures', JSON.stringify(failures)],
  ],
)}

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
