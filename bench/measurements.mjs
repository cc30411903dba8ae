// The measurement that started the project, redone: `node bench/measurements.mjs CHECKOUTS`.
// CHECKOUTS (or PLIMSOLL_BENCH_CHECKOUTS) holds the repositories as OWNER+NAME; the other two are made here.
// Prints docs/measurements.md; exits with 1 where a bar is missed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fiveFileRepository } from './generate/five.mjs';
import { listRepository } from './generate/list.mjs';
import { writeRepository } from './generate/write.mjs';
import { count, table } from './lib/figures.mjs';
import { commitOf } from './lib/machine.mjs';
import { plimsoll, work } from './lib/run.mjs';

const BUDGET = 40_000;
const LEAST_USED = 0.95;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|testdata|fixtures|spec)\//;
/** How many of the list's files are no translations. */
const LIST_OTHERS = 3;
const TRANSLATION = /^README-\w+\.md$/;

const checkouts = process.argv[2] ?? process.env.PLIMSOLL_BENCH_CHECKOUTS;
if (!checkouts || !existsSync(checkouts)) {
  throw new Error('Name the folder of the checkouts: `node bench/measurements.mjs CHECKOUTS`.');
}

const generated = (name, files) => {
  const folder = join(work, name);
  writeRepository(folder, files);
  return folder;
};
const repositories = [
  { name: 'astral-sh/uv', before: 207_867, folder: join(checkouts, 'astral-sh+uv'), check: checkUv },
  {
    name: 'modelcontextprotocol/python-sdk',
    before: 217_488,
    folder: join(checkouts, 'modelcontextprotocol+python-sdk'),
  },
  { name: 'sktime/sktime-mcp', before: 103_786, folder: join(checkouts, 'sktime+sktime-mcp') },
  { name: 'five files', before: 4594, folder: generated('five-files', fiveFileRepository()) },
  { name: 'a list', before: 228_310, folder: generated('list', listRepository()), check: checkList },
];

function checkUv(paths) {
  const inTests = paths.filter((path) => TEST_FOLDER.test(path));
  return [
    [paths[0] === 'Cargo.toml' && paths[1] === 'README.md', 'uv leads with `Cargo.toml` and `README.md`'],
    [
      inTests.length === 0,
      `uv shows nothing from a test folder${inTests.map((path) => `, but \`${path}\``)}`,
    ],
  ];
}

function checkList(paths) {
  const others = paths.filter((path) => !TRANSLATION.test(path));
  const othersFirst = others.every((path, i) => path === paths[i]);
  return [
    [paths[0] === 'README.md', 'the list leads with its `README.md`'],
    [
      othersFirst && (others.length === LIST_OTHERS || others.length === paths.length),
      "the list's translations come only after everything else",
    ],
  ];
}

function digest(folder, ...options) {
  const command = [plimsoll, 'digest', resolve(folder), ...options];
  return execFileSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1 << 30 });
}

function checkAll({ name, check }, text, report) {
  const paths = report.files.map(({ path }) => path);
  const left =
    (report.omitted.byReason.budget ?? 0) + report.files.filter(({ mode }) => mode !== 'full').length;
  const share = text.length / BUDGET;
  return [
    [text.length <= BUDGET, `${name}: at most ${count(BUDGET)} characters`],
    [
      report.text === text && report.budget.used === text.length,
      `${name}: the JSON tells of the same document`,
    ],
    [left === 0 || share >= LEAST_USED, `${name}: ${LEAST_USED * 100}% used, or everything shown whole`],
    ...(check?.(paths) ?? []),
  ];
}

const rows = [];
const verdicts = [];
for (const repository of repositories) {
  const text = digest(repository.folder, '--budget', String(BUDGET));
  const report = JSON.parse(digest(repository.folder, '--budget', String(BUDGET), '--format', 'json'));
  verdicts.push(...checkAll(repository, text, report));
  rows.push([
    repository.name,
    `\`${commitOf(repository.folder).slice(0, 12)}\``,
    count(repository.before),
    count(text.length),
    `${((100 * text.length) / BUDGET).toFixed(1)}%`,
    count(report.files.length),
    report.files
      .slice(0, 5)
      .map(({ path }) => `\`${path}\``)
      .join(', '),
  ]);
}

console.log(`# Measurements

The tool that Plimsoll takes the place of was once measured on five repositories: it gave up to 228,310
characters for one, with test fixtures and translations among them. Here they are under Plimsoll's default
budget of ${count(BUDGET)} characters. A character is a UTF-16 code unit. Which commits the earlier figures were taken at
is not known. The five-file repository and the list are made by \`bench/generate/\`: the first stands for any small
repository, the second has the shape and the sizes of a well-known one (ten files: a \`README.md\` of 1,616,144 bytes
and seven translations of about 250 kB each).

${table(['repository', 'commit', 'before', 'characters', 'of the budget', 'files', 'the first five files'], rows)}

## What must hold

${verdicts.map(([kept, what]) => `- ${kept ? 'kept' : '**missed**'}: ${what}`).join('\n')}

## To measure again

With checkouts of the three repositories in a folder, as \`astral-sh+uv\`, \`modelcontextprotocol+python-sdk\` and
\`sktime+sktime-mcp\`:

    npm run build
    node bench/measurements.mjs FOLDER > docs/measurements.md

The command fails where something that must hold doesn't.`);
process.exitCode = verdicts.every(([kept]) => kept) ? 0 : 1;
