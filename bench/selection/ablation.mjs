// What each signal, and each rung of the ladder, adds to the choice of files:
//
//     node bench/selection/ablation.mjs WORKDIR MIRROR [--task focus] [--only PATTERN] [-- DIGEST_OPTION …]
//
// Runs the scorer (README.md says what WORKDIR and MIRROR are) for the built command as it is, and for copies of it in
// which one thing is off. No option of the command does that: each copy is patched where the build has one certain line,
// and a patch that doesn't find exactly one ends the run. Limits of time are off in all. `--only` takes those whose names match. Prints Markdown.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../lib/figures.mjs';
import { commitOf, machine } from '../lib/machine.mjs';
import { root, work } from '../lib/run.mjs';

const TASKS = {
  orientation: {
    signals: 'SIGNALS',
    figures: ['A.main.value', 'A.main.reach', 'A.tests.value'],
    cases: 'A',
    query: '',
  },
  focus: {
    signals: 'ANSWERING',
    figures: ['B.value', 'B.recall', 'B.mrr'],
    cases: 'B',
    query: '[[--focus={query}]] ',
  },
};

/** Nobody asks for a certain file in the benchmark. */
const NOT_MEASURED = new Set(['asked-for']);

const rungs = [
  ['the least outline', [/\t\tSMALL_OUTLINE,\n/, ''], [/add\("outline", SMALL_OUTLINE\);/, '']],
  [
    'the outline of 15%',
    [/\t\tMath\.round\(size \* OUTLINE_SHARE \* NUMBERED\),\n/, ''],
    [/add\("outline", Math\.max\(SMALL_OUTLINE, bytes \* OUTLINE_SHARE\)\);/, ''],
  ],
  ['the outline of all signatures', [/\t\toutlineChars \* NUMBERED,\n/, '']],
  ['all but bodies', [/,\n\t\tskeletonChars \* NUMBERED\n/, '\n']],
  [
    'all outlines (heads instead)',
    [/outline && new Excerpts\(content, outline, lineScore\)/, 'void 0'],
    [/guessedLadder\(size, reader\.hasOutline\(file\),/, 'guessedLadder(size, false,'],
  ],
  ['heads', [/ : \[SMALL_HEAD\]\)/, ' : [])'], [/add\("head", SMALL_HEAD\);/, '{}']],
  [
    'all parts of files (whole or not at all)',
    [/if \(size >= LEAST_PARTED \|\| !content\.whole\)/, 'if (false)'],
    [/if \(bytes >= LEAST_PARTED\)/, 'if (false)'],
  ],
  [
    'whole files, but for small ones',
    [
      /if \(content\.whole\) add\(fullView\(readable, write\)\);/,
      'if (content.whole) size < LEAST_PARTED && add(fullView(readable, write));',
    ],
    [/add\("full", bytes\);/, 'if (bytes < LEAST_PARTED) add("full", bytes);'],
  ],
  ['something for being there', [/const PRESENCE = [\d.]+;/, 'const PRESENCE = 0;']],
  ['a word for every package', [/const LEAST_ROOM = 180;/, 'const LEAST_ROOM = 1e9;']],
  [
    'what is left, given to parts',
    [/if \(file\.mode === "full" \|\| left <= 0\) return file;/, 'return file;'],
  ],
];

/** A busy machine is not to change what is parsed in time. */
const PATIENCE = [
  [/const TIME_LIMIT = [\de.]+;/, 'const TIME_LIMIT = 1e5;'],
  [/this\.#end\(hand, "time"\), PATIENCE\)/, 'this.#end(hand, "time"), 2e5)'],
  [/const MOST_TIME = [\de.]+;/, 'const MOST_TIME = 1e5;'],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { task: { type: 'string', default: 'orientation' }, only: { type: 'string', default: '' } },
});
const [workdir, mirror, ...digestOptions] = positionals;
const task = TASKS[values.task];
if (!workdir || !mirror || !task) {
  throw new Error(
    'node bench/selection/ablation.mjs WORKDIR MIRROR [--task focus] [--only PATTERN] [-- OPTION …]',
  );
}

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(work, 'ablation');
const copy = join(folder, 'dist');
const scores = join(folder, 'scores.json');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const built = join(root, 'dist');
cpSync(built, copy, { recursive: true, filter: (path) => path !== join(built, 'grammars') });
symlinkSync(join(built, 'grammars'), join(copy, 'grammars'));
copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
const texts = new Map(
  readdirSync(copy, { recursive: true })
    .filter((name) => name.endsWith('.js') && !name.startsWith('grammars'))
    .map((name) => [name, readFileSync(join(copy, name), 'utf8')]),
);
for (const [name, text] of patched('patience', PATIENCE)) put(name, text);

/** Changes a file of the copy. */
function put(name, text) {
  texts.set(name, text);
  writeFileSync(join(copy, name), text);
}

/** The texts of the copy's files that patches change. */
function patched(what, patches) {
  const changed = new Map();
  for (const [pattern, replacement] of patches) {
    const every = new RegExp(pattern, 'g');
    const found = [...texts].flatMap(([name, text]) => [...text.matchAll(every)].map(() => name));
    if (found.length !== 1) throw new Error(`${what}: ${pattern} is in ${found.length} places`);
    const [name] = found;
    const text = changed.get(name) ?? texts.get(name);
    changed.set(
      name,
      text.replace(pattern, () => replacement),
    );
  }
  return changed;
}

/** The patches that take signals out of the list that the ranking adds up. */
function without(list, names) {
  const [source] = [...texts.values()].flatMap((text) => listOf(text, list) ?? []);
  const kept = source.split('\n').filter((line) => !names.includes(nameIn(line)));
  if (kept.length + names.length !== source.split('\n').length) throw new Error(`no ${names} in ${list}`);
  return [[new RegExp(`const ${list} = \\{[^}]*\\};`), kept.join('\n')]];
}

const listOf = (text, list) => new RegExp(`const ${list} = \\{[^}]*\\};`).exec(text)?.[0];
const nameIn = (line) => /^\t"?([\w-]+)"?(?:: \w+)?,?$/.exec(line)?.[1];

/** The scorer's means and figures by repository. */
function scored() {
  const command = `'${process.execPath}' '${join(copy, 'cli/main.js')}' digest {dir} --budget {budget} --no-cache --format json ${task.query}${digestOptions.join(' ')}`;
  const args = [join(here, 'score.py'), join(here, 'selection-public.json'), workdir, `tool=${command}`];
  args.push('--mirror', mirror, '--task', values.task, '--json', scores);
  const { status, stderr } = spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(scores, 'utf8')).tools.tool;
}

/** How many repositories have more and less of the leading figure than before. */
function wonAndLost(repos, before) {
  const [leading] = task.figures;
  const changes = Object.keys(repos).map((slug) => repos[slug][leading] - before[slug][leading]);
  const count = (sign) => changes.filter((change) => change * sign > 0.0005).length;
  return [count(-1), count(1)];
}

const all = [...texts.values()].flatMap((text) => listOf(text, task.signals) ?? []);
if (all.length !== 1) throw new Error(`${task.signals} is in ${all.length} places`);
const signals = all[0].split('\n').flatMap((line) => nameIn(line) ?? []);
const variants = [
  ...signals
    .filter((name) => !NOT_MEASURED.has(name))
    .map((name) => ({ name: `\`${name}\``, patches: without(task.signals, [name]) })),
  ...(signals.includes('imported')
    ? [{ name: '`imported` and `importing`', patches: without(task.signals, ['imported', 'importing']) }]
    : []),
  ...rungs.map(([name, ...patches]) => ({ name, patches })),
]
  .map(({ name, patches }) => ({ name, changed: patched(name, patches) }))
  .filter(({ name }) => new RegExp(values.only).test(name));

const NOTHING = 'nothing';
const started = machine();
const commit = commitOf(root).slice(0, 7);
const whole = scored();
const row = (name, { means, repos, problems }) => {
  const cells = task.figures.map((figure) => means[figure].toFixed(3));
  const [leading] = task.figures;
  const change = means[leading] - whole.means[leading];
  const [worse, better] = wonAndLost(repos, whole.repos);
  const told =
    name === NOTHING ? ['', ''] : [`${change < 0 ? '' : '+'}${change.toFixed(3)}`, `${worse} : ${better}`];
  const cellsOfRow = [name, ...cells, ...told, String(problems.length)];
  process.stderr.write(`${cellsOfRow.join('  ')}\n`);
  return cellsOfRow;
};

const rows = [row(NOTHING, whole)];
for (const { name, changed } of variants) {
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  rows.push(row(name, scored()));
  for (const file of changed.keys()) writeFileSync(join(copy, file), texts.get(file));
}

console.log(`${started}
- Plimsoll at \`${commit}\`${digestOptions.length > 0 ? ` with \`${digestOptions.join(' ')}\`` : ''}

${table(['off', ...task.figures, 'change', 'repositories worse : better', 'runs that scored 0'], rows)}`);
