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
    expect(JSON.parse(await printed('set', 'people.maria.since', '2019', '--json'))).toMatchObject({
      key: 'people.maria.since',
      now: '2019',
      change: 2,
      scope: 'global',
    });
    expect(context()).toBe(
      '{\n  "people": {\n    "maria": {\n      "role": "CTO",\n      "since": 2019\n    }\n  }\n}\n',
    );
    expect(await printed('get', 'people.maria.role')).toBe('CTO\n');
    expect(JSON.parse(await printed('get', 'people.maria.role', '--json'))).toEqual({
      key: 'people.maria.role',
      kind: 'value',
      value: 'CTO',
      from: [{ scope: 'global', file: join(data, 'context.json'), keys: ['people.maria.role'] }],
      hidden: [],
    });
    expect(await printed('get')).toBe(context());
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
    expect(JSON.parse(await printed('get', 'note', '--json')).value).toBe('one\n\ttwo\n');
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
    [['export', '--format', 'jsonl', '--diary'], 2, '--diary goes with JSON and Markdown'],
    [['where', '--scope', 'project'], 2, 'No memory of a project is read here.'],
    [
      ['import', '-', '--format', 'json'],
      1,
      'Cannot import - as json: line 1, column 1: the file is empty. Nothing was imported; mend it, or give another --format.',
    ],
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
    expect(await printed('search', 'ZURICH')).toBe('city: "zurich"\npeople.maria: "Zürich"\n2 matches\n');
    expect(await printed('search', 'zurich', '--limit', '1')).toBe('city: "zurich"\n1 of 2 matches\n');
    expect(JSON.parse(await printed('search', 'maria', '--json'))).toMatchObject({
      total: 1,
      hits: [{ key: 'people.maria', json: '"Zürich"', scope: 'global' }],
    });
    expect(await printed('search', 'qqqqqqqq')).toMatch(/^No match\./);
    context('{"obj": {}, "home": "Łódź"}');
    expect(await printed('search', 'obj')).toBe('obj: {}\n1 match\n');
    expect(await printed('search', 'lodz')).toContain('home: ');
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
    expect(JSON.parse(await printed('get', 'k', '--json')).value).toBe(value);
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
    expect((await memory('diary', 'add', 'x', '--tag', 'Łódź')).code).toBe(0);
    expect(await printed('diary', '--tag', 'lodz', '--last', '0')).toBe('0 of 1 entry\n');
  });
});

describe('changes', () => {
  test('are listed with how many there are, and with the reason', async () => {
    await printed('set', 'a', 'one', '--why', 'a whim');
    await printed('delete', 'a', '--why', 'regret');
    const undone = JSON.parse(await printed('undo', '2', '--json', '--why', 'regret again'));
    expect(undone).toMatchObject({ change: 3, done: [{ key: 'a', after: '"one"' }], scope: 'global' });
    const file = join(here, 'in.json');
    writeFileSync(file, '{"b": 1}');
    await printed('import', file, '--apply', '--why', 'moving');
    expect(JSON.parse(await printed('delete', 'b', '--json'))).toMatchObject({ was: '1', change: 5 });
    expect(await printed('log', '--last', '0')).toBe('0 of 5 changes\n');
    expect(await printed('log', '--last', '1')).toMatch(
      /^change 5, .*\n {2}b: deleted, was 1\n\n1 of 5 changes\n$/,
    );
    expect((await printed('log')).match(/^change .*/gm)?.map((line) => line.split(', ').slice(3))).toEqual([
      [],
      ['moving'],
      ['takes back change 2', 'regret again'],
      ['regret'],
      ['a whim'],
    ]);
    expect(await printed('log')).not.toContain(' of 5');
    writeFileSync(join(data, 'changes.jsonl'), 'garbage\n', { flag: 'a' });
    expect(await memory('log', '--last', '0')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 line of the journal can't be read"),
    });
  });

  test('are listed and taken back, unless the key is another by now', async () => {
    expect(await printed('log')).toBe('No changes.\n');
    await printed('set', 'a', 'one');
    await printed('set', 'a', 'two');
    expect(await printed('log')).toMatch(
      /^change 2, \S+Z, by cli\n {2}a: "two", was "one"\n\nchange 1, \S+Z, by cli\n {2}a: "one"\n$/,
    );
    expect(JSON.parse(await printed('log', '--last', '1', '--json'))).toMatchObject({
      changes: [
        { change: 2, who: 'cli', edits: [{ key: 'a', before: '"one"', after: '"two"' }], scope: 'global' },
      ],
      total: 2,
    });
    expect(await memory('undo', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Change 1 can\'t be taken back: a is "two" now, by change 2'),
    });
    for (const number of ['9', '99999999999999999999']) {
      expect(await memory('undo', number)).toEqual({
        code: 1,
        stdout: '',
        stderr: `plimsoll: There is no change ${number} to take back: plimsoll memory log lists them.\n`,
      });
    }
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
    expect(shown).toMatch(
      /\n\nEither keeps the damaged file beside it\. You can also mend it in an editor\.\n$/,
    );
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
    expect(await printed('repair')).toMatch(
      /Nothing can be made out in it\.\nNo state from before .*\n\nYou can mend it in an editor\.\n$/,
    );
    for (const which of ['mended', 'last-good']) {
      expect((await memory('repair', '--apply', which)).code).toBe(1);
    }
    context('{}');
    expect(await printed('repair')).toBe('Nothing is damaged.\n');
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

  test('refuse to export facts that are gone, and keep the file that is there', async () => {
    expect(await printed('export')).toBe('{}\n');
    context(FACTS);
    const file = join(here, 'backup.json');
    await printed('export', '-o', file);
    rmSync(join(data, 'context.json'));
    expect(await memory('export', '-o', file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /context\.json is gone: .*\nplimsoll: Nothing was exported: the global facts are gone/,
      ),
    });
    expect(readFileSync(file, 'utf8')).toBe(FACTS);
  });

  test('say at once what importing will not take again', async () => {
    context('{"a": 1, "__proto__": {"b": 1}, "s": {}}');
    expect(await memory('export')).toMatchObject({
      code: 0,
      stdout: `${context()}\n`,
      stderr:
        'plimsoll: warning: import will not take __proto__.b again: "__proto__" is a name that programs may take for something else\n' +
        'plimsoll: warning: import will not take s again: it is an empty section\n',
    });
  });

  test('say that what stands before the first header of a diary is left out', async () => {
    context('{"a": 1}');
    const diary = join(data, 'diary.md');
    writeFileSync(diary, '# My diary\n\n## 2026-12-01 17:30:00\n\nAn entry\n');
    const exported = await memory('export', '--diary');
    expect(exported).toMatchObject({
      code: 0,
      stderr: `plimsoll: warning: what stands before the first header of ${diary} is left out\n`,
    });
    expect(JSON.parse(exported.stdout).diary).toHaveLength(1);
    await printed('export');
    writeFileSync(diary, '\ufeff\n## 2026-12-01 17:30:00\n\nAn entry\n');
    await printed('export', '--diary');
  });

  test('name the first keys of a large import that is taken back', async () => {
    const file = join(here, 'in.json');
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, at]))),
    );
    await printed('import', file, '--apply');
    const lines = (await printed('undo', '1')).trimEnd().split('\n');
    expect(lines.slice(19)).toEqual([
      expect.stringMatching(/^ {2}k18: /),
      expect.stringMatching(/^ {2}k19: /),
      '  and 30 more',
    ]);
  });

  test('take all of a file or nothing, and name the line that is wrong', async () => {
    const lines = ['{"type":"entity","name":"a","entityType":"b","observations":[]}', '{"type":"entity"}'];
    expect(await withStdin(lines.join('\n'), 'import', '-', '--format', 'jsonl', '--apply')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^plimsoll: Cannot import - as jsonl: line 2: an entity needs .*Nothing was imported/,
      ),
    });
    expect(() => context()).toThrow();
  });

  test.each(['json', 'md'])('as %s take the diary along, entry by entry', async (ending) => {
    context(FACTS);
    await printed('diary', 'add', 'An entry', '--tag', 't');
    await printed('diary', 'add', '# Diary');
    const file = join(here, `all.${ending}`);
    expect(await printed('export', '--diary', '-o', file)).toContain(
      'Wrote 3 facts and 2 entries of the global memory',
    );
    const diary = readFileSync(join(data, 'diary.md'), 'utf8');
    data = join(base, 'other');
    expect((await memory('import', file)).stdout).toContain(
      'To the global diary: 2 to add, 0 refused, 0 there already.\n',
    );
    expect(await printed('import', file, '--apply')).toMatch(
      /\nImported\. Change 1: .* takes it back\. The diary has 2 entries more\.\n$/,
    );
    expect(readFileSync(join(data, 'diary.md'), 'utf8')).toBe(diary);
    await printed('diary', 'add', 'New');
    const again = await printed('import', file, '--apply');
    expect(again).toContain('To the global diary: 0 to add, 0 refused, 2 there already.\n');
    expect(JSON.parse(await printed('diary', '--json'))).toMatchObject({ total: 3 });
    expect(JSON.parse(await printed('import', file, '--json')).diary).toEqual({
      added: [],
      refused: [],
      there: 2,
    });
  });

  test('tell keys that stand twice, and fail where nothing can be imported', async () => {
    const file = join(here, 'in.json');
    writeFileSync(file, '{"a": 1, "b": {"c": 1}, "a": 2}');
    expect(await memory('import', file, '--apply')).toMatchObject({
      code: 0,
      stderr: 'plimsoll: warning: a stands in the file with another value as well; the last counts\n',
    });
    writeFileSync(file, '{"b": "taken", "constructor": 1}');
    expect(await memory('import', file, '--apply')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('0 to add, 0 to replace, 2 refused'),
      stderr: 'plimsoll: Nothing was imported: 2 refused.\n',
    });
    expect((await memory('import', file, '--apply', '--json')).code).toBe(1);
    expect((await memory('import', file)).code).toBe(0);
  });
});

describe('a project', () => {
  test('has a memory of its own once somebody asks for it; the nearer one is read', async () => {
    await printed('set', 'a', 'everywhere');
    const project = join(here, '.plimsoll');
    mkdirSync(project);
    writeFileSync(join(project, 'context.json'), '{"a": "here"}');
    expect(await printed('get', 'a')).toBe('everywhere\n');
    expect(await memory('get', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${project} is not read`),
    });
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
      stderr:
        'plimsoll: note: this is of the project memory\n' +
        'plimsoll: note: left out of the global memory (--scope global), since a nearer one is read instead: a\n',
    });
    expect(await printed('where', '--scope', 'project')).toMatch(/^project\n[^\n]+\n[^\n]+\n$/);
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

test('which of two memories is read is said by what changes one of them', async () => {
  await printed('init', '--project');
  await printed('set', 'a', 'near', '--scope', 'project');
  await printed('set', 'a', 'far', '--scope', 'global');
  expect(await printed('delete', 'a')).toContain(
    'In the global memory it is "far", and that is what is read now.',
  );
  await printed('set', 'b', '1', '--scope', 'project');
  expect(await printed('set', 'b.c', 'x')).toContain("The project's memory has a value at b: this is read");
});

test('a project whose memory was removed is named whatever is asked', async () => {
  await printed('init', '--project');
  rmSync(join(here, '.plimsoll'), { recursive: true });
  for (const args of [['set', 'a', '1'], ['get', 'a'], ['where'], ['repair']]) {
    expect(await memory(...args)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^plimsoll: warning: .*\.plimsoll, the memory of this project, is gone: .* --project\n$/,
      ),
    });
  }
  const outer = join(here, '..', '.plimsoll');
  mkdirSync(outer);
  writeFileSync(join(data, 'projects.json'), JSON.stringify([join(here, '.plimsoll'), realpathSync(outer)]));
  expect((await memory('set', 'b', '1', '--scope', 'project')).stderr).toMatch(
    /^plimsoll: warning: .*here\/\.plimsoll, the memory of this project, is gone: .*; meanwhile .*\/\.plimsoll is the project's\n$/,
  );
});

test('of a project and the global one are read together', async () => {
  context('{"a": "global", "people": {"x": 1, "y": 1}}');
  await printed('init', '--project');
  const project = join(here, '.plimsoll', 'context.json');
  writeFileSync(project, '{\n  "people": {\n    "y": 2\n  }\n}\n');
  const people = await memory('get', 'people');
  expect(JSON.parse(people.stdout)).toEqual({ x: 1, y: 2 });
  expect(people.stderr).toBe(
    'plimsoll: note: of the project memory: people.y\n' +
      'plimsoll: note: of the global memory: people.x\n' +
      'plimsoll: note: left out of the global memory (--scope global), since a nearer one is read instead: people.y\n',
  );
  expect((await memory('get', 'a')).stderr).toBe('plimsoll: note: this is of the global memory\n');
  expect(JSON.parse((await memory('get', 'people', '--json')).stdout)).toEqual({
    key: 'people',
    kind: 'section',
    value: { x: 1, y: 2 },
    from: [
      { scope: 'project', file: project, keys: ['people.y'] },
      { scope: 'global', file: join(data, 'context.json'), keys: ['people.x'] },
    ],
    hidden: [{ scope: 'global', file: join(data, 'context.json'), key: 'people.y' }],
  });
  const all = { a: 'global', people: { x: 1, y: 2 } };
  expect(JSON.parse((await memory('get')).stdout)).toEqual(all);
  const exported = await memory('export');
  expect(JSON.parse(exported.stdout)).toEqual(all);
  expect(exported.stderr).toMatch(/^plimsoll: note: .*--scope gives one alone\n$/);
  expect(JSON.parse(await printed('export', '--scope', 'global'))).toEqual(JSON.parse(context()));
  expect(await printed('export', '--scope', 'project')).toBe(readFileSync(project, 'utf8'));
});

test('the global memory needs no current folder', async () => {
  context('{"a": "b"}');
  const gone = (folder: string) => {
    const command = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
    const child = spawn('sh', ['-c', command, process.execPath, MAIN, 'memory', 'get', 'a'], {
      cwd: here,
      env: { ...env, PLIMSOLL_DATA_DIR: folder },
    });
    return Promise.all([text(child.stdout), text(child.stderr)]);
  };
  expect(await gone(data)).toEqual(['b\n', '']);
  expect(await gone('relative')).toEqual([
    '',
    expect.stringContaining('The current folder no longer exists'),
  ]);
});

test('the data folder of the old system is honoured', async () => {
  const child = spawn(process.execPath, [MAIN, 'memory', 'where'], {
    cwd: here,
    env: { ...env, GOPHER_DATA_DIR: data },
  });
  expect(await text(child.stdout)).toContain(join(data, 'context.json'));
});
