import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pools } from './pools.mjs';
import { random } from './random.mjs';
import { git, gitEnvironment } from './write.mjs';

/** Raised whenever the same size would give other files, so that no older repository is used again. */
const EDITION = 3;
const FILES_A_FOLDER = 8;
const LARGEST = 20_000;
const COMMITS_A_FILE = 1 / 20;
const FIRST_SECOND = 1_690_000_000;
const HISTORY_SECONDS = 2 * 365 * 24 * 3600;

const rootFiles = [
  'README.md',
  'package.json',
  'LICENSE',
  'CONTRIBUTING.md',
  '.gitignore',
  '.github/workflows/ci.yaml',
];
const ignored =
  '# build output\n/dist/\ntarget/\n__pycache__/\nnode_modules/\n*.log\n*.py[co]\n.env\n!.env.example\n';
const groups = ['apps', 'libraries', 'services', 'tools', 'plugins'];
const stems =
  'account,batch,cache,client,config,cursor,driver,engine,event,filter,format,handler,index,ledger,loader,metric,model,parser,policy,queue,reader,report,router,schema,session,signal,store,stream,sync,token,tracker,view,worker,writer'.split(
    ',',
  );
const languages = [
  ['ts', 30],
  ['py', 22],
  ['go', 16],
  ['rs', 12],
  ['java', 12],
  ['c', 8],
];
const others = [
  ['md', 8],
  ['json', 4],
  ['yaml', 4],
  ['css', 2],
  ['html', 2],
  ['sh', 2],
  ['png', 2],
];

const weighted = (pairs) => pairs.flatMap(([item, weight]) => Array(weight).fill(item));
const languagePool = weighted(languages);
const otherPool = weighted(others);

/** The paths of a repository of exactly `count` files, in the order in which they are made. */
function* paths(count, r) {
  const seen = new Set();
  for (const path of rootFiles) yield path;
  let left = count - rootFiles.length;
  for (let number = 0; left > 0; number++) {
    const folder = `${r.pick(groups)}/${r.pick(stems)}-${r.pick(stems)}-${number}`;
    const language = r.pick(languagePool);
    const inside = Math.min(left, 40 + r.below(120));
    const folders = Array.from({ length: Math.ceil(inside / FILES_A_FOLDER) }, (_, i) => innerFolder(r, i));
    left -= inside;
    for (let i = 0; i < inside; i++) {
      if (i === 0) yield `${folder}/README.md`;
      else if (i === 1) yield `${folder}/package.json`;
      else yield unused(seen, () => filePath(r, folder, folders, language));
    }
  }
}

function unused(seen, make) {
  for (;;) {
    const path = make();
    if (!seen.has(path)) {
      seen.add(path);
      return path;
    }
  }
}

/** A folder of a package's sources or, for every third, tests: one to four levels deep. */
function innerFolder(r, number) {
  let path = number % 3 === 2 ? 'tests' : 'src';
  for (let depth = r.below(4); depth > 0; depth--) path += `/${stems[r.below(12) + depth]}`;
  return path;
}

function filePath(r, root, folders, language) {
  const name = `${r.pick(stems)}_${r.pick(stems)}${r.below(3) ? '' : r.below(100)}`;
  if (r.next() < 0.12) {
    const extension = r.pick(otherPool);
    return `${root}/${extension === 'md' ? 'docs' : 'assets'}/${name}.${extension}`;
  }
  const folder = r.pick(folders);
  return `${root}/${folder}/${folder.startsWith('tests') ? 'test_' : ''}${name}.${language}`;
}

function manifest(path, revision) {
  const name = path.split('/').at(-2) ?? 'generated';
  return `${JSON.stringify({ name, version: `1.0.${revision}`, main: 'src/index.js' }, null, 2)}\n`;
}

/** A file's content: a manifest, or a first line of its own, then lines of its language's pool, 0 to 20,000 bytes in all. */
function contentOf(path, r, revision) {
  if (path.endsWith('package.json')) return Buffer.from(manifest(path, revision));
  if (path === '.gitignore') return Buffer.from(ignored);
  if (r.below(100) === 0) return Buffer.alloc(0);
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const pool = pools.get(extension) ?? pools.get('md');
  const size = Math.floor((LARGEST - 200) * r.next() ** 3);
  const start = pool.lines[r.below(pool.lines.length >> 1)];
  const end = pool.bytes.indexOf(10, start + size) + 1;
  const body = pool.bytes.subarray(start, Math.min(end, start + LARGEST - 200));
  if (extension === 'png') return body;
  return Buffer.concat([Buffer.from(`${pool.comment(`${path}, revision ${revision}`)}\n`), body]);
}

/**
 * Makes a git repository of exactly `count` files in `folder`: nested folders of packages in several
 * languages with tests, documents and assets, files of 0 to 20 kB (5 kB on average), one commit of them all
 * and then one for every twenty files, over two years, each of which changes one to six of them. The same
 * count gives the same commits everywhere. A folder that an earlier run made is used again.
 */
export async function scaleRepository(folder, count) {
  const stamp = join(folder, '.git/generated');
  const identity = `edition ${EDITION}, ${count} files\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === identity) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const importer = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    env: gitEnvironment,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const exit = once(importer, 'exit');
  for (const part of stream(count)) {
    if (!importer.stdin.write(part)) await once(importer.stdin, 'drain');
  }
  importer.stdin.end();
  const [code] = await exit;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  git(folder, 'reset', '--quiet', '--hard');
  git(folder, 'status', '--porcelain'); // refreshes the index
  writeFileSync(stamp, identity);
}

/** The stream that git fast-import reads. */
function* stream(count) {
  const r = random(count);
  const all = [...paths(count, r)];
  const commits = Math.ceil(count * COMMITS_A_FILE);
  const revisions = new Map();
  const change = (path, revision) => {
    const content = contentOf(path, r, revision);
    return [`M 100644 inline ${path}\ndata ${content.length}\n`, content, '\n'];
  };
  const commit = (number, message) => {
    const when = FIRST_SECOND + Math.round((HISTORY_SECONDS / commits) * number);
    const length = Buffer.byteLength(message);
    return `commit refs/heads/main\ncommitter Bench <bench@example.com> ${when} +0000\ndata ${length}\n${message}\n`;
  };
  yield commit(0, 'All files');
  for (const path of all) yield* change(path, 1);
  for (let number = 1; number <= commits; number++) {
    yield commit(number, `Change ${number}`);
    const touched = new Set();
    for (let i = 1 + r.below(6); i > 0; i--) touched.add(all[Math.floor(all.length * r.next() ** 2)]);
    for (const path of touched) {
      const revision = (revisions.get(path) ?? 1) + 1;
      revisions.set(path, revision);
      yield* change(path, revision);
    }
  }
}
