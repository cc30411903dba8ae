// How well facts are found in conversations:
//
//     node bench/extraction/run.mjs --extract rules
//     node bench/extraction/run.mjs --extract model --server URL --api ollama|openai --model NAME [--window TOKENS]
//
// Digests each fixture with the built command into a memory of its own, twice. `--only PATTERN` takes the fixtures whose names
// match, `--set NAME PATH` a public set instead, `--details` tells what was found. Prints Markdown; exits with 1 if a secret
// got out, if something forbidden was kept, or if digesting again changed memory.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { count, table } from '../lib/figures.mjs';
import { plimsoll } from '../lib/run.mjs';
import { fixtures, writeFixtures } from './make.mjs';
import { recorder } from './recorder.mjs';
import { precision, score, standing, sum } from './score.mjs';
import { SETS } from './sets.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    extract: { type: 'string', default: 'rules' },
    server: { type: 'string' },
    api: { type: 'string', default: 'ollama' },
    model: { type: 'string' },
    window: { type: 'string' },
    only: { type: 'string', default: '' },
    set: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
});

const HEAD = ['conversation', 'found', 'right', 'extra', 'unsupported', 'forbidden', ''];

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'bench-extraction-'));
const transcripts = join(folder, 'transcripts');
const all = options.set ? SETS[options.set](positionals[0]) : fixtures();
const chosen = all.filter(({ name }) => new RegExp(options.only).test(name));
writeFixtures(transcripts, chosen);
const server = options.server ? await recorder(options.server) : undefined;

const results = [];
try {
  for (const [index, fixture] of chosen.entries()) {
    process.stderr.write(`\r${index + 1} of ${chosen.length}: ${fixture.name}\x1b[K`);
    results.push(await resultOf(fixture));
  }
  process.stderr.write('\n');
} finally {
  server?.close();
  rmSync(folder, { recursive: true });
}
print();

/** Digests the files of a fixture in turn, and then once more. */
async function resultOf(fixture) {
  const home = join(folder, 'home', fixture.name);
  mkdirSync(home, { recursive: true });
  server?.forget();
  const started = performance.now();
  const digests = [];
  const outputs = [];
  const digestAll = async () => {
    for (const { path } of fixture.files) {
      const { stdout, stderr } = await transcript(join(transcripts, path), home);
      digests.push(JSON.parse(stdout));
      outputs.push(stdout, stderr);
    }
  };
  await digestAll();
  const seconds = (performance.now() - started) / 1000;
  const before = contextIn(home);
  const first = digests.splice(0);
  await digestAll();
  const facts = first.flatMap((digest, file) => factsIn(digest, file));
  const everything = [...outputs, ...textsIn(home), ...(server?.asked() ?? [])].join('\n');
  return {
    fixture,
    facts,
    first,
    seconds,
    score: score(fixture, facts),
    standing: standing(fixture, valuesIn(before)),
    leaked: fixture.secrets.filter((secret) => everything.includes(secret)),
    hasChanged: contextIn(home) !== before,
  };
}

/** Nothing but what a run leaves in its own home is read or written. */
async function transcript(file, home) {
  const ask = options.extract === 'model' ? ['--server', server.address, '--api', options.api] : [];
  if (options.model) ask.push('--model', options.model);
  if (options.window) ask.push('--window', options.window);
  const line = [
    plimsoll,
    'transcript',
    file,
    '--extract',
    options.extract,
    '--json',
    '--allow',
    dirname(file),
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PLIMSOLL_DATA_DIR: join(home, 'data'),
    PLIMSOLL_CACHE_DIR: join(home, 'cache'),
    PLIMSOLL_SPOOL_DIR: join(home, 'spool'),
  };
  return run(process.execPath, [...line, ...ask], { cwd: home, env, maxBuffer: 1 << 28 });
}

function factsIn({ facts }, file) {
  return facts.map(({ key, value, evidence, outcome }) => {
    const { line, role: by, quote, isVerified } = evidence;
    return { key, value: String(JSON.parse(value)), file, line, by, quote, isVerified, outcome };
  });
}

function contextIn(home) {
  const path = join(home, 'data', 'context.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : '{}';
}

/** All values of a memory, as texts. */
function valuesIn(context) {
  const values = [];
  JSON.parse(context, (_, value) => {
    if (typeof value !== 'object') values.push(String(value));
    return value;
  });
  return values;
}

function textsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => readFileSync(join(parentPath ?? path, name), 'utf8'));
}

function print() {
  const total = sum(results.map(({ score }) => score));
  const checks = sum(results.map(({ standing: { checks, wrong } }) => ({ checks, wrong: wrong.length })));
  const tokens = sum(
    results.flatMap(({ first }) =>
      first.map(({ counts: { tokensIn = 0, tokensOut = 0 } }) => ({ tokensIn, tokensOut })),
    ),
  );
  const unread = results.flatMap(({ first }) => first.flatMap(({ leftOut }) => leftOut)).length;
  const outcomes = ['add', 'replace', 'same', 'doubt'].map((outcome) => {
    const number = results.flatMap(({ facts }) => facts).filter((fact) => fact.outcome === outcome).length;
    return `${number} ${outcome}`;
  });
  const leaked = results.flatMap(({ leaked }) => leaked).length;
  const secrets = results.flatMap(({ fixture }) => fixture.secrets).length;
  const changed = results.filter(({ hasChanged }) => hasChanged).map(({ fixture }) => fixture.name);
  const by = options.extract === 'rules' ? 'rules' : `${options.model} (${options.api})`;
  const share = (part, whole) =>
    `${part} of ${whole}${whole ? `, ${Math.round((100 * part) / whole)}%` : ''}`;

  console.log(`# Facts found by ${by}\n`);
  console.log(
    table(
      ['measure', 'value'],
      [
        ['conversations', `${results.length}`],
        ['recall: expected facts found in their turn', share(total.found, total.expected)],
        ['found, but with another turn as the source', `${total.misplaced}`],
        ['facts with a turn that any found fact names', share(total.cited, total.expected)],
        ['precision, without the extra ones', percent(precision(total))],
        ['facts', `${total.facts}: ${outcomes.join(', ')}`],
        ['extra, supported', `${total.extra}`],
        ['unsupported: the quote stands nowhere', share(total.unsupported, total.facts)],
        ['no word of the value in its quote', share(total.astray, total.facts)],
        ['forbidden: injected, supposed, asked', `${total.forbidden}`],
        ['right ones with a key as expected', share(total.named, total.right)],
        ['generic keys', share(total.generic, total.facts)],
        ['what memory says at the end', share(checks.checks - checks.wrong, checks.checks)],
        ['secrets that got out', share(leaked, secrets)],
        ['digests that changed something the second time', `${changed.length}`],
        ['kinds of what was left out', `${unread}`],
        ['tokens in and out', `${count(tokens.tokensIn)}, ${count(tokens.tokensOut)}`],
        ['seconds', results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1)],
      ],
    ),
  );
  console.log(`\n${table(HEAD, results.filter(isToTell).map(rowOf))}`);
  if (options.details) for (const result of results) printDetails(result);
  const isSound = leaked + total.forbidden + changed.length === 0;
  process.exitCode = isSound ? 0 : 1;
}

/** In a public set only what went wrong. */
function isToTell({ score, leaked, hasChanged }) {
  return !options.set || score.unsupported + score.forbidden + leaked.length > 0 || hasChanged;
}

function rowOf({ fixture, score, standing: { wrong }, leaked, hasChanged }) {
  const { found, expected, right, extra, unsupported, forbidden } = score;
  const notes = [
    ...wrong.map((text) => `memory: ${text.replaceAll('|', ' or ')}`),
    ...(leaked.length > 0 ? ['**a secret got out**'] : []),
    ...(hasChanged ? ['**changed the second time**'] : []),
  ];
  const cells = [`${found}/${expected}`, right, extra, unsupported, forbidden, notes.join('; ')];
  return [fixture.name, ...cells.map(String)];
}

function printDetails({ fixture, facts }) {
  console.log(`\n## ${fixture.name}\n`);
  for (const { key, value, line, by, outcome, isVerified } of facts) {
    console.log(
      `- ${outcome} \`${key}\` = ${value} (line ${line}, ${by}${isVerified ? '' : ', unverified'})`,
    );
  }
}

function percent(part) {
  return Number.isNaN(part) ? '–' : `${Math.round(part * 100)}%`;
}
