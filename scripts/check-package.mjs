/**
 * Packs what `npm run build` made, installs the tarball into an empty folder, and uses it there as its users
 * would: the command, the library from JavaScript, and its types from TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKED =
  /^(dist\/(?:.+(?:\.js|\.d\.ts|\.txt)|grammars\/[\w-]+\.wasm\.br)|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'plimsoll-package-'));
const sample = join(work, 'sample');

/** Runs a command in the folder where the package is installed, and gives what it printed. */
function run(command, ...args) {
  return execFileSync(command, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function check(what, holds) {
  if (!holds) throw new Error(`Not so: ${what}.`);
  console.log(`ok: ${what}`);
}

function pack() {
  check('the package has been built', existsSync(join(root, 'dist/cli/main.js')));
  const packed = run('npm', 'pack', root, '--json', '--ignore-scripts', '--loglevel=error');
  const [{ filename, files, size }] = JSON.parse(packed);
  const stray = files.map(({ path }) => path).filter((path) => !PACKED.test(path));
  check(`it holds only what is meant to be in it (stray: ${stray.join(', ') || 'none'})`, stray.length === 0);
  check(`it has ${size} bytes, less than 6,000,000`, size < 6_000_000);
  return filename;
}

function install(tarball) {
  run('npm', 'install', '--prefix', '.', `./${tarball}`, '--no-audit', '--no-fund', '--loglevel=error');
  check('it installs into an empty folder', existsSync(join(work, 'node_modules/plimsoll/dist/cli/main.js')));
}

/** A folder such that its digest needs each part that is loaded only when needed. */
function writeSample() {
  mkdirSync(sample);
  writeFileSync(join(sample, 'README.md'), '# Sample\n\nA folder to digest.\n');
  writeFileSync(
    join(sample, 'latin1.txt'),
    Buffer.from('Ein Text \xfcber gr\xfcne \xc4pfel und s\xfc\xdfe Birnen.\n'.repeat(9), 'latin1'),
  );
  writeFileSync(join(sample, 'config.js'), `export const token = '${TOKEN}';\n`);
}

/** The form of a GitHub token; not a token. */
const TOKEN = ['ghp', 'n4xRq8Zt2LwYc7VbKd5MfJh3Gs9PeTu6Xa1B'].join('_');

function checkCommand() {
  const plimsoll = (...args) => run('npx', '--no', '--', 'plimsoll', ...args);
  check('the command tells its version', plimsoll('--version') === `${manifest.version}\n`);
  const text = plimsoll('digest', sample);
  check('it digests a folder', text.includes('A folder to digest.'));
  check('it decodes old encodings', text.includes('grüne Äpfel und süße Birnen'));
  check('it replaces secrets', text.includes('export const token') && !text.includes(TOKEN));
  plimsoll('digest', sample, '--budget', '2000tok', '--format', 'json', '--output', 'digest.json');
  const { budget } = JSON.parse(readFileSync(join(work, 'digest.json'), 'utf8'));
  check(
    'it counts tokens and writes a file',
    budget.unit === 'tokens' && budget.used > 100 && budget.used <= 2000,
  );
}

function checkLibrary() {
  const code = `
    import { digest, parseBudget, PlimsollError } from 'plimsoll';
    import { digest as same } from 'plimsoll/digest';
    import { changesAnswer, diaryAnswer, historyAnswer, Memory, readAnswer, searchAnswer } from 'plimsoll/memory';
    import { digestTranscript } from 'plimsoll/transcript';
    const memory = new Memory({ folder: 'memory', who: 'check' });
    await memory.set('a.b', '1');
    const { places } = memory.where();
    const answers = [
      readAnswer(await memory.documents(), { prefix: 'a', limit: 1000 }),
      searchAnswer(places, await memory.search('b'), { limit: 1000 }),
      diaryAnswer(places, await memory.readDiary(), { limit: 1000 }),
      changesAnswer(places, await memory.changes(), { limit: 1000 }),
      historyAnswer(places, await memory.history('a.b'), { key: 'a.b', limit: 1000 }),
    ].filter((answer) => answer.startsWith('Recalled from memory'));
    const { change } = await digestTranscript('chat.md', { memory, by: 'rules' });
    const { text } = await digest('sample', { budget: parseBudget('5000') });
    const error = await digest('missing').catch((error) => error);
    console.log(same === digest, text.includes('A folder to digest.'), error instanceof PlimsollError, error.code, (await memory.get('a')).found.kind, answers.length, change);`;
  writeFileSync(join(work, 'use.mjs'), code);
  writeFileSync(join(work, 'chat.md'), '## User\nRemember that the office is in Husum.\n');
  check(
    'the library can be imported and used',
    run('node', 'use.mjs') === 'true true true SOURCE_NOT_FOUND section 5 2\n',
  );
}

function checkTypes() {
  const code = `
    import { type Budget, type Digest, digest, type DigestOptions, type ErrorCode, PlimsollError } from 'plimsoll';
    import { digest as same } from 'plimsoll/digest';
    const budget: Budget = { unit: 'tokens', limit: 10_000 };
    const options: DigestOptions = { budget, format: 'xml', signal: AbortSignal.timeout(1000), onProgress: ({ stage }) => stage };
    const result: Digest = await digest('.', options);
    export const first: string | undefined = result.files[0]?.path;
    export const code = (error: unknown): ErrorCode | undefined => (error instanceof PlimsollError ? error.code : undefined);
    // @ts-expect-error a budget is an object
    await same('.', { budget: 40_000 });`;
  const memory = `
    import { type Change, type Damage, type DiaryEntry, type Document, type Entry, type Fact, type Files, type Found, type Hit, type Logged, type ManyOptions, Memory, type MemoryOptions, type Picked, type Picks, type SearchAsked, type SearchResult, type WriteOptions } from 'plimsoll/memory';
    export const open = (folder: string, files: Files): Memory => new Memory({ folder, who: 'check', files } satisfies MemoryOptions);
    export const find = (memory: Memory, asked: SearchAsked): Promise<SearchResult> => memory.search('a', asked);
    export const best = ({ hits }: SearchResult): Hit | undefined => hits[0];
    export const entries = (memory: Memory, picks: Picks): Promise<Picked<DiaryEntry>> => memory.readDiary(picks);
    export const same = (entry: DiaryEntry): Entry => entry;
    export const document = async (memory: Memory): Promise<Document | undefined> => (await memory.documents())[0]?.document;
    export const facts = (document: Document): Fact[] => [...document.facts()];
    export const found = async (memory: Memory): Promise<Found | undefined> => (await memory.get('a'))?.found;
    export const damage = async (memory: Memory): Promise<Damage | undefined> => (await memory.damage())[0]?.repair.damage;
    export const bare = ({ scope, file, ...change }: Logged): Change => change;
    export const write = async (memory: Memory, options: WriteOptions & ManyOptions) => {
      await memory.set('a', '1', options);
      await memory.setMany([], options);
    };`;
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2022'],
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(work, 'use.mts'), code);
  writeFileSync(join(work, 'memory.mts'), memory);
  const files = ['use.mts', 'memory.mts'];
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--project', work);
  check('its types hold in a strict project', true);
}

try {
  install(pack());
  writeSample();
  checkCommand();
  checkLibrary();
  checkTypes();
} catch (error) {
  console.error(`check-package: ${error.stdout || ''}${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
