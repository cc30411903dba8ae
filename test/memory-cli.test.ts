import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = resolve('dist/cli/main.js');

let base: string;
let data: string;
let here: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-memory-cli-')));
  data = join(base, 'data');
  here = join(base, 'here');
  mkdirSync(here);
});

afterEach(() => rmSync(base, { recursive: true }));

const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER)_/.test(name)),
);

/** Runs `plimsoll memory` with a data folder of the test's own. */
function memory(...args: string[]) {
  return withStdin('', ...args);
}

async function withStdin(input: string | Buffer, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'memory', ...args], {
    cwd: here,
    env: { ...env, PLIMSOLL_DATA_DIR: data, TZ: 'Europe/Berlin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** What a command prints that goes well and has nothing to warn of. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await memory(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

function context(content?: string | Buffer): string {
  const path = join(data, 'context.json');
  if (content !== undefined) {
    mkdirSync(data, { recursive: true });
    writeFileSync(path, content);
    const old = new Date(Date.now() - 60_000);
    utimesSync(path, old, old);
  }
  return readFileSync(path, 'utf8');
}

describe('facts', () => {
  test('are set, read, found and deleted; a deletion is undone', async () => {
    expect(await printed('set', 'people.maria.role', 'CTO')).toBe(
      'Set people.maria.role in the global memory. Change 1: plimsoll memory undo 1 takes it back.\n',
    );
    expect(await printed('set', 'people.maria.since', '2019', '--json')).toContain('Change 2');
    expect(context()).toBe(
      '{\n  "people": {\n    "maria": {\n      "role": "CTO",\n      "since": 2019\n    }\n  }\n}\n',
    );
    expect(await printed('get', 'people.maria.role')).toBe('CTO\n');
    expect(await printed('get', 'people.maria.role', '--json')).toBe('"CTO"\n');
    expect(JSON.parse(await printed('get', 'people'))).toEqual({ maria: { role: 'CTO', since: 2019 } });
    expect(await printed('set', 'people.maria.role', 'CEO')).toContain('It was "CTO". Change 3');
    expect(await printed('set', 'people.maria.role', 'CEO')).toContain('nothing was changed');
    expect(await printed('delete', 'people')).toMatch(/^Deleted people in the global memory\. It was \{/);
    expect(context()).toBe('{}\n');
    expect(await printed('undo', '4')).toMatch(/^Took change 4 of the global memory back: 1 key\. Change 5/);
    expect(await printed('get', 'people.maria.role')).toBe('CEO\n');
  });

  test('come from stdin, and may begin with a dash', async () => {
    await printed('set', 'balance', '--', '-5');
    expect(await printed('get', 'balance')).toBe('-5\n');
    expect((await withStdin('one\n\ttwo\n\n', 'set', 'note', '-')).code).toBe(0);
    expect(await printed('get', 'note', '--json')).toBe('"one\\n\\ttwo\\n"\n');
    expect((await withStdin('[1, 2.0]\n', 'set', 'list', '-', '--json')).code).toBe(0);
    expect(await printed('get', 'list')).toBe('[1, 2.0]\n');
    expect(await withStdin(Buffer.from([0xff]), 'set', 'note', '-')).toMatchObject({
      code: 2,
      stderr: 'plimsoll: What comes from stdin is not UTF-8.\n',
    });
  });

  test.each([
    [['get', 'people.mara'], 1, 'There is no key people.mara. Like it: people.maria'],
    [['delete', 'people.mara'], 1, 'There is no key people.mara. Like it: people.maria'],
    [['set', 'a..b', 'x'], 2, '"a..b" can\'t be a key: '],
    [['set', '__proto__.x', 'x'], 2, '"__proto__.x" can\'t be a key: '],
    [['set', 'a', 'x', '--json'], 2, 'The value is not JSON.'],
    [['set', 'people', 'x'], 1, '"people" is a section with 1 key, which a value would replace.'],
    [['set', 'a', 'x', '--scope', 'project'], 2, 'No memory of a project is read here.'],
    [['set', 'a', 'x', '--scope', 'mine'], 2, "Option '--scope <SCOPE>' argument 'mine' is invalid."],
    [['diary', '--last', '-1'], 2, "Not a whole number from 0: '-1'."],
    [['diary', '--since', 'soon'], 2, "Not a date: 'soon'."],
    [['diary', 'add', ' '], 2, 'An entry needs some text.'],
    [['diary', 'add', 'x', '--tag', 'a]'], 2, 'A tag is one line'],
    [['undo', '9'], 1, 'There is no change 9 to take back'],
    [['undo', 'x'], 2, "Not a whole number from 0: 'x'."],
    [['init'], 2, 'Give --project'],
    [['repair', '--apply', 'best'], 2, "Option '--apply <STATE>' argument 'best' is invalid."],
    [['import', 'x.txt'], 2, 'What is in x.txt? Give --format json, markdown, jsonl.'],
    [['import', 'x.json'], 1, "Cannot read 'x.json': no such file or directory."],
    [['export', '--format', 'markdown', '--diary'], 2, '--diary goes with JSON alone'],
    [['export', '-o', 'none/x.json'], 1, "Cannot write 'none/x.json'"],
    [['forget'], 2, "Unknown command 'forget'. Give plimsoll memory get, set, "],
  ])('%j is refused', async (args, code, message) => {
    context('{"people": {"maria": "CTO"}}');
    const { stderr, ...rest } = await memory(...args);
    expect(rest).toEqual({ code, stdout: '' });
    expect(stderr).toContain(`plimsoll: ${message}`);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(context()).toBe('{"people": {"maria": "CTO"}}');
  });

  test('are searched, also for programs', async () => {
    context('{"people": {"maria": "Zürich"}, "city": "zurich", "n": 1}');
    expect(await printed('search', 'ZURICH')).toBe('people.maria: "Zürich"\ncity: "zurich"\n2 matches\n');
    expect(await printed('search', 'zurich', '--limit', '1')).toBe(
      'people.maria: "Zürich"\n1 of 2 matches\n',
    );
    expect(JSON.parse(await printed('search', 'maria', '--json'))).toMatchObject({
      total: 1,
      hits: [{ key: 'people.maria', json: '"Zürich"', scope: 'global' }],
    });
    expect(await printed('search', 'qqqqqqqq')).toMatch(/^No match\./);
  });

  test('are printed as a section as if it stood alone', async () => {
    context('{\n  "a": {\n    "b": {\n      "c": 1.0\n    }\n  }\n}\n');
    expect(await printed('get', 'a.b')).toBe('{\n  "c": 1.0\n}\n');
  });

  test('with dots in their keys are found, and told from sections', async () => {
    context('{"v1.2": "literal", "v1": {"2": "nested"}}');
    expect(await memory('get', 'v1.2')).toEqual({
      code: 0,
      stdout: 'nested\n',
      stderr: 'plimsoll: warning: this is v1.2; there is v1\\.2 as well\n',
    });
    expect(await printed('get', 'v1\\.2')).toBe('literal\n');
  });

  test('are printed with nothing that acts on a terminal, but as they are where they are read by programs', async () => {
    const value = 'a\x1b[2J\u202eb\u009b';
    await printed('set', 'k', '--', value);
    expect(await printed('get', 'k')).toBe(`${value}\n`);
    expect(JSON.parse(await printed('get', 'k', '--json'))).toBe(value);
    for (const args of [['search', 'k'], ['log'], ['history', 'k'], ['delete', 'k']]) {
      const stdout = await printed(...args);
      expect(stdout).not.toMatch(/[\x1b\u202e\u009b]/);
      expect(stdout).toContain('<U+202E>b');
    }
  });
});

describe('the diary', () => {
  test('is written and read, by tag, text and count', async () => {
    expect(await printed('diary')).toBe('No entries.\n');
    expect(await printed('diary', 'add', 'Moved in', '--tag', 'work')).toMatch(
      /^Added to the global diary: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0[12]:00\.\n$/,
    );
    expect((await withStdin('## 2026-01-01 00:00:00\n\nforged\x1b\n', 'diary', 'add', '-')).code).toBe(0);
    expect(await printed('diary')).toMatch(
      /^\S+ \S+ \S+ \[work\]\n {2}Moved in\n\n\S+ \S+ \S+\n {2}## 2026-01-01 00:00:00\n\n {2}forged␛\n\n$/,
    );
    expect(await printed('diary', '--tag', 'WORK')).toMatch(/^\S+ \S+ \S+ \[work\]\n {2}Moved in\n\n$/);
    expect(await printed('diary', '--last', '1')).toMatch(/forged␛\n\n1 of 2 entries\n$/);
    expect(await printed('diary', '--last', '0')).toBe('0 of 2 entries\n');
    expect(await printed('diary', '--last', '99999999999999999999')).toContain('Moved in');
    expect(await printed('diary', '--text', 'nothing')).toBe('No entries.\n');
    expect(await printed('diary', '--until', '2001-01-01')).toBe('No entries.\n');
    const { entries, total } = JSON.parse(await printed('diary', '--json', '--since', '2001-01-01'));
    expect(total).toBe(2);
    expect(entries[1].text).toBe('## 2026-01-01 00:00:00\n\nforged\x1b');
  });
});

describe('changes', () => {
  test('are listed and taken back, unless the key is another by now', async () => {
    expect(await printed('log')).toBe('No changes.\n');
    await printed('set', 'a', 'one');
    await printed('set', 'a', 'two');
    expect(await printed('log')).toMatch(
      /^change 2, \S+Z, by cli\n {2}a: "two", was "one"\n\nchange 1, \S+Z, by cli\n {2}a: "one"\n$/,
    );
    expect(JSON.parse(await printed('log', '--last', '1', '--json'))).toMatchObject([
      { change: 2, who: 'cli', edits: [{ key: 'a', before: '"one"', after: '"two"' }], scope: 'global' },
    ]);
    expect(await memory('undo', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Change 1 can\'t be taken back: a is "two" now, by change 2'),
    });
    context(context().replace('two', 'by hand'));
    expect(await printed('history', 'a')).toMatch(/^now: "by hand", by hand\nchange 2, /);
    expect(JSON.parse(await printed('history', 'a', '--json'))).toMatchObject({
      present: [{ json: '"by hand"', byHand: true }],
    });
  });
});

describe('a damaged file', () => {
  const DAMAGED = '{\n  "a": 1,\n  "b": "new"\n  "c": 3\n}\n';

  test('stops facts and nothing else, and says where it is damaged', async () => {
    context(DAMAGED);
    for (const args of [['get', 'a'], ['set', 'd', 'x'], ['search', 'a'], ['export']]) {
      expect(await memory(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /context\.json is damaged at line 4, column 3: .*plimsoll memory repair/,
        ),
      });
    }
    expect(await printed('diary', 'add', 'still here')).toContain('Added');
    expect(await printed('log')).toBe('No changes.\n');
    expect(context()).toBe(DAMAGED);
  });

  test.each([
    ['mended', { a: 1, b: 'new', c: 3 }, { a: 1, b: 'old', gone: 2 }],
    ['last-good', { a: 1, b: 'old', gone: 2 }, { a: 1, b: 'new', c: 3 }],
  ])('is repaired as %s, kept, and the repair can be undone', async (which, facts, others) => {
    context('{"a": 1, "b": "old", "gone": 2}');
    await printed('get', 'a');
    context(DAMAGED);
    const shown = await printed('repair');
    expect(shown).toContain('context.json is damaged at line 4, column 3');
    expect(shown).toContain('3 keys; of what the other has it lacks gone\n');
    expect(shown).toContain('3 keys; of what the other has it lacks c\n');
    expect(context()).toBe(DAMAGED);

    const done = await printed('repair', '--apply', which);
    expect(done).toMatch(/context\.json is sound again, with 3 keys\./);
    expect(JSON.parse(context())).toEqual(facts);
    const [kept] = readdirSync(data).filter((name) => name.startsWith('context.damaged-'));
    expect(done).toContain(kept);
    expect(readFileSync(join(data, kept as string), 'utf8')).toBe(DAMAGED);
    expect(statSync(join(data, kept as string)).mode & 0o777).toBe(0o600);
    expect(await printed('repair')).toBe('Nothing is damaged.\n');
    expect(await printed('log')).toMatch(/^change 1, \S+, by cli, repair of a damaged file: /);
    await printed('undo', '1');
    expect(JSON.parse(context())).toEqual(others);
  });

  test('of which nothing can be made out, and of which no other state is known, is left', async () => {
    context('nothing');
    expect(await printed('repair')).toMatch(/Nothing can be made out in it\.\nNo state from before/);
    for (const which of ['mended', 'last-good']) {
      expect((await memory('repair', '--apply', which)).code).toBe(2);
    }
    context('{}');
    expect(await printed('repair', '--apply', 'mended')).toBe('Nothing is damaged.\n');
    expect(readdirSync(data)).toEqual(['context.json']);
  });
});

describe('export and import', () => {
  const FACTS =
    '{\n  "city": "Zürich",\n  "people": {"maria": {"since": 2019.0, "tags": ["a", {"b": 1}]}}\n}\n';

  test.each(['json', 'md', 'jsonl'])('as %s carry everything to another memory', async (ending) => {
    context(FACTS);
    const file = join(here, `facts.${ending}`);
    expect(await printed('export', '-o', file)).toBe(`Wrote 3 facts of the global memory to ${file}.\n`);
    data = join(base, 'other');
    const plan = await memory('import', file);
    expect(plan).toMatchObject({ code: 0, stderr: expect.stringContaining('--apply does it') });
    expect(plan.stdout).toContain('add      people.maria.since: 2019.0\n');
    expect(plan.stdout).toContain('3 to add, 0 to replace, 0 refused, 0 there already.\n');
    expect(() => context()).toThrow();
    expect(await printed('import', file, '--apply')).toMatch(/Imported\. Change 1: plimsoll memory undo 1/);
    expect(JSON.parse(context())).toEqual(JSON.parse(FACTS));
    expect(await printed('import', file)).toBe(
      'To the global memory: 0 to add, 0 to replace, 0 refused, 3 there already.\n',
    );
  });

  test('show what is replaced and refused, and are one change', async () => {
    context('{"a": "old", "s": {"x": 1}, "same": "é"}');
    const before = context();
    const file = join(here, 'in.json');
    writeFileSync(
      file,
      '{"a": "new", "s": "taken", "__proto__": {"p": 1}, "same": "\\u00e9", "n": {"m": null}}',
    );
    const { stdout } = await memory('import', file);
    expect(stdout.split('\n')).toEqual([
      'add      n.m: null',
      'replace  a: "old" by "new"',
      expect.stringMatching(/^refuse {3}s: "s" is a section with 1 key/),
      expect.stringMatching(/^refuse {3}__proto__\.p: /),
      'To the global memory: 1 to add, 1 to replace, 2 refused, 1 there already.',
      '',
    ]);
    const plan = JSON.parse(await printed('import', file, '--json'));
    expect(plan).toMatchObject({ applied: false, unchanged: 1, done: [{ key: 'a' }, { key: 'n.m' }] });
    expect(context()).toBe(before);
    await printed('import', file, '--apply');
    expect(JSON.parse(context())).toEqual({ a: 'new', s: { x: 1 }, same: 'é', n: { m: null } });
    expect(await printed('log')).toContain(`import of ${file}`);
    await printed('undo', '1');
    expect(context()).toBe(before);
  });

  test('take all of a file or nothing, and name the line that is wrong', async () => {
    const lines = ['{"type":"entity","name":"a","entityType":"b","observations":[]}', '{"type":"entity"}'];
    expect(await withStdin(lines.join('\n'), 'import', '-', '--format', 'jsonl', '--apply')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^plimsoll: Cannot import -: line 2: an entity needs .*Nothing was imported/,
      ),
    });
    expect(() => context()).toThrow();
  });

  test('as JSON take the diary along for other programs', async () => {
    context(FACTS);
    await printed('diary', 'add', 'An entry', '--tag', 't');
    const both = JSON.parse(await printed('export', '--diary'));
    expect(both).toMatchObject({ context: JSON.parse(FACTS), diary: [{ tag: 't', text: 'An entry' }] });
    expect(await printed('export')).toBe(FACTS);
  });
});

describe('a project', () => {
  test('has a memory of its own once somebody asks for it; the nearer one is read', async () => {
    await printed('set', 'a', 'everywhere');
    const project = join(here, '.plimsoll');
    mkdirSync(project);
    writeFileSync(join(project, 'context.json'), '{"a": "here"}');
    expect(await printed('get', 'a')).toBe('everywhere\n');
    expect(await memory('where')).toEqual({
      code: 0,
      stdout: `global\n  facts  ${join(data, 'context.json')}\n  diary  ${join(data, 'diary.md')}\n`,
      stderr: expect.stringContaining(`${project} is not read`),
    });
    expect(await printed('init', '--project')).toContain(`The memory of this project is ${project}.`);
    expect(JSON.parse(await printed('where', '--json'))).toMatchObject({
      places: [
        { scope: 'project', folder: project },
        { scope: 'global', folder: data },
      ],
    });
    expect(await memory('get', 'a')).toEqual({
      code: 0,
      stdout: 'here\n',
      stderr: 'plimsoll: warning: this is of the project memory; another one has the key too (--scope)\n',
    });
    expect(await printed('get', 'a', '--scope', 'global')).toBe('everywhere\n');
    expect(await printed('set', 'a', 'x')).toContain('plimsoll memory undo 1 --scope project takes it back');
    expect(await printed('set', 'a', 'y', '--scope', 'global')).toContain(
      "The project's memory has the key too, and that is what is read here.",
    );
    expect(await printed('search', 'a')).toContain('a: "y" (global, hidden by a nearer one)');
    expect(await printed('undo', '1', '--scope', 'project')).toContain('of the project memory');
    await printed('diary', 'add', 'Here', '--scope', 'project');
    expect(await printed('diary')).toMatch(/ \(project\)\n {2}Here\n/);
  });
});

test('the data folder of the old system is honoured', async () => {
  const child = spawn(process.execPath, [MAIN, 'memory', 'where'], {
    cwd: here,
    env: { ...env, GOPHER_DATA_DIR: data },
  });
  expect(await text(child.stdout)).toContain(join(data, 'context.json'));
});
