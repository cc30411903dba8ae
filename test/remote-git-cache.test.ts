import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import {
  cloneOf,
  failureOf,
  filesBelow,
  forgetDigests,
  newCache,
  servePartly,
  withoutUserConfig,
} from './remote.ts';
import { folderWith, git } from './repository.ts';
import { allowFilter } from './servers/git-http.ts';
import { addCommit, variedRepository } from './varied-repository.ts';

withoutUserConfig();

interface Upload {
  readonly wants: readonly string[];
  readonly filter: string | undefined;
  readonly isShallow: boolean;
}

/** Serves a repository, and tells what clients have asked for to be uploaded. */
async function serveWatched(root: string, path: string) {
  const uploads: Upload[] = [];
  const server = await servePartly(root, path, {
    hook: (request) => {
      void bodyOf(request).then((body) => {
        const lines = linesIn(body);
        if (!lines.includes('command=fetch')) return;
        uploads.push({
          wants: lines.flatMap((line) => (line.startsWith('want ') ? [line.slice('want '.length)] : [])),
          filter: lines.find((line) => line.startsWith('filter '))?.slice('filter '.length),
          isShallow: lines.includes('deepen 1'),
        });
      });
      return false;
    },
  });
  return { address: `${server.url}/varied.git`, requests: server.requests, uploads };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => request.once('end', resolve));
  const body = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('latin1');
}

/** The lines in git's pkt-line format (gitprotocol-common(5)): each begins with its length; less than 4 ends a section. */
function linesIn(body: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < body.length; ) {
    const length = Number.parseInt(body.slice(at, at + 4), 16);
    if (length >= 4) lines.push(body.slice(at + 4, at + length).trimEnd());
    at += Math.max(length, 4);
  }
  return lines;
}

function blobsOf(path: string, commit: string): string[] {
  const lines = git(path, 'ls-tree', '-r', commit).split('\n');
  return [
    ...new Set(
      lines
        .map((line) => line.split(/\s/))
        .flatMap(([, type, id]) => (type === 'blob' ? [id as string] : [])),
    ),
  ];
}

describe('what is asked of a host', () => {
  test('is a commit with its trees, then all contents at once; later only whether there is news, and what is new', async () => {
    const { root, path } = variedRepository();
    const { address, requests, uploads } = await serveWatched(root, path);
    const remote = { cache: newCache() };
    const first = git(path, 'rev-parse', 'main');
    const { text } = await digest(address, { remote });
    expect(uploads).toEqual([
      { wants: [first], filter: 'blob:none', isShallow: true },
      { wants: expect.arrayContaining(blobsOf(path, first)), filter: 'blob:none', isShallow: false },
    ]);
    expect(uploads[1]?.wants).toHaveLength(blobsOf(path, first).length);

    const before = requests.length;
    expect((await digest(address, { remote })).text).toBe(text);
    expect(uploads).toHaveLength(2);
    expect(requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'POST']);

    const second = addCommit(path, 'main', { 'README.md': '# News\n', 'new/file.txt': 'new\n' });
    expect((await digest(address, { remote })).text).toContain('# News');
    const isNew = (id: string) => !blobsOf(path, first).includes(id);
    expect(uploads.slice(2).map(({ wants }) => [...wants].sort())).toEqual([
      [second],
      blobsOf(path, second).filter(isNew).sort(),
    ]);

    addCommit(path, 'main', { 'README.md': readme(path, first) });
    await digest(address, { remote });
    expect(uploads).toHaveLength(5);
  });

  test('is all of a commit in one, where the host leaves nothing out', async () => {
    const { root, path } = variedRepository();
    const { address, uploads } = await serveWatched(root, path);
    allowFilter(path, false);
    await digest(address, { remote: { cache: newCache() } });
    expect(uploads).toEqual([
      { wants: [git(path, 'rev-parse', 'main')], filter: undefined, isShallow: true },
    ]);
  });

  test('is nothing offline: the last answer stands', async () => {
    const { root, path } = variedRepository();
    const { address, requests } = await serveWatched(root, path);
    const cache = newCache();
    const refs = [undefined, 'main', 'HEAD', git(path, 'rev-parse', 'main~1')];
    const texts = [];
    for (const ref of refs)
      texts.push((await digest(address, { ...(ref && { ref }), remote: { cache } })).text);
    addCommit(path, 'main', { 'README.md': '# News\n' });
    const before = requests.length;
    for (const [at, ref] of refs.entries()) {
      const { text } = await digest(address, { ...(ref && { ref }), remote: { cache, offline: true } });
      expect(text).toBe(texts[at]);
    }
    expect(requests).toHaveLength(before);
  });
});

test('of a folder only what is in it is fetched, and the rules for it', async () => {
  const { root, path } = variedRepository();
  addCommit(path, 'main', {
    'one/.gitattributes': '*.gen linguist-generated\n',
    'one/two/a.gen': 'generated\n',
    'one/two/b.ts': 'export {};\n',
    'one/other.ts': 'not wanted\n',
  });
  cpSync(path, join(root, 'o/r'), { recursive: true });
  allowFilter(join(root, 'o/r'), true);
  const { address, uploads } = await serveWatched(root, path);
  const cache = newCache();
  const repository = address.replace('varied.git', 'o/r');
  const page = `${repository}/tree/main/one/two`;
  const { files, omitted } = await digest(page, { remote: { cache } });
  expect(files.map((file) => file.path)).toEqual(['b.ts']);
  expect(omitted.byReason).toEqual({ generated: 1 });
  const id = (file: string) => git(path, 'rev-parse', `main:${file}`);
  expect([...(uploads[1]?.wants ?? [])].sort()).toEqual(
    ['.gitattributes', '.ignore', 'one/.gitattributes', 'one/two/a.gen', 'one/two/b.ts'].map(id).sort(),
  );
  await digest(page, { remote: { cache, offline: true } });
  expect((await failureOf(digest(repository, { remote: { cache, offline: true } }))).code).toBe(
    'NOT_IN_CACHE',
  );
  await digest(repository, { remote: { cache } });
  expect(uploads).toHaveLength(4);
});

test('offline, the first branch is also known by its name and by the id of its commit', async () => {
  const { root, path } = variedRepository();
  const { address } = await serveWatched(root, path);
  const cache = newCache();
  const { source, text } = await digest(address, { remote: { cache } });
  for (const ref of ['main', source.commit as string]) {
    const again = await digest(address, { ref, remote: { cache, offline: true } });
    expect(again.text.slice(again.text.indexOf('## Tree'))).toBe(text.slice(text.indexOf('## Tree')));
  }
});

test.each([
  ['a pack is a folder', (path: string) => swapPacks(join(path, 'objects/pack'))],
  [
    'the repository is a file',
    (path: string) => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'no repository');
    },
  ],
] as const)('a cache where %s is mended', async (_, damage) => {
  const { root, path } = variedRepository();
  const { address } = await serveWatched(root, path);
  const cache = newCache();
  const { text } = await digest(address, { remote: { cache } });
  const [entry = ''] = readdirSync(cache.folder).filter((name) => name.startsWith('git-'));
  damage(join(cache.folder, entry, 'repository.git'));
  expect((await digest(address, { remote: { cache } })).text).toBe(text);
  expect((await digest(address, { remote: { cache, offline: true } })).text).toBe(text);
});

function swapPacks(folder: string): void {
  for (const name of readdirSync(folder)) {
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
  }
}

const STAGES = ['fetching', 'listing', 'ranking', 'reading'] as const;

test('a run that is stopped leaves the cache as it is', async () => {
  const { root, path } = variedRepository();
  const { address } = await serveWatched(root, path);
  const cache = newCache();
  await digest(address, { remote: { cache } });
  const before = filesBelow(cache.folder);
  for (const [limit, stage] of STAGES.entries()) {
    const controller = new AbortController();
    const stopped = digest(address, {
      // Another one than those that are kept: those are neither ranked nor read.
      budget: { unit: 'chars', limit: 30_000 + limit },
      remote: { cache },
      signal: controller.signal,
      onProgress: (progress) => progress.stage === stage && controller.abort(),
    });
    expect((await failureOf(stopped)).code).toBe('ABORTED');
    expect(filesBelow(cache.folder)).toEqual(before);
  }
});

test("repositories in the cache are read even where the user's git takes none that is bare", async () => {
  const { root, path } = variedRepository();
  const { address } = await serveWatched(root, path);
  const config = join(folderWith({ config: '[safe]\n\tbareRepository = explicit\n' }), 'config');
  vi.stubEnv('GIT_CONFIG_GLOBAL', config);
  expect((await digest(address, { remote: { cache: newCache() } })).warnings).toEqual([]);
});

function readme(path: string, commit: string): string {
  return `${git(path, 'show', `${commit}:README.md`)}\n`;
}

test('offline, what was never fetched is said not to be there', async () => {
  const { root, path } = variedRepository();
  const { address, requests } = await serveWatched(root, path);
  const cache = newCache();
  const remote = { cache, offline: true };
  await digest(address, { ref: 'main~0'.slice(0, 4), remote: { cache } });
  const before = requests.length;
  for (const [url, ref] of [
    [address, 'other'],
    [address.replace('varied', 'unheard-of'), 'main'],
  ] as const) {
    const { code, message } = await failureOf(digest(url, { ref, remote }));
    expect(code).toBe('NOT_IN_CACHE');
    expect(message).toBe(`What is wanted of ${url} is not in the cache: run it once without --offline.`);
  }
  expect(requests).toHaveLength(before);
});

test('without a cache nothing is left, and nothing is there but for the time it takes', async () => {
  const { root, path } = variedRepository();
  const folders = { HOME: folderWith({}), TMPDIR: folderWith({}), XDG_CACHE_HOME: folderWith({}) };
  const during: number[] = [];
  const { url } = await servePartly(root, path, {
    hook: () => {
      during.push(readdirSync(folders.TMPDIR).length);
      return false;
    },
  });
  for (const [name, folder] of Object.entries(folders)) vi.stubEnv(name, folder);
  const { files } = await digest(`${url}/varied.git`);
  expect(files.length).toBeGreaterThan(0);
  expect(Math.max(...during)).toBe(1);
  await failureOf(digest(`${url}/none.git`));
  await failureOf(digest(`${url}/varied.git`, { ref: 'none' }));
  for (const folder of Object.values(folders)) expect(readdirSync(folder)).toEqual([]);
});

describe('a damaged cache', () => {
  const DAMAGES: Record<string, (bytes: Buffer) => Buffer | undefined> = {
    deleted: () => undefined,
    'cut in half': (bytes) => bytes.subarray(0, bytes.length >> 1),
    'changed in three places': (bytes) => changed(bytes, [1, 2, 3]),
  };

  test.each(Object.entries(DAMAGES))('is mended: each file %s', async (_, change) => {
    const root = folderWith({});
    const path = join(root, 'varied.git');
    git(root, 'init', '-q', '--bare', '-b', 'main', path);
    addCommit(path, 'main', {
      'README.md': '# Readme\n',
      '.gitattributes': '*.x linguist-generated\n',
      'src/a.ts': SOME_CODE,
      'b.ts': SOME_CODE.toUpperCase(),
    });
    const { url } = await servePartly(root, path);
    const address = `${url}/varied.git`;
    const whole = newCache();
    const { text } = await digest(address, { remote: { cache: whole } });
    expect(text).toBe((await digest(cloneOf(path, address), { ref: 'main' })).text);
    const names = filesBelow(whole.folder);
    expect(names.map((name) => name.replace(/[0-9a-f]{32,}|(?<=digests\/)./g, ''))).toEqual(FILES_OF_A_CACHE);
    const damaged = (name: string) => {
      const cache = { ...whole, folder: join(folderWith({}), 'cache') };
      cpSync(whole.folder, cache.folder, { recursive: true });
      const file = join(cache.folder, name);
      const bytes = change(readFileSync(file));
      rmSync(file);
      if (bytes) writeFileSync(file, bytes);
      // With the digest there, nothing else is read.
      if (!name.includes('/digests/')) forgetDigests(cache.folder);
      return cache;
    };
    for (const name of names) {
      const cache = damaged(name);
      expect.soft((await digest(address, { remote: { cache } })).text, name).toBe(text);
      const again = await digest(address, { remote: { cache, offline: true } });
      expect.soft(again.text, `${name}, then offline`).toBe(text);
    }
    addCommit(path, 'main', { 'README.md': '# News\n' });
    const { text: news } = await digest(address);
    for (const name of names.filter((name) => name.includes('repository.git'))) {
      const { text } = await digest(address, { remote: { cache: damaged(name) } });
      expect.soft(text, `${name}, then news`).toBe(news);
    }
  });

  test('offline it is said to lack what is damaged', async () => {
    const { root, path } = variedRepository();
    const { url } = await servePartly(root, path);
    const cache = newCache();
    await digest(`${url}/varied.git`, { remote: { cache } });
    for (const name of filesBelow(cache.folder).filter((name) => name.endsWith('.pack'))) {
      chmodSync(join(cache.folder, name), 0o600);
      writeFileSync(join(cache.folder, name), '');
    }
    const { code } = await failureOf(digest(`${url}/varied.git`, { remote: { cache, offline: true } }));
    expect(code).toBe('NOT_IN_CACHE');
    expect(
      (await digest(`${url}/varied.git`, { remote: { cache } })).omitted.byReason.unreadable,
    ).toBeUndefined();
  });
});

const SOME_CODE = Array.from(
  { length: 40 },
  (_, at) => `export const v${at} = ${(at * 7919) % 1009};\n`,
).join('');

/** Without the hashes in their names. */
const FILES_OF_A_CACHE = [
  'CACHEDIR.TAG',
  'git-/commits/',
  'git-/digests/.json',
  'git-/entry.json',
  'git-/files.json',
  'git-/refs/.json',
  'git-/refs/.json',
  'git-/repository.git/HEAD',
  'git-/repository.git/config',
  ...['.idx', '.pack', '.idx', '.pack'].map((end) => `git-/repository.git/objects/pack/pack-${end}`),
  'git-/used',
];

/** Other bytes at some quarters. */
function changed(bytes: Buffer, quarters: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length === 0) return copy;
  for (const quarter of quarters) {
    const at = (copy.length * quarter) >> 2;
    copy.writeUInt8(copy.readUInt8(at) ^ 0x55, at);
  }
  return copy;
}

test('what is cached is for its user alone', async () => {
  const { root, path } = variedRepository();
  const { url } = await servePartly(root, path);
  const cache = newCache();
  const before = process.umask(0);
  try {
    await digest(`${url}/varied.git`, { remote: { cache } });
  } finally {
    process.umask(before);
  }
  const names = readdirSync(cache.folder, { recursive: true, encoding: 'utf8' });
  expect(names.length).toBeGreaterThan(10);
  const open = names.filter((name) => (statSync(join(cache.folder, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});
