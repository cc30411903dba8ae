import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { PlimsollError } from '../src/errors.ts';
import type { Limit } from '../src/measure/limit.ts';
import { checkArguments } from '../src/read/arguments.ts';
import { random } from '../src/secrets/secrets.testing.ts';
import { digestText } from '../src/server/digests.ts';
import { testServices } from '../src/server/server.testing.ts';
import type { Services, ServicesOptions } from '../src/server/services.ts';
import type { Call, ToolResult } from '../src/server/tools/tool.ts';
import { TOOLS } from '../src/server/tools/tools.ts';
import { counted, sharedVaried, watch } from './github-runs.ts';
import { serve as serveGitOf, withoutUserConfig } from './remote.ts';
import { type Files, folderWith, git, repositoryWith } from './repository.ts';
import { bareWith, serve } from './servers/github-fixture.ts';
import type { Json } from './wrapped.ts';

withoutUserConfig();
const varied = sharedVaried();

const MODEL = 'gpt-4o, no such name';
const KEY = `ghp_${random(36)}`;

interface Asking extends Partial<Call> {
  readonly limit?: Limit;
}

/** Calls tools as a client's requests do. */
function caller(services: Services, asking: Asking = {}) {
  return async (name: string, args: Record<string, unknown>, more: Asking = {}): Promise<ToolResult> => {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const call: Call = {
      limit: { chars: 100_000 },
      client: MODEL,
      services,
      signal: new AbortController().signal,
      roots: undefined,
      progress: () => {},
      warn: () => {},
      ...asking,
      ...more,
    };
    const result = await tool.run(checkArguments(name, tool.inputSchema, args), call);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(call.limit.chars);
    return result;
  };
}

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('');
const firstLine = (result: ToolResult): string => textOf(result).split('\n', 1)[0] ?? '';
const dataOf = ({ structuredContent }: ToolResult): Json => structuredContent;
const bodyOf = (result: ToolResult): string => textOf(result).slice(firstLine(result).length + 1);

/** The calls that an answer spells. */
function callsIn(line: string): { name: string; args: Record<string, unknown> }[] {
  return [...line.matchAll(/(\w+_\w+) (\{.*?\})(?=[ .;]|$)/g)].map(([, name, args]) => ({
    name: name as string,
    args: JSON.parse(args as string),
  }));
}

async function failureOf(work: Promise<unknown>): Promise<PlimsollError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (error) => error,
  );
  expect(error).toBeInstanceOf(PlimsollError);
  expect(error.message).not.toContain('\n');
  return error;
}

/** A GitHub of one's own with a repository `o/r`, and its tools. */
async function onGitHub(
  path: string,
  env: Record<string, string> = {},
  options: Partial<ServicesOptions> = {},
) {
  const server = await serve({ 'o/r': { path } });
  const services = testServices(options, { PLIMSOLL_GITHUB_API: `${server.url}/api/v3`, ...env });
  return { server, services, call: caller(services), commit: git(path, 'rev-parse', 'main') };
}

/** A folder that is allowed. */
function inFolder(files: Files, options: Partial<ServicesOptions> = {}) {
  const folder = repositoryWith(files);
  const services = testServices({ folders: [folder], ...options });
  return { folder, services, call: caller(services) };
}

/** All pages of a file, joined. */
async function readAll(call: ReturnType<typeof caller>, args: Record<string, unknown>, limit: Limit) {
  let text = '';
  for (let next: Record<string, unknown> | undefined = args, pages = 1; next; pages++) {
    const page: ToolResult = await call('read_repo_file', next, { limit });
    text += bodyOf(page);
    next = callsIn(firstLine(page))[0]?.args;
    expect(pages).toBeLessThan(1000);
  }
  return text;
}

describe('fetch_github_repo', () => {
  test('gives the digest, after a line with the calls that read on, within the budget', async () => {
    const { call, commit } = await onGitHub(varied());
    const result = await call('fetch_github_repo', { repo_url: 'o/r', budget: '9000' });
    const text = textOf(result);
    expect(text.length).toBeLessThanOrEqual(9000);
    expect(callsIn(firstLine(result))).toEqual([
      { name: 'read_repo_file', args: { repo: 'o/r', ref: commit, path: 'PATH' } },
    ]);
    for (const name of ['search_repo', 'list_repo']) expect(firstLine(result)).toContain(name);
    expect(text).toContain('\n# o/r\n');
    expect(text).toContain('9,000 characters');
    expect(text).not.toContain('--budget');
    expect(result._meta).toEqual({
      'dev.plimsoll/digest': {
        name: 'o/r',
        ref: 'main',
        commit,
        files: expect.any(Number),
        shown: expect.any(Number),
        shownInPart: expect.any(Number),
        omitted: expect.objectContaining({ generated: expect.any(Number) }),
        budget: { unit: 'chars', limit: 9000, used: text.length },
      },
    });
    expect(result).not.toHaveProperty('structuredContent');
  });

  test('says so where the budget is lowered, and to what', async () => {
    const { call } = await onGitHub(varied(), { PLIMSOLL_DIGEST_BUDGET: '20000' });
    const whole = await call('fetch_github_repo', { repo_url: 'o/r' });
    expect(firstLine(whole)).not.toContain('lowered');
    const bySetting = await call('fetch_github_repo', { repo_url: 'o/r', budget: 30_000 });
    expect(firstLine(bySetting)).toContain("lowered to 20,000 characters: the user's settings");
    expect(textOf(bySetting).length).toBeLessThanOrEqual(20_000);
    const limit = { chars: 8000 };
    const byClient = await call('fetch_github_repo', { repo_url: 'o/r' }, { limit });
    expect(firstLine(byClient)).toMatch(/lowered to 7,\d{3} characters/);
    const tokens = { chars: 400_000, tokens: 3000 };
    const byTokens = await call('fetch_github_repo', { repo_url: 'o/r' }, { limit: tokens });
    expect(countTokens(JSON.stringify(byTokens))).toBeLessThanOrEqual(3000);
    expect(countTokens(JSON.stringify(byTokens))).toBeGreaterThan(2000);
    expect(firstLine(byTokens)).toContain('lowered');
    const inTokens = await call('fetch_github_repo', { repo_url: 'o/r', budget: '3000tok' });
    expect(countTokens(textOf(inTokens))).toBeLessThanOrEqual(3000);
    expect(firstLine(inTokens)).not.toContain('lowered');
    const tooMany = await call('fetch_github_repo', { repo_url: 'o/r', budget: '90000tok' });
    expect(textOf(tooMany).length).toBeLessThanOrEqual(20_000);
    expect(firstLine(tooMany)).toContain('lowered to 20,000 characters');
  });

  test('digests a folder of it, whose files read on by their paths in the whole', async () => {
    const { server, call, commit } = await onGitHub(varied());
    const args = { repo: `${server.url}/o/r`, ref: commit, path: 'src/PATH' };
    for (const asked of [
      { repo_url: `${server.url}/o/r/tree/main/src` },
      { repo_url: `${server.url}/o/r`, path: '/src/' },
      { repo_url: `${server.url}/o/r`, path: 'src', ref: commit },
    ]) {
      const result = await call('fetch_github_repo', asked);
      expect(callsIn(firstLine(result))[0]?.args).toEqual(args);
      const file = await call('read_repo_file', { ...args, path: 'src/a/b/c/deep.ts' });
      expect(bodyOf(file)).toBe('export const deep = 1;\n');
    }
    const file = await call('fetch_github_repo', { repo_url: 'o/r', path: 'src/main.ts', budget: '2500' });
    expect(textOf(file)).toContain('export const main');
  });

  test('is XML that parses, with the line in a comment', async () => {
    const { call } = await onGitHub(bareWith({ 'a--b.txt': 'text\n' }));
    const text = textOf(await call('fetch_github_repo', { repo_url: 'o/r', format: 'xml' }));
    const [, comment, rest] = /^<!-- (.*) -->\n([\s\S]*)$/.exec(text) ?? [];
    expect(comment).not.toContain('--');
    expect(rest).toMatch(/^<digest /);
  });

  test('tells how far it is, and stops when the call is cancelled', async () => {
    const { server, call } = await onGitHub(varied());
    const said: string[] = [];
    await call('fetch_github_repo', { repo_url: 'o/r' }, { progress: (message) => said.push(message) });
    expect(said.join('\n')).toMatch(/fetching files[\s\S]*ranking files \d[\s\S]*reading files/);

    const other = await onGitHub(varied());
    const stop = new AbortController();
    other.server.intercept = (request) => {
      if (request.path.includes('/git/trees/')) stop.abort();
      return undefined;
    };
    const error = await failureOf(
      other.call('fetch_github_repo', { repo_url: 'o/r' }, { signal: stop.signal }),
    );
    expect(error.code).toBe('ABORTED');
    expect(server.strayConnects).toEqual([]);
  });

  test.each([
    ['a folder', { repo_url: '/etc' }, 'digest_folder'],
    ['a folder by its address', { repo_url: 'file:///etc' }, 'digest_folder'],
    ['a name', { repo_url: 'fastify' }, 'digest_folder'],
    ['nothing', { repo_url: '' }, 'address is empty'],
    ['no address', { repo_url: 'a b:c' }, 'neither a path here nor an address'],
    ['a repository that is not there', { repo_url: 'o/none' }, 'o/none'],
    ['a budget of nothing', { repo_url: 'o/r', budget: 0 }, "Not a budget: '0'"],
    ['a budget that is too small', { repo_url: 'o/r', budget: '20' }, 'too small'],
    ['an unknown ref', { repo_url: 'o/r', ref: 'none' }, 'has not got none'],
    ['a ref that is none', { repo_url: 'o/r', ref: '--upload-pack=x' }, 'give one with ref'],
    ['a path that is not there', { repo_url: 'o/r', path: 'lib/main.ts' }, 'There is src/main.ts'],
    ['a path that leads out', { repo_url: 'o/r', path: '../x' }, 'leads out of the repository'],
  ])('refuses %s in one line', async (_, args, words) => {
    const { call } = await onGitHub(varied());
    const { message } = await failureOf(call('fetch_github_repo', args));
    expect(message).toContain(words);
    expect(message).not.toMatch(/--(?:ref|offline|no-cache|include)/);
  });

  test('gives the text of a digest as a resource', async () => {
    const { services, commit } = await onGitHub(varied());
    const signal = new AbortController().signal;
    const call = {
      services,
      signal,
      roots: undefined,
      progress: () => {},
      warn: () => {},
      limit: { chars: 5000 },
    };
    const text = await digestText(call, 'o/r');
    expect(text).toContain(commit);
    expect(text.length).toBeLessThan(5000);
  });
});

describe('what was fetched', () => {
  test('is read, listed and searched without a request', async () => {
    const { server, call, commit } = await onGitHub(
      bareWith({ 'README.md': '# A\n', 'src/a.ts': 'alpha\n' }),
    );
    await call('fetch_github_repo', { repo_url: 'o/r' });
    const seen = watch(server);
    const pinned = { repo: 'o/r', ref: commit };
    expect(bodyOf(await call('read_repo_file', { ...pinned, path: 'src/a.ts' }))).toBe('alpha\n');
    expect(dataOf(await call('list_repo', pinned)).entries[0]).toEqual({ name: 'src/', files: 1, bytes: 6 });
    expect(textOf(await call('search_repo', { ...pinned, pattern: 'alph' }))).toContain('1: alpha');
    await call('fetch_github_repo', { repo_url: 'o/r', ref: commit });
    expect(seen()).toEqual([]);
  });

  test('is fetched when it is read, if no digest has shown it, and only that', async () => {
    const { server, call, commit } = await onGitHub(varied());
    await call('fetch_github_repo', { repo_url: 'o/r', budget: '3000' });
    const seen = watch(server);
    await call('read_repo_file', { repo: 'o/r', ref: commit, path: 'with space/a b.txt' });
    expect(counted(seen())).toEqual([]);
    const again = watch(server);
    await call('read_repo_file', { repo: 'o/r', ref: commit, path: 'with space/a b.txt' });
    expect(again()).toEqual([]);
  });

  test('is read on by an address without its password', async () => {
    const path = bareWith({ 'README.md': '# A\n' });
    const { url } = await serveGitOf(join(path, '..'));
    const address = `${url.replace('//', '//me:hidden@')}/${path.split('/').at(-1)}`;
    const call = caller(testServices());
    const result = await call('fetch_github_repo', { repo_url: address });
    expect(JSON.stringify(result)).not.toContain('hidden');
    const args = callsIn(firstLine(result))[0]?.args;
    expect(bodyOf(await call('read_repo_file', { ...args, path: 'README.md' }))).toBe('# A\n');
  });

  test('is used on any host that speaks git, also of a folder alone', async () => {
    const path = bareWith({ 'README.md': '# A\n', 'sub/a.txt': 'alpha\n', 'sub/deep/b.txt': 'beta\n' });
    const server = await serveGitOf(join(path, '..'));
    const url = `${server.url}/${path.split('/').at(-1)}`;
    const call = caller(testServices());
    const result = await call('fetch_github_repo', { repo_url: url, path: 'sub' });
    const args = callsIn(firstLine(result))[0]?.args as { repo: string; ref: string; path: string };
    expect(args).toEqual({ repo: url, ref: git(path, 'rev-parse', 'main'), path: 'sub/PATH' });
    await server.close();
    const { repo, ref } = args;
    expect(bodyOf(await call('read_repo_file', { repo, ref, path: 'sub/deep/b.txt' }))).toBe('beta\n');
    expect(dataOf(await call('list_repo', { repo, ref, path: 'sub' })).entries[0]).toEqual({
      name: 'deep/',
      files: 1,
      bytes: 5,
    });
    const found = await call('search_repo', { repo, ref, path: 'sub', pattern: 'a' });
    expect(textOf(found)).toContain('sub/deep/b.txt\n1: beta');
    expect((await failureOf(call('list_repo', { repo }))).code).toBe('HOST_UNREACHABLE');
  });
});

describe('read_repo_file', () => {
  test.each([1500, 4000, 30_000])('gives a file that its pages rebuild exactly: %d', async (chars) => {
    const { services } = await onGitHub(varied());
    const call = caller(services);
    for (const path of ['src/main.ts', 'crlf.txt', 'utf16.txt', 'latin1.txt', 'docs/guide.md']) {
      const args = { repo: 'o/r', path };
      const whole = bodyOf(await call('read_repo_file', args));
      expect(whole.length).toBeGreaterThan(5);
      expect(await readAll(call, args, { chars })).toBe(whole);
    }
  });

  test('rebuilds long files, long lines and lines of all kinds, in any units', async () => {
    const files = {
      'long.txt': Array.from({ length: 3000 }, (_, i) => `line ${i} "${'é😀\\'.repeat(i % 13)}"\n`).join(''),
      'one-line.txt': '👩‍👩‍👧 "quoted" \\ and more; '.repeat(2000),
      'ends.txt': '\n\n\r\n\n',
      'no-end.txt': 'a\nb',
    };
    const { folder, call } = inFolder(files);
    for (const [path, text] of Object.entries(files)) {
      for (const limit of [{ chars: 5000 }, { chars: 50_000, tokens: 2000 }, { chars: 50_000, lines: 60 }]) {
        expect([path, await readAll(call, { repo: folder, path }, limit)]).toEqual([path, text]);
      }
    }
  });

  test('gives lines, and what there is to know of them', async () => {
    const text = Array.from({ length: 200 }, (_, i) => `${i + 1}\n`).join('');
    const { folder, call } = inFolder({ 'a.txt': text, 'empty.txt': '' });
    const read = (lines: string) => call('read_repo_file', { repo: folder, path: 'a.txt', lines });
    const page = await read('120-122');
    expect(bodyOf(page)).toBe('120\n121\n122\n');
    expect(firstLine(page)).toContain('lines 120–122 of 200');
    expect(firstLine(page)).toContain('not instructions');
    expect(bodyOf(await read('199-'))).toBe('199\n200\n');
    expect(bodyOf(await read('7'))).toBe('7\n');
    expect(bodyOf(await read('199-900'))).toBe('199\n200\n');
    for (const lines of ['0', '5-3', 'x', '-4', '1-2-3']) {
      expect((await failureOf(read(lines))).message).toContain('are no lines');
    }
    expect((await failureOf(read('201'))).message).toContain('has 200 lines');
    expect(textOf(await call('read_repo_file', { repo: folder, path: 'empty.txt' }))).toContain('is empty');
  });

  test('replaces secrets, also where a page ends in the middle of one, unless the user wants them', async () => {
    const text = `${'x'.repeat(700)}\ntoken = "${KEY}"\n${'y'.repeat(700)}\n`;
    const { folder, call } = inFolder({ 'a.txt': text });
    for (const chars of [1400, 1500, 1600, 1700]) {
      const all = await readAll(call, { repo: folder, path: 'a.txt' }, { chars });
      expect(all).toBe(text.replace(KEY, '[redacted: github-token]'));
    }
    const page = await call('read_repo_file', { repo: folder, path: 'a.txt' });
    expect(firstLine(page)).toContain('1 secret replaced');
    const services = testServices({ folders: [folder] }, { PLIMSOLL_DIGEST_REDACT: 'false' });
    expect(textOf(await caller(services)('read_repo_file', { repo: folder, path: 'a.txt' }))).toContain(KEY);
  });

  test('says what a path is that has no text', async () => {
    const { call } = await onGitHub(varied());
    const cases: [string, string][] = [
      ['image.png', 'is binary'],
      ['weights.bin', 'is a Git LFS pointer to 1,234,567 bytes'],
      ['notes.tmp', 'ignored or excluded'],
      ['src', 'To list it: list_repo {'],
      ['lib/main.ts', 'There is src/main.ts'],
      ['MAIN.js', 'There is src/main.ts'],
      ['nothing-like-it', 'There is no nothing-like-it'],
      ['src/nothing-like-it', 'There is no src/nothing-like-it. There is the folder src.'],
      ['../../etc/passwd', 'leads out'],
    ];
    for (const [path, words] of cases) {
      expect((await failureOf(call('read_repo_file', { repo: 'o/r', path }))).message).toContain(words);
    }
    expect(bodyOf(await call('read_repo_file', { repo: 'o/r', path: 'gen/out.ts' }))).toContain('generated');
  });

  test('does not show what the user excludes, however it is asked for', async () => {
    const folder = repositoryWith({ 'a.txt': 'alpha\n', 'private/b.txt': 'beta\n' });
    const services = testServices({ folders: [folder] });
    const { settings } = services;
    const excluding = testServices({ ...settings, digest: { ...settings.digest, exclude: ['private/*'] } });
    const call = caller(excluding);
    const { message } = await failureOf(call('read_repo_file', { repo: folder, path: 'private/b.txt' }));
    expect(message).toContain('excluded');
    expect(textOf(await call('search_repo', { repo: folder, pattern: 'beta' }))).toContain('1 excluded');
    const only = await call('search_repo', { repo: folder, pattern: 'beta', path: 'private/b.txt' });
    expect(firstLine(only)).toMatch(/^No line of .* matches;/);
  });

  test('refuses a file that is too large', async () => {
    const { folder, call } = inFolder({ 'big.txt': 'x'.repeat(9_000_000) });
    const { message } = await failureOf(call('read_repo_file', { repo: folder, path: 'big.txt' }));
    expect(message).toContain('9,000,000 bytes');
    const found = await call('search_repo', { repo: folder, pattern: 'x' });
    expect(firstLine(found)).toContain('1 too large');
  });
});

describe('list_repo', () => {
  test('lists a folder in pages', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`many/file-${i}.txt`, 'x'.repeat(i)]),
    );
    const { folder, call } = inFolder({ ...files, 'yarn.lock': 'lock\n', 'many/sub/a.txt': 'a' });
    expect(dataOf(await call('list_repo', { repo: folder }))).toEqual({
      note: expect.stringMatching(/: 2 entries, folders first\.$/),
      total: 2,
      entries: [
        { name: 'many/', files: 151, bytes: 11176 },
        { name: 'yarn.lock', bytes: 5, omitted: 'lock file' },
      ],
    });
    const names: string[] = [];
    for (let args: Record<string, unknown> | undefined = { repo: folder, path: 'many' }; args; ) {
      const { note, next, entries, total } = dataOf(
        await call('list_repo', args, { limit: { chars: 2000 } }),
      );
      expect(total).toBe(151);
      names.push(...entries.map(({ name }: Json) => name));
      args = callsIn(note)[0]?.args;
      expect(args?.from).toBe(next);
    }
    expect(names).toHaveLength(151);
    expect(new Set(names).size).toBe(151);
    expect(names[0]).toBe('sub/');
    expect((await failureOf(call('list_repo', { repo: folder, from: 2 }))).message).toContain(
      'has 2 entries',
    );
    const { message } = await failureOf(call('list_repo', { repo: folder, path: 'many/file-1.txt' }));
    expect(callsIn(message)[0]).toEqual({
      name: 'read_repo_file',
      args: { repo: folder, path: 'many/file-1.txt' },
    });
  });

  test('names links, submodules and strange names as they are', async () => {
    const { call } = await onGitHub(varied());
    const root = dataOf(await call('list_repo', { repo: 'o/r' })).entries;
    expect(root).toContainEqual({ name: expect.any(String), target: expect.any(String) });
    expect(root).toContainEqual({ name: 'new␊line.txt', bytes: 10 });
    for (const [path, text] of [
      ['with space/a b.txt', 'spaces\n'],
      ['new␊line.txt', 'a newline\n'],
      ['back\\slash.txt', 'a backslash\n'],
    ] as const) {
      expect(bodyOf(await call('read_repo_file', { repo: 'o/r', path }))).toBe(text);
    }
    const { entries } = dataOf(await call('list_repo', { repo: 'o/r', path: 'lib' }));
    expect(entries).toContainEqual({ name: 'module', repository: '0123456789ab' });
  });

  test('gives names with accents that are read however the accents are written', async () => {
    const folder = folderWith({ 'decompose\u0301.txt': 'one\n', 'compos\u00e9.txt': 'two\n' });
    const call = caller(testServices({ folders: [folder] }));
    const read = async (path: string) => bodyOf(await call('read_repo_file', { repo: folder, path }));
    expect(await read('decompos\u00e9.txt')).toBe('one\n');
    expect(await read('compose\u0301.txt')).toBe('two\n');
  });
});

describe('search_repo', () => {
  const FILES = {
    'README.md': '# Needles\n\nOne needle.\n',
    'src/a.ts': 'one\nneedle two\nthree\nfour\nfive\nneedle six\n',
    'src/b.ts': 'nothing\n',
    'src/crlf.ts': 'needle\r\nend\r\n',
    'yarn.lock': 'needle\n',
    'image.png': Buffer.from([0, 1, 2]),
  };

  test('finds lines with their numbers and what is around them, and says what was not searched', async () => {
    const { folder, call } = inFolder(FILES);
    const found = await call('search_repo', { repo: folder, pattern: 'needle' });
    expect(firstLine(found)).toContain('4 lines in 3 files');
    expect(firstLine(found)).toContain('4 files searched; not searched: 1 binary, 1 lock file');
    expect(bodyOf(found)).toBe(
      [
        'README.md',
        '2- ',
        '3: One needle.',
        '',
        'src/a.ts',
        '1- one',
        '2: needle two',
        '3- three',
        '--',
        '5- five',
        '6: needle six',
        '',
        'src/crlf.ts',
        '1: needle',
        '2- end',
      ].join('\n'),
    );
    const [read] = callsIn(firstLine(found));
    expect(bodyOf(await call('read_repo_file', read?.args ?? {}))).toBe('One needle.\n');
    const none = await call('search_repo', { repo: folder, pattern: 'haystack' });
    expect(textOf(none)).toMatch(
      /^No line of .* matches; 4 files searched.*\. Case counts; regex: true .*\(\?i\)/,
    );
    const lock = await call('search_repo', { repo: folder, pattern: 'needle', path: 'yarn.lock' });
    expect(bodyOf(lock)).toBe('yarn.lock\n1: needle');
    const below = await call('search_repo', {
      repo: folder,
      pattern: '^NEEDLE|(?i)ONE$',
      regex: true,
      path: 'src',
    });
    expect(bodyOf(below)).toContain('1: one');
  });

  test('goes on where an answer ends, and finds each line once', async () => {
    const lines = (file: number) =>
      Array.from({ length: 60 }, (_, i) => (i % 2 ? `other\n` : `needle ${file}-${i} "\\"\n`)).join('');
    const { folder, call } = inFolder(
      Object.fromEntries(Array.from({ length: 9 }, (_, file) => [`src/f${file}.txt`, lines(file)])),
    );
    const seen: string[] = [];
    let pages = 0;
    let args: Record<string, unknown> | undefined = { repo: folder, pattern: 'needle \\d', regex: true };
    for (; args; pages++) {
      const page: ToolResult = await call('search_repo', args, { limit: { chars: 3000 } });
      seen.push(...(bodyOf(page).match(/needle \d-\d+/g) ?? []));
      args = callsIn(firstLine(page)).find(({ name }) => name === 'search_repo')?.args;
    }
    expect(pages).toBeGreaterThan(3);
    expect(seen).toHaveLength(270);
    expect(new Set(seen).size).toBe(270);
  });

  test('takes linear time, and tells of no secret', async () => {
    const text = `${'a'.repeat(50_000)}!\n`.repeat(20);
    const { folder, call } = inFolder({ 'a.txt': text, 'b.txt': `token = "${KEY}"\n` });
    const before = performance.now();
    const found = await call('search_repo', { repo: folder, pattern: '(a+)+$', regex: true });
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(firstLine(found)).toContain('20 very long lines');
    for (const pattern of [KEY, KEY.slice(0, 10)]) {
      const secret = await call('search_repo', { repo: folder, pattern });
      expect(firstLine(secret)).toMatch(/^No line of .* matches;/);
    }
    const beside = await call('search_repo', { repo: folder, pattern: 'token =' });
    expect(textOf(beside)).not.toContain(KEY);
    const { code } = await failureOf(call('search_repo', { repo: folder, pattern: '(?=x)', regex: true }));
    expect(code).toBe('BAD_PATTERN');
    expect((await failureOf(call('search_repo', { repo: folder, pattern: 'x', from: 'y' }))).code).toBe(
      'BAD_USAGE',
    );
  });

  test('stops when the call is cancelled', async () => {
    const { folder, call } = inFolder(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.txt`, 'ab\n'.repeat(2000)])),
    );
    const stop = new AbortController();
    const progress = () => stop.abort();
    const asked = { repo: folder, pattern: 'zz+', regex: true };
    const error = await failureOf(call('search_repo', asked, { signal: stop.signal, progress }));
    expect(error.code).toBe('ABORTED');
  });
});

describe('folders', () => {
  test('are digested from what is in hand, a list or a single path', async () => {
    const root = folderWith({ 'README.md': '# Sample\n', 'src/a.ts': 'a();\n', 'src/b.ts': 'b();\n' });
    const call = caller(testServices({ workFolder: undefined }), { roots: [root] });
    const firstOf = async (focus_paths: unknown): Promise<string | undefined> =>
      /^### `(.*?)`/m.exec(textOf(await call('digest_folder', { path: root, focus_paths })))?.[1];
    expect(await firstOf([])).toBe('README.md');
    expect(await firstOf(['src/b.ts', 'src/a.ts'])).toBe('src/b.ts');
    expect(await firstOf('src/b.ts')).toBe('src/b.ts');
    for (const [wrong, said] of [
      [['none.ts'], 'focus_paths none.ts'],
      [[1], "'focus_paths' has to be a list of texts"],
      [{ path: 'src/b.ts' }, "'focus_paths' has to be a list of texts"],
    ] as const) {
      expect((await failureOf(firstOf(wrong))).message).toContain(said);
    }
  });

  test('are looked into only below what is allowed, whatever links there are', async () => {
    const base = folderWith({ 'in/a.txt': 'alpha\n', 'out/secret.txt': 'beta\n', 'incident/c.txt': 'c\n' });
    const inside = join(base, 'in');
    symlinkSync(join(base, 'out'), join(inside, 'link'));
    symlinkSync(inside, join(base, 'way'));
    const call = caller(testServices({ workFolder: undefined }), { roots: [join(base, 'way')] });
    for (const path of [inside, join(base, 'way'), '.', `${inside}/../in`]) {
      const text = textOf(await call('digest_folder', { path }));
      expect(text).toContain('alpha');
      expect(text).not.toContain('beta');
    }
    const outside = [
      join(inside, 'link'),
      join(base, 'out'),
      base,
      '..',
      join(base, 'incident'),
      '/',
      '/none',
    ];
    for (const path of [...outside, `${inside}\0`, '~', '~/.ssh']) {
      for (const [name, args] of [
        ['digest_folder', { path }],
        ['list_repo', { repo: path.startsWith('.') ? `${path}/` : path }],
        ['search_repo', { repo: path.startsWith('.') ? `${path}/` : path, pattern: 'b' }],
        ['read_repo_file', { repo: path.startsWith('.') ? `${path}/` : path, path: 'secret.txt' }],
      ] as const) {
        const { code, message } = await failureOf(call(name, args));
        expect([name, path, code]).toEqual([name, path, 'SOURCE_NOT_ALLOWED']);
        expect(message).toContain(join(base, 'way'));
        expect(message).toContain('--root');
      }
    }
    const { message } = await failureOf(call('read_repo_file', { repo: inside, path: 'link/secret.txt' }));
    expect(message).not.toContain('beta');
    expect((await failureOf(call('read_repo_file', { repo: inside, path: 'link' }))).message).toContain(
      'symbolic link',
    );
    expect((await failureOf(call('digest_folder', { path: join(inside, 'none') }))).code).toBe(
      'SOURCE_NOT_FOUND',
    );
  });

  test('of roots count only where they are trusted; the home is no place to work in', async () => {
    const root = folderWith({ 'a.txt': 'alpha\n' });
    const distrustful = caller(testServices({ areRootsTrusted: false, workFolder: '/' }), { roots: [root] });
    expect((await failureOf(distrustful('digest_folder', { path: root }))).message).toContain(
      'No folder is allowed yet: one is with plimsoll serve --root FOLDER.',
    );
    for (const workFolder of ['/', homedir(), join(homedir(), '..')]) {
      const call = caller(testServices({ workFolder }));
      expect((await failureOf(call('digest_folder', { path: root }))).code).toBe('SOURCE_NOT_ALLOWED');
    }
    const work = caller(testServices({ workFolder: root }));
    expect(textOf(await work('digest_folder', { path: '.' }))).toContain('alpha');
  });

  test('show a commit, if one is asked for, and files as they stand otherwise', async () => {
    const { folder, call } = inFolder({ 'a.txt': 'alpha\n' });
    const ref = git(folder, 'rev-parse', 'HEAD');
    mkdirSync(join(folder, 'new'));
    const now = await call('digest_folder', { path: folder });
    expect(callsIn(firstLine(now))[0]?.args).toEqual({ repo: folder, path: 'PATH' });
    const then = await call('digest_folder', { path: folder, ref: 'main' });
    expect(callsIn(firstLine(then))[0]?.args).toEqual({ repo: folder, ref, path: 'PATH' });
    expect((await failureOf(call('digest_folder', { path: folder, ref: 'none' }))).code).toBe('BAD_REF');
  });
});

test('without a cache everything works as well', async () => {
  const { call, commit } = await onGitHub(varied(), { PLIMSOLL_CACHE: 'false' });
  const file = await call('read_repo_file', { repo: 'o/r', ref: commit, path: 'src/main.ts' });
  expect(bodyOf(file)).toContain('export const main');
});
