import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { progressLine } from '../src/cli/progress.ts';
import { type Digest, type DigestOptions, digest, type Progress } from '../src/digest/digest.ts';
import { body, clone, counted, sharedVaried, watch } from './github-runs.ts';
import { forgetDigests } from './remote.ts';
import { type Files, folderWith, git } from './repository.ts';
import type { GitHubOptions, GitHubServer, SeenRequest } from './servers/github.ts';
import { bareWith, serve, TOKEN } from './servers/github-fixture.ts';
import { limitExceeded, notFound } from './servers/github-refusals.ts';
import { runGit } from './servers/run-git.ts';
import { addCommit } from './varied-repository.ts';

const varied = sharedVaried();

/** Reads repositories of a GitHub of one's own, with a cache of its own. */
function reader(server: GitHubServer, token?: string) {
  const cache = { folder: join(folderWith({}), 'cache'), limit: 1e9 };
  const github = { api: `${server.url}/api/v3`, token };
  const read = (tail: string, options: DigestOptions = {}): Promise<Digest> =>
    digest(server.url + tail, { ...options, remote: { cache, github, timeout: 5, ...options.remote } });
  return { read, cache, github };
}

const SMALL: Files = {
  'README.md': '# Small\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 2;\n',
  'image.png': Buffer.from([0, 1, 2]),
};

async function serveSmall(options?: GitHubOptions): Promise<GitHubServer & { readonly path: string }> {
  const path = bareWith(SMALL);
  return Object.assign(await serve({ 'o/r': { path } }, options), { path });
}

/** Has git tell of refs, but give no contents. */
function withoutGitContents(
  server: GitHubServer,
  intercept: NonNullable<GitHubOptions['intercept']> = () => undefined,
): void {
  let answered = false;
  server.intercept = (request) => {
    if (request.path.endsWith('/git-upload-pack')) {
      answered = !answered;
      return answered ? undefined : { kind: 'status', status: 503 };
    }
    return intercept(request);
  };
}

describe('a digest by the API', () => {
  test.each([40_000, 3000])('is the one by git, and that of a clone: %d characters', async (limit) => {
    const server = await serve({ 'o/r': { path: varied() } });
    const budget = { limit, unit: 'chars' } as const;
    const { read } = reader(server);
    const byApi = await read('/o/r', { budget });
    const byGit = await digest(`${server.url}/o/r`, { budget });
    const folder = await clone(`${server.url}/o/r`);
    const ofClone = await digest(folder, { budget, ref: 'main' });
    for (const other of [byGit, ofClone]) {
      expect(body(byApi)).toBe(body(other));
      expect(byApi).toMatchObject({
        files: other.files,
        omitted: other.omitted,
        tree: other.tree,
        warnings: [],
      });
    }
    expect([byApi, byGit, ofClone].map(({ source }) => source.kind)).toEqual(['github', 'git', 'git']);
    expect(byApi.files.find(({ path }) => path === 'src/large.ts')).toMatchObject({
      mode: 'head',
      bytes: 3302641,
    });

    // Git wrote wide.txt as its attribute says, in UTF-16, which is noted; the rest fits in without the large file.
    const same = { budget, exclude: ['wide.txt', 'large.ts'] };
    const [ofWorkTree, ofCommit] = [await digest(folder, same), await read('/o/r', same)];
    expect(ofWorkTree.files.map(({ path }) => path)).toEqual(ofCommit.files.map(({ path }) => path));
    expect(sections(ofWorkTree)).toEqual(sections(ofCommit));
  });

  test('is the same for a branch with a slash, tags of both kinds, and a pull request', async () => {
    const server = await serve({ 'o/r': { path: varied() } });
    const folder = await clone(`${server.url}/o/r`);
    await runGit(['-C', folder, 'fetch', '-q', 'origin', 'refs/pull/1/head:refs/heads/pull']);
    const { read } = reader(server);
    for (const [tail, ref, name] of [
      ['/tree/feature/x', 'origin/feature/x', 'feature/x'],
      ['/releases/tag/annotated', 'annotated', 'annotated'],
      ['/tree/light', 'light', 'light'],
      ['/pull/1', 'pull', 'pull/1/head'],
    ] as const) {
      const byApi = await read(`/o/r${tail}`);
      const ofClone = await digest(folder, { ref });
      expect(body(byApi)).toBe(body(ofClone));
      expect(byApi.source.commit).toBe(ofClone.source.commit);
      expect(byApi.source.ref).toBe(name);
    }
  });

  test('of a folder and of a file', async () => {
    const server = await serve({ 'o/r': { path: varied() } });
    const { read } = reader(server);
    const folder = await clone(`${server.url}/o/r`);
    const ofFolder = await read('/o/r/tree/main/src/a');
    expect(body(ofFolder)).toBe(body(await digest(join(folder, 'src/a'), { ref: 'main' })));
    expect(ofFolder.source.subfolder).toBe('src/a');
    const ofFile = await read('/o/r/blob/main/docs/guide.md');
    expect(ofFile).toMatchObject({
      source: { subfolder: 'docs' },
      files: [{ path: 'guide.md', mode: 'full' }],
    });
    await expect(read('/o/r/tree/main/none')).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND' });
    await expect(read('/o/r/tree/main/lib/module')).rejects.toMatchObject({ code: 'SOURCE_NOT_A_FOLDER' });
    await expect(read('/o/r/tree/none/at/all')).rejects.toMatchObject({ code: 'BAD_REF' });
    await expect(read('/o/r', { ref: 'f'.repeat(40) })).rejects.toMatchObject({ code: 'BAD_REF' });
  });
});

/** What stands under the headings of a document's files, by the headings. */
function sections({ text }: Pick<Digest, 'text'>): Record<string, string> {
  const parts = text.split(/^### /m).slice(1);
  return Object.fromEntries(parts.map((part) => part.split(/\n(.*?)(?:\n## Ledger|$)/s).slice(0, 2)));
}

describe('requests that count', () => {
  const blobs = ({ path }: { readonly path: string }, ...names: string[]) =>
    names.map((name) => `/git/blobs/${git(path, 'rev-parse', `main:${name}`)}`).sort();
  const tree = (commit: string) => `/git/trees/${commit}?recursive=1`;

  test('are for the facts, the tree, and what is shown; without a token nothing is asked twice', async () => {
    const server = await serveSmall();
    const { read } = reader(server);
    const commit = git(server.path, 'rev-parse', 'main');
    const first = await read('/o/r');
    expect(counted(server.requests)).toEqual(['', tree(commit)]);
    const seen = watch(server);
    expect((await read('/o/r')).text).toBe(first.text);
    expect(counted(seen())).toEqual([]);
  });

  test('with a token, the facts are asked for again, which counts only if they changed', async () => {
    const server = await serveSmall();
    const { read } = reader(server, TOKEN);
    const first = await read('/o/r');
    const seen = watch(server);
    expect((await read('/o/r')).text).toBe(first.text);
    const api = seen().filter(({ path }) => path.startsWith('/api/'));
    expect(api).toMatchObject([{ path: '/api/v3/repos/o/r', status: 304, counted: false }]);
  });

  test('after another commit are for the facts, its tree, and what is new', async () => {
    const server = await serveSmall();
    const { read } = reader(server);
    await read('/o/r');
    addCommit(server.path, 'main', { 'src/b.ts': 'export const b = 3;\n' });
    const seen = watch(server);
    expect((await read('/o/r')).text).toContain('b = 3');
    const commit = git(server.path, 'rev-parse', 'main');
    expect(counted(seen())).toEqual(['', tree(commit)]);
  });

  test('are for each of the contents too where git gives none', async () => {
    const server = await serveSmall();
    withoutGitContents(server);
    await reader(server).read('/o/r');
    const [, , ...contents] = counted(server.requests);
    expect(contents.sort()).toEqual(blobs(server, 'README.md', 'src/a.ts', 'src/b.ts', 'image.png'));
  });
});

describe('a list that GitHub cuts off', () => {
  /** Seven folders with four files each, two levels deep, and a file in the root. */
  const files = Object.fromEntries(
    ['a', 'b', 'b/c', 'b/c/d', 'e', 'f', 'g'].flatMap((folder) =>
      [1, 2, 3, 4].map((at) => [`${folder}/${at}.ts`, `export const ${folder.at(-1)}${at} = 1;\n`]),
    ),
  );

  async function serveCut(treeLimit: number, more: Files = {}) {
    const path = bareWith({ 'README.md': '# Cut off\n', ...files, ...more });
    const server = await serve({ 'o/r': { path } }, { treeLimit, limits: { anonymous: 500 } });
    const trees = () => counted(server.requests).filter((asked) => asked.includes('/trees/'));
    return {
      server,
      trees,
      ...reader(server),
      whole: await digest(await clone(`${server.url}/o/r`), { ref: 'main' }),
    };
  }

  test('is completed folder by folder', async () => {
    const { server, trees, read, whole } = await serveCut(8);
    const found = await read('/o/r');
    expect(body(found)).toBe(body(whole));
    expect(found).toMatchObject({ tree: { complete: true }, warnings: [] });
    // All of it; the root; a, b, e, f, g whole, of which b is cut off; b alone; b/c whole, cut off; b/c alone; b/c/d.
    expect(trees()).toHaveLength(2 + 5 + 1 + 1 + 1 + 1);
    const seen = watch(server);
    expect((await read('/o/r')).text).toBe(found.text);
    expect(counted(seen())).toEqual([]);
  });

  test('is told of where it takes too many requests, with what was seen', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 64 }, (_, at) => [`many/${at % 8}/${at >> 3}/x.ts`, `// ${at}\n`]),
    );
    const { server, trees, read } = await serveCut(8, many);
    const { text, tree, warnings, source } = await read('/o/r');
    expect(trees()).toHaveLength(1 + 40);
    expect(tree.complete).toBe(false);
    expect(warnings).toEqual([
      {
        code: 'INCOMPLETE_TREE',
        message: `GitHub cuts off the list of a repository as large as this: ${source.files} entries were seen, after 40 requests for parts of it. Name a subfolder to see all of that.`,
      },
    ]);
    expect(text).toContain(`| Listing | incomplete: ${source.files} entries seen, and there are more |`);
    expect(text).toContain(`## Tree (incomplete: ${source.files} entries seen, and there are more)`);
    expect(text).toContain('| not listed: the source could not be read to its end | unknown | unknown |');
    expect(source.files).toBeLessThan(1 + 28 + 64);
    const seen = watch(server);
    expect((await read('/o/r')).text).toBe(text);
    expect(counted(seen())).toEqual([]);
  });

  test('is told of where a folder alone has more than GitHub lists', async () => {
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`wide/${at}.ts`, `// ${at}\n`]));
    const { tree, source } = await (await serveCut(8, wide)).read('/o/r/tree/main/wide');
    expect([tree.complete, source.files]).toEqual([false, 8]);
  });

  test.each([
    ['/tree/main/b', 'b', ['b/1.ts', 'b/c/1.ts', 'b/c/d/1.ts']],
    ['/blob/main/b/c/2.ts', 'b/c', ['b/c/2.ts', 'b/c/d/1.ts']],
    ['/blob/main/README.md', '', ['README.md', 'a/1.ts', 'g/1.ts']],
  ])('of %s is completed as far as it is wanted', async (tail, folder, some) => {
    const { read, trees, server } = await serveCut(8);
    const found = await read(`/o/r${tail}`);
    const { source, files } = await digest(join(await clone(`${server.url}/o/r`), folder), { ref: 'main' });
    expect(found.source.files).toBe(source.files);
    expect(found.files.map(({ path }) => path).sort()).toEqual(files.map(({ path }) => path).sort());
    expect(found.files.map(({ path }) => join(folder, path))).toEqual(expect.arrayContaining(some));
    expect(found.tree.complete).toBe(true);
    expect(trees().length).toBeLessThanOrEqual(11);
  });
});

describe('a repository', () => {
  test('that had moved is asked for where it was, if it is no more where it moved to', async () => {
    const server = await serve(
      { 'new/name': { path: bareWith(SMALL) } },
      { renamed: { 'old/name': 'new/name' } },
    );
    const { read } = reader(server, TOKEN);
    const found = await read('/old/name');
    const seen = watch(server);
    server.intercept = ({ path }) =>
      path === '/api/v3/repos/new/name' ? { kind: 'status', ...notFound() } : undefined;
    expect((await read('/old/name')).text).toBe(found.text);
    const asked = seen().map(({ path }) => path);
    expect(asked.filter((path) => path.startsWith('/api/v3/repos/')).slice(0, 2)).toEqual([
      '/api/v3/repos/new/name',
      '/api/v3/repos/old/name',
    ]);
  });

  test('that was renamed is followed, and named as it is now', async () => {
    const path = bareWith(SMALL);
    const server = await serve({ 'new/name': { path } }, { renamed: { 'old/name': 'new/name' } });
    const { read } = reader(server);
    const found = await read('/old/name');
    expect(found.source).toMatchObject({ name: 'new/name', url: `${server.url}/new/name` });
    expect(found.text).toMatch(/^# new\/name\n/);
    expect(found.warnings).toEqual([
      { code: 'RENAMED', message: 'old/name is now new/name: the host led there.' },
    ]);
    const commit = git(path, 'rev-parse', 'main');
    expect(
      server.requests
        .filter(({ counted }) => counted)
        .map(({ path }) => path)
        .slice(0, 3),
    ).toEqual([
      '/api/v3/repos/old/name',
      '/api/v3/repositories/1001',
      `/api/v3/repos/new/name/git/trees/${commit}?recursive=1`,
    ]);
    expect(sections(found)).toEqual(sections(await digest(await clone(`${server.url}/new/name`))));
    const seen = watch(server);
    expect((await read('/old/name')).text).toBe(found.text);
    expect(counted(seen())).toEqual([]);
  });

  test('is described by what GitHub knows of it', async () => {
    const license = { key: 'mit', name: 'MIT License', spdx_id: 'MIT', url: null, node_id: 'x' };
    const facts = { description: 'Does | things', stargazers_count: 1234, language: 'TypeScript', license };
    const server = await serve({
      'o/r': {
        path: bareWith(SMALL),
        parent: 'p/r',
        facts: { ...facts, topics: ['x', 'y'], archived: true },
      },
      'p/r': { path: bareWith({}) },
    });
    const { source, text } = await reader(server).read('/o/r');
    expect(text).toContain(
      '| Host | Does \\| things; 1,234 stars; TypeScript; MIT; topics x, y; default branch main; archived; a fork |',
    );
    expect(source.host).toEqual({
      description: 'Does | things',
      stars: 1234,
      language: 'TypeScript',
      license: 'MIT',
      defaultBranch: 'main',
      topics: ['x', 'y'],
      archived: true,
      fork: true,
    });
  });
});

describe('trouble', () => {
  /** The kinds of requests to the API. */
  const KINDS = { facts: /\/repos\/o\/r$/, tree: /\/git\/trees\//, blob: /\/git\/blobs\// } as const;

  /** Lets requests of one kind fail so many times, each of them. */
  function failing(
    server: GitHubServer,
    asked: RegExp,
    times: number,
    how: NonNullable<GitHubOptions['intercept']>,
  ) {
    const failed = new Map<string, number>();
    server.intercept = (request: SeenRequest) => {
      const before = failed.get(request.path) ?? 0;
      if (!asked.test(request.path) || before >= times) return undefined;
      failed.set(request.path, before + 1);
      return how(request);
    };
  }

  const SERVER_ERROR = { message: 'Server Error', documentation_url: '', status: '502' };

  test('that passes is not noticed: failures, answers that break off, and slow ones', async () => {
    const hows: readonly [string, number, NonNullable<GitHubOptions['intercept']>][] = [
      ['failures', 2, () => ({ kind: 'status', status: 502, body: SERVER_ERROR })],
      ['cut off', 1, () => ({ kind: 'cut', afterBytes: 8 })],
      ['slow', 1, () => ({ kind: 'slow', bytesPerSecond: 2000 })],
    ];
    await Promise.all(
      hows.flatMap(([what, times, how]) =>
        Object.entries(KINDS).map(async ([kind, asked]) => {
          const server = await serveSmall();
          const one = git(server.path, 'rev-parse', 'main:src/a.ts');
          failing(server, kind === 'blob' ? new RegExp(`/git/blobs/${one}$`) : asked, times, how);
          const { files, warnings } = await reader(server).read('/o/r');
          expect([what, kind, files.map(({ path }) => path), warnings]).toEqual([
            what,
            kind,
            ['README.md', 'src/a.ts', 'src/b.ts'],
            [],
          ]);
        }),
      ),
    );
  });

  test('with contents is told of, and the rest is there', async () => {
    const server = await serveSmall();
    const broken = git(server.path, 'rev-parse', 'main:src/a.ts');
    const blob = new RegExp(`/git/blobs/${broken}$`);
    const hows: readonly [string, NonNullable<GitHubOptions['intercept']>][] = [
      ['broke off while it was fetched', () => ({ kind: 'cut', afterBytes: 8 })],
      ['is not what was asked for', () => ({ kind: 'status', status: 200, body: 'something else' })],
      ['broke off while it was fetched', () => ({ kind: 'stall', afterBytes: 8 })],
      [
        `could not be fetched (${new URL(server.url).host} did not answer for 1 second: `,
        () => ({ kind: 'stall' }),
      ],
    ];
    for (const [reason, how] of hows) {
      withoutGitContents(server, (request) => (blob.test(request.path) ? how(request) : undefined));
      const { files, omitted, text, warnings } = await reader(server).read('/o/r', {
        graph: false,
        remote: { timeout: 1, github: { api: `${server.url}/api/v3` } },
      });
      expect(files.map(({ path }) => path)).toEqual(['README.md', 'src/b.ts']);
      expect(omitted.byReason).toMatchObject({ unfetched: 1 });
      expect(warnings).toEqual([expect.objectContaining({ message: expect.stringContaining(reason) })]);
      expect(text).toMatch(/\| left out: .*fetched.* \| 1 \| 20 \|/);
    }
  });

  test('with what is told of the repository leaves that out', async () => {
    const server = await serve({ 'o/r': { path: bareWith(SMALL) } });
    const odd = {
      topics: null,
      description: { a: 1 },
      license: 'MIT',
      stargazers_count: 'many',
      language: [],
    };
    const facts = { full_name: 'o/r', default_branch: 'main', ...odd };
    server.intercept = ({ path }) =>
      path === '/api/v3/repos/o/r'
        ? {
            kind: 'status',
            status: 200,
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(facts),
          }
        : undefined;
    const { source, files } = await reader(server).read('/o/r');
    expect(source.host).toEqual({ stars: 0, defaultBranch: 'main' });
    expect(files).toHaveLength(3);
  });

  test('with a file of more than 100 MB: nothing is asked for', async () => {
    const server = await serveSmall();
    const commit = git(server.path, 'rev-parse', 'main');
    const sha = 'f'.repeat(40);
    const url = `${server.url}/api/v3/repos/o/r/git/blobs/${sha}`;
    const huge = { path: 'huge.csv', mode: '100644', type: 'blob', sha, size: 100 * 1024 * 1024 + 1, url };
    const treeBody = { sha: commit, url, truncated: false, tree: [huge] };
    server.intercept = ({ path }) =>
      KINDS.tree.test(path) ? { kind: 'status', status: 200, body: treeBody } : undefined;
    const { text, warnings, omitted } = await reader(server).read('/o/r');
    expect(omitted).toMatchObject({ byReason: { unfetched: 1 }, sizeByReason: { unfetched: huge.size } });
    expect(warnings).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('huge.csv is larger than the 100 MB that GitHub gives out'),
      }),
    ]);
    expect(text).toMatch(/\| left out: .*fetched.* \| 1 \| 104,857,601 \|/);
    expect(server.requests.some(({ path }) => path.includes('/blobs/'))).toBe(false);
  });

  test('with the limit while contents are read, and git gives none: each file that is missing is told of', async () => {
    const server = await serveSmall({ limits: { anonymous: 3 } });
    withoutGitContents(server);
    const { files, omitted, warnings } = await reader(server).read('/o/r');
    expect(files).toHaveLength(1);
    // All but the first; whether image.png is text is not known.
    expect(omitted.byReason).toMatchObject({ unfetched: 3 });
    expect(warnings.filter(({ message }) => message.includes('are used up until'))).not.toEqual([]);
  });

  test('with the limit before anything is read: all of it comes by git', async () => {
    const server = await serveSmall();
    server.intercept = ({ path }) =>
      path.startsWith('/api/')
        ? {
            kind: 'status',
            ...limitExceeded({ kind: 'anonymous' }),
            headers: { 'X-RateLimit-Remaining': '0' },
          }
        : undefined;
    const { text, warnings, source } = await reader(server).read('/o/r');
    expect(sections({ text })).toEqual(sections(await digest(`${server.url}/o/r`)));
    expect(source.host).toBeUndefined();
    expect(warnings).toMatchObject([{ code: 'READ_BY_GIT' }]);
  });
});

describe('the cache', () => {
  test('serves all that it has when the host must not be asked', async () => {
    const server = await serveSmall();
    const { read, cache, github } = reader(server);
    const offline = { remote: { cache, github, offline: true } };
    await expect(read('/o/r', offline)).rejects.toMatchObject({ code: 'NOT_IN_CACHE' });
    const { text } = await read('/o/r');
    const seen = watch(server);
    const again = await read('/o/r', offline);
    expect(again).toMatchObject({ text, warnings: [] });
    await expect(read('/o/r/tree/other', offline)).rejects.toMatchObject({ code: 'NOT_IN_CACHE' });
    expect(seen()).toEqual([]);
  });

  test('offline, files that were never shown are told of', async () => {
    const server = await serveSmall();
    const { read, cache, github } = reader(server);
    await read('/o/r', { exclude: ['src/a.ts'] });
    const offline = { cache, github, offline: true };
    const { files, omitted, warnings } = await read('/o/r', { graph: false, remote: offline });
    expect(files.map(({ path }) => path)).toEqual(['README.md', 'src/b.ts']);
    expect(omitted.byReason).toMatchObject({ unfetched: 1 });
    expect(warnings).toEqual([
      expect.objectContaining({ message: expect.stringContaining('is not in the cache') }),
    ]);
  });

  test('whatever is damaged in it, the digest is the same', async () => {
    const server = await serveSmall();
    const { read, cache } = reader(server, TOKEN);
    const { text } = await read('/o/r');
    const files = readdirSync(cache.folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(
      files.map((file) => file.replace(/^.*?github-\w+\//, '').replace(/[\da-f]{30,}/, 'ID')).sort(),
    ).toEqual(
      expect.arrayContaining([
        'api/ID.json',
        'entry.json',
        'refs/ID.json',
        expect.stringMatching(/^blobs\/..\/ID$/),
      ]),
    );
    const damages: readonly ((file: string) => void)[] = [
      (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
      (file) => {
        const bytes = readFileSync(file);
        if (bytes.length > 0) bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      (file) => rmSync(file),
    ];
    for (const file of files) {
      for (const damage of damages) {
        const before = readFileSync(file);
        damage(file);
        if (file.includes('/blobs/')) forgetDigests(cache.folder);
        expect((await read('/o/r')).text, file).toBe(text);
        if (file.includes('/blobs/')) expect(readFileSync(file)).toEqual(before);
      }
    }
  });

  test('is readable by the user only, whatever new files usually are', async () => {
    const server = await serveSmall();
    const { read, cache } = reader(server);
    const before = process.umask(0);
    try {
      await read('/o/r');
    } finally {
      process.umask(before);
    }
    const all = readdirSync(cache.folder, { recursive: true, withFileTypes: true });
    for (const each of all) {
      const mode = statSync(join(each.parentPath, each.name)).mode & 0o777;
      expect([each.name, mode]).toEqual([each.name, each.isDirectory() ? 0o700 : 0o600]);
    }
    expect(all.length).toBeGreaterThan(10);
  });
});

test('progress tells how many files are fetched, how many bytes, and what requests are left', async () => {
  const server = await serveSmall();
  const steps: Progress[] = [];
  await reader(server).read('/o/r', { onProgress: (step) => steps.push(step) });
  const fetching = steps.filter(({ stage }) => stage === 'fetching');
  const size = 8 + 20 + 20 + 3;
  expect(fetching[0]).toEqual({ stage: 'fetching', done: 0 });
  expect(fetching.at(-1)).toEqual({
    stage: 'fetching',
    done: 4,
    total: 4,
    bytes: size,
    requestsLeft: 60 - 2,
  });

  vi.stubEnv('TERM', 'xterm');
  const late = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(1000);
  onTestFinished(() => {
    late.mockRestore();
    vi.unstubAllEnvs();
  });
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  const { update, end } = progressLine({ isTTY: true, write });
  update(fetching.at(-1) as Progress);
  end();
  expect(line).toContain('fetching files 4 of 4, 0.0 MB, 58 API requests left');
});
