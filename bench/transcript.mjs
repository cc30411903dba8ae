// Transcripts of 200 MB, read and digested by rules, beside a bare `JSON.parse` of the same file:
// `node bench/transcript.mjs [ROUNDS]`.
// Prints Markdown; exits with 1 where a bar is missed.
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chatgptExport, claudeAiExport, claudeCodeSession } from './generate/transcripts.mjs';
import { bars, count, mb, ms, summary, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { interleave, plimsoll, root, run, work } from './lib/run.mjs';

const BYTES = 200_000_000;
const MOST_MB = 200;
const TIMES_BARE = 3;

const rounds = Number(process.argv[2] ?? 7);
const setting = machine();
const verdicts = bars();
const folder = join(work, 'transcripts');
mkdirSync(folder, { recursive: true });

const transcripts = [
  { name: 'Claude Code session', file: 'claude-code.jsonl', make: claudeCodeSession, bare: 'parse-lines' },
  { name: 'ChatGPT export', file: 'chatgpt.json', make: chatgptExport, bare: 'parse-whole' },
  { name: 'Claude.ai export', file: 'claude-ai.json', make: claudeAiExport, bare: 'parse-whole' },
];
const data = join(folder, 'data');
const digestOf = (path) => ({
  command: [process.execPath, plimsoll, 'transcript', path, '--extract', 'rules', '--dry-run'],
  cwd: folder,
  env: { PLIMSOLL_DATA_DIR: data },
  before: () => rmSync(data, { recursive: true, force: true }),
});
const commandOf = (script, path) => [process.execPath, join(root, 'bench/lib', `${script}.mjs`), path];
const speed = (bytes, figures) => `${Math.round(bytes / 1e3 / figures.ms)} MB/s`;

const rows = [];
const found = [];
for (const { name, file, make, bare } of transcripts) {
  const path = join(folder, file);
  process.stderr.write(`${name}\n`);
  make(path, BYTES);
  const { size } = statSync(path);
  const contenders = [
    { name: 'bare', command: commandOf(bare, path) },
    { name: 'Plimsoll', command: commandOf('read-transcript', path) },
    { name: 'digest', ...digestOf(path) },
  ];
  const results = interleave(contenders, { runs: rounds });
  const [bareFigures, own, whole] = contenders.map(({ name }) => summary(results.get(name)));
  const ratio = own.ms / bareFigures.ms;
  const rowOf = (label, figures) => [
    `${name}, ${label}`,
    ms(figures.ms),
    ms(figures.minMs),
    speed(size, figures),
    figures === bareFigures ? '' : `${(figures.ms / bareFigures.ms).toFixed(2)}x`,
    mb(figures.kb),
    mb(figures.maxKb),
  ];
  rows.push(rowOf('bare', bareFigures), rowOf('read', own), rowOf('digested', whole));
  verdicts.atMost(`${name}: wall time, times bare`, ratio, TIMES_BARE);
  verdicts.atMost(`${name}: peak memory`, (own.maxKb * 1024) / 1e6, MOST_MB, ' MB');
  found.push(`- ${name}: ${count(size)} bytes; ${toldOf(path)}`);
}

/** What the reader finds in a file, in words. */
function toldOf(path) {
  const stdoutFile = join(folder, 'found.json');
  run({ command: commandOf('read-transcript', path), stdoutFile });
  const { turns, leftOut } = JSON.parse(readFileSync(stdoutFile, 'utf8'));
  const roles = Object.entries(turns).map(([role, number]) => `${count(number)} of ${role}`);
  return `turns: ${roles.join(', ')}; ${count(leftOut)} things left out`;
}

console.log(`## Transcripts

${setting}
- ${rounds} rounds after a warm-up, in turn, each a process of its own: its start is counted
${found.join('\n')}

"Bare" of a session reads the file by \`node:readline\` and parses each line with \`JSON.parse\`; of an export it reads the
whole file and parses it at once, since it is one document. Neither keeps or looks at anything. "Read" is Plimsoll's reader
by itself; "digested" is \`plimsoll transcript FILE --extract rules --dry-run\`, all of it, and has no bar.

${table(['', 'median', 'least', 'speed', 'ratio', 'peak, median', 'peak, largest'], rows)}

${verdicts.table()}`);
process.exitCode = verdicts.kept() ? 0 : 1;
