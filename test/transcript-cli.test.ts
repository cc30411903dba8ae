import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { random } from '../src/secrets/secrets.testing.ts';
import {
  allIn,
  facts,
  failed,
  type Outcome,
  place,
  plimsoll,
  printed,
  said,
  written,
} from './transcripts.ts';

const RULES = ['--extract', 'rules'];

/** Digests by rules. */
const digested = (...args: string[]) => printed('transcript', ...args, ...RULES);

const TALK = [
  said('u1', 'Maria is our CTO. We decided to use SQLite.'),
  said(
    'a1',
    [
      { type: 'text', text: 'Noted.' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
    ],
    {
      role: 'assistant',
    },
  ),
  said('u2', 'Otto is our CEO.', { more: { isMeta: true } }),
];

const idIn = (text: string) => /--commit ([\da-f]{8})/.exec(text)?.[1] ?? 'no id';

describe('a transcript', () => {
  test('is stored with the line, speaker, time and words of each fact, and what was left out and why', async () => {
    const path = written('talk.jsonl', ...TALK);
    const stdout = await digested('talk.jsonl');
    const [head, left, how, ...rest] = stdout.split('\n');
    expect(head).toBe(`${path} (Claude Code): 2 turns read`);
    expect(left).toBe('left out: 1 other (tool_use, line 2), 1 injected (note of the client, line 3)');
    expect(how).toMatch(/^by rules, the simple way: a model finds more, \d+\.\d s$/);
    expect(rest.join('\n')).toBe(`
Added (2)
  maria.role: "CTO"
    line 1, person, 2026-03-02T09:00:00.000Z: "Maria is our CTO."
  decisions.database: "use SQLite"
    line 1, person, 2026-03-02T09:00:00.000Z: "We decided to use SQLite."

Change 1 in the global memory: plimsoll memory undo 1 takes it back. plimsoll memory why KEY shows where a fact is from.
`);
    expect(facts()).toEqual({ maria: { role: 'CTO' }, decisions: { database: 'use SQLite' } });
    await printed('memory', 'undo', '1');
    expect(facts()).toEqual({});
  });

  test('changes nothing the second time; grown, it adds its new turns alone', async () => {
    const path = written('talk.jsonl', ...TALK);
    await digested('talk.jsonl');
    const before = allIn(place.data);
    const again = await digested('talk.jsonl');
    expect(again).toContain('0 turns read, 2 digested before\n');
    expect(again).toContain(
      '\nNothing is new: --again reads all turns again.\n\nNothing was changed in memory.\n',
    );
    expect(allIn(place.data)).toBe(before);
    expect(await digested('talk.jsonl', '--again')).toContain('Stored already: 2 facts');

    appendFileSync(path, said('u3', 'Ines is our designer.'));
    const grown = await digested('talk.jsonl');
    expect(grown).toContain('1 turn read, 2 digested before\n');
    expect(grown).toContain('Added (1)\n  ines.role: "designer"\n    line 4, person');
    expect(facts()).toMatchObject({ maria: { role: 'CTO' }, ines: { role: 'designer' } });
  });

  test('of WebVTT names who speaks; a time is given with --at', async () => {
    written('call.vtt', 'WEBVTT\n\n00:01.000 --> 00:04.000\n<v Mara>We decided to ship on Fridays.</v>\n');
    expect(await digested('call.vtt', '--at', '2026-03-05')).toContain(
      'Mara, 2026-03-05T00:00:00.000Z: "We decided to ship on Fridays."',
    );
  });

  test('is told to programs as JSON', async () => {
    written('talk.jsonl', ...TALK);
    const plan = JSON.parse(await digested('talk.jsonl', '--dry-run', '--json'));
    expect(plan).toMatchObject({ by: 'rules', file: { format: 'Claude Code' }, counts: { turns: 2 } });
    const done = JSON.parse(await printed('transcript', '--commit', plan.id, '--json'));
    expect(done).toMatchObject({
      change: 1,
      done: [{ key: 'maria.role' }, { key: 'decisions.database' }],
      notDone: [],
      isRepeated: false,
    });
    expect(done.facts[0]).toMatchObject({
      key: 'maria.role',
      value: '"CTO"',
      outcome: 'add',
      evidence: { line: 1, role: 'person', quote: 'Maria is our CTO.', isVerified: true },
    });
    const again = JSON.parse(await digested('talk.jsonl', '--again', '--json'));
    expect(again).toMatchObject({ done: [], facts: [{ outcome: 'same' }, { outcome: 'same' }] });
    const log = JSON.parse(await printed('transcript', '--log', '--json'));
    expect(log.digests.map(({ id }: { id: string }) => id)).toEqual([again.id, plan.id]);
    const why = JSON.parse(await printed('memory', 'why', 'maria.role', '--json'));
    expect(why).toMatchObject({ key: 'maria.role', total: 2, standing: { present: '"CTO"' } });
  });
});

describe('a dry run', () => {
  test('stores nothing; what it showed is stored by its id, once', async () => {
    written('talk.jsonl', ...TALK);
    const plan = await digested('talk.jsonl', '--dry-run');
    const id = idIn(plan);
    expect(plan).toMatch(new RegExp(`\nNothing was stored. To store it exactly so: .* --commit ${id}\n$`));
    expect(facts()).toBeUndefined();
    rmSync(join(place.here, 'talk.jsonl'));
    const done = await printed('transcript', '--commit', id);
    const upTo = (text: string) => text.split('\n\n').slice(0, 2);
    expect(upTo(done)).toEqual(upTo(plan));
    expect(facts()).toEqual({ maria: { role: 'CTO' }, decisions: { database: 'use SQLite' } });
    expect(await printed('transcript', '--commit', id)).toBe(
      `Digest ${id} is stored already, as change 1: nothing was changed.\n`,
    );
    await printed('memory', 'undo', '1');
    expect(await printed('transcript', '--commit', id)).toBe(
      `Digest ${id} was stored as change 1, and change 2 took it back: nothing was changed. plimsoll memory undo 2 stores it again.\n`,
    );
    expect(await printed('transcript', '--log')).toContain(', change 1, taken back by change 2\n');
    await printed('memory', 'undo', '2');
    expect(facts()).toEqual({ maria: { role: 'CTO' }, decisions: { database: 'use SQLite' } });
    expect(await printed('transcript', '--log', id)).toMatch(/^digest [\da-f]{8}, \S+, change 1\n/);
  });

  test('whose key was edited by hand since is refused that fact; the others are stored', async () => {
    written('talk.jsonl', ...TALK);
    const id = idIn(await digested('talk.jsonl', '--dry-run'));
    mkdirSync(place.data, { recursive: true });
    writeFileSync(join(place.data, 'context.json'), '{"maria": {"role": "CFO"}}');
    const done = await printed('transcript', '--commit', id);
    expect(done).toContain('\nAdded (1)\n  decisions.database: "use SQLite"\n');
    expect(done).toContain(
      '\nIn doubt, and not stored (1)\n  maria.role: "CTO"\n    Changed since the plan was made: maria.role is "CFO" now.\n',
    );
    expect(facts()).toEqual({ maria: { role: 'CFO' }, decisions: { database: 'use SQLite' } });
  });

  test('of a transcript without anything new offers nothing to store', async () => {
    written('talk.jsonl', ...TALK);
    await digested('talk.jsonl');
    const plan = await digested('talk.jsonl', '--dry-run');
    expect(plan).toContain('Nothing is new');
    expect(plan).not.toContain('--commit');
  });

  test('that nobody made is not found', async () => {
    expect(await failed(1, 'transcript', '--commit', '../../etc')).toContain(
      'There is no plan "../../etc". There are none; --dry-run makes one.',
    );
  });
});

describe('what contradicts memory', () => {
  const later = { time: '2026-04-01T09:00:00.000Z' };

  test('replaces what an older conversation said, and is in doubt if it is older itself', async () => {
    written('new.jsonl', said('n1', 'Maria is our CEO.', later));
    written('old.jsonl', said('o1', 'Maria is our CTO.'));
    written('newest.jsonl', said('z1', 'Maria is our chair.', { time: '2026-05-01T09:00:00.000Z' }));
    await digested('new.jsonl');
    expect(await digested('old.jsonl')).toContain(`
In doubt, and not stored (1)
  maria.role: "CTO", was "CEO"
    the conversation is older (2026-03-02 < 2026-04-01)
    line 1, person, 2026-03-02T09:00:00.000Z: "Maria is our CTO."
    to store it: plimsoll memory set -- maria.role CTO

Nothing was changed in memory.
`);
    expect(await digested('newest.jsonl')).toContain('Replaced (1)\n  maria.role: "chair", was "CEO"\n');
    expect(facts()).toEqual({ maria: { role: 'chair' } });
  });

  test('is in doubt where a person set it; the command that it shows stores it', async () => {
    await printed('memory', 'set', 'maria.role', 'CFO');
    written('talk.jsonl', said('u1', 'Maria is our CTO.', later));
    const stdout = await digested('talk.jsonl');
    expect(stdout).toContain('\n    it was set by cli, in change 1\n');
    expect(facts()).toEqual({ maria: { role: 'CFO' } });
    const command = /to store it: plimsoll (.*)/.exec(stdout)?.[1] ?? '';
    await printed(...command.split(' '));
    expect(facts()).toEqual({ maria: { role: 'CTO' } });
  });

  test('is in doubt where there is a section; the commands that it shows lose what they say, and store it', async () => {
    await printed('memory', 'set', 'maria.role.from', '2020');
    await printed('memory', 'set', 'maria.role.until', '2024');
    written('talk.jsonl', said('u1', 'Maria is our CTO.', later));
    const stdout = await digested('talk.jsonl');
    expect(stdout).toContain(`
    to store it, which loses maria.role.from, maria.role.until:
      plimsoll memory delete -- maria.role
      plimsoll memory set -- maria.role CTO
`);
    for (const [, command = ''] of stdout.matchAll(/^ {6}plimsoll (.*)$/gm)) {
      await printed(...command.split(' '));
    }
    expect(facts()).toEqual({ maria: { role: 'CTO' } });
  });

  test('is stored in the memory that was asked, whichever has the key too', async () => {
    execFileSync('git', ['init', '-q'], { cwd: place.here });
    await printed('memory', 'init', '--project');
    for (const scope of ['global', 'project']) {
      await printed('memory', 'set', 'maria.role', 'CFO', '--scope', scope);
    }
    written('talk.jsonl', said('u1', 'Maria is our CTO.', later));
    const stdout = await digested('talk.jsonl', '--dry-run');
    expect(await printed('transcript', '--log', idIn(stdout))).toContain(' set --scope global -- ');
    const command = /to store it: plimsoll (.*)/.exec(stdout)?.[1] ?? '';
    await printed(...command.split(' '));
    expect(facts()).toEqual({ maria: { role: 'CTO' } });
    expect(await printed('memory', 'get', 'maria.role', '--scope', 'project')).toBe('CFO\n');
    written('more.jsonl', said('u2', 'Ines is our designer.', later));
    expect(await digested('more.jsonl')).toContain(' plimsoll memory why --scope global KEY shows ');
  });

  test('is in doubt where a person deleted it', async () => {
    written('talk.jsonl', said('u1', 'Maria is our CTO.'));
    await digested('talk.jsonl');
    await printed('memory', 'delete', 'maria.role');
    expect(await digested('talk.jsonl', '--again')).toContain('it was deleted after this was said');
    expect(facts()).not.toHaveProperty('maria.role');
  });
});

test('a digest that was taken back is in the way of nothing, and comes again with --again alone', async () => {
  written('one.jsonl', said('u1', 'Maria is our CTO.'));
  written('two.jsonl', said('v1', 'Maria is our CEO.', { time: '2026-04-01T09:00:00.000Z' }));
  await digested('one.jsonl');
  await printed('memory', 'undo', '1');
  expect(await digested('one.jsonl')).toContain('Nothing is new');
  expect(facts()).toEqual({});
  expect(await digested('one.jsonl', '--again')).toContain('Added (1)\n  maria.role: "CTO"\n');
  expect(await digested('two.jsonl')).toContain('Replaced (1)\n  maria.role: "CEO", was "CTO"\n');
  await printed('memory', 'undo', '4');
  expect(facts()).toEqual({ maria: { role: 'CTO' } });
  expect(await digested('two.jsonl', '--again')).toContain('Replaced (1)\n  maria.role: "CEO", was "CTO"\n');
});

describe('plimsoll memory why', () => {
  test('tells where a fact is from when the transcript is gone, of a section too', async () => {
    const path = written('talk.jsonl', ...TALK);
    await digested('talk.jsonl');
    rmSync(path);
    const stdout = await printed('memory', 'why', 'maria.role');
    expect(stdout).toMatch(/^maria\.role: "CTO", since change 1 by \w+, /);
    expect(stdout).toContain('    line 1, person, 2026-03-02T09:00:00.000Z: "Maria is our CTO."\n');
    expect(stdout).toContain(`    ${path} (Claude Code), SHA-256 `);
    const section = await printed('memory', 'why', 'maria');
    expect(section).toContain('  maria.role: "CTO", as it is in memory\n');
    await printed('memory', 'set', 'maria.role', 'CFO');
    expect(await printed('memory', 'why', 'maria.role')).toContain('changed since, by change 2');
  });

  test('tells of a fact that no transcript has, and of a key that is not there', async () => {
    await printed('memory', 'set', 'maria.role', 'CFO');
    expect(await printed('memory', 'why', 'maria.role')).toMatch(/\n {2}No transcript says so\.\n$/);
    expect(await failed(1, 'memory', 'why', 'maria.age')).toContain('There is no key maria.age.');
  });
});

describe('the log', () => {
  test('has the digests, the newest first, as many as are asked for', async () => {
    expect(await printed('transcript', '--log')).toBe('Nothing was digested yet.\n');
    written('one.jsonl', ...TALK);
    written('two.jsonl', said('v1', 'Ines is our designer.'));
    await digested('one.jsonl');
    await digested('two.jsonl');
    const log = await printed('transcript', '--log');
    expect(log.match(/^digest [\da-f]{8}, \S+, change \d$/gm)).toHaveLength(2);
    expect(log.indexOf('two.jsonl')).toBeLessThan(log.indexOf('one.jsonl'));
    const last = await printed('transcript', '--log', '--last', '1');
    expect(last).toContain('ines.role: "designer"');
    expect(last).not.toContain('one.jsonl');
    expect(last).toMatch(/\n1 to 1 of 2 digests\. Older ones: plimsoll transcript --log --from 1\n$/);
    const older = await printed('transcript', '--log', '--from', '1');
    expect(older).toContain('one.jsonl');
    expect(older).toMatch(/\n2 to 2 of 2 digests\.\n$/);
  });

  test('has behind ours what the log says that was kept before', async () => {
    written('talk.jsonl', ...TALK);
    await digested('talk.jsonl');
    const lines = Array.from({ length: 20 }, (_, n) => `- line ${n} \u001b[31m`).join('\n');
    writeFileSync(
      join(place.data, 'digest_log.md'),
      `# Digest Log\n\n## 2026-01-01 10:00:00 UTC\n\nfirst\n\n## 2026-01-02 10:00:00 UTC\n\n${lines}\n`,
    );
    const log = await printed('transcript', '--log');
    expect(log).toMatch(
      /^digest [\s\S]+\ndigest_log\.md, 2026-01-02 10:00:00 UTC\n {2}- line 0 [\s\S]+ line 11 .*\n {2}and 8 lines more\n\ndigest_log\.md, 2026-01-01 10:00:00 UTC\n {2}first\n$/,
    );
    expect(log).not.toContain('\u001b');
    const last = await printed('transcript', '--log', '--last', '1', '--from', '1');
    expect(last).toContain(', 2026-01-02 ');
    expect(last).toMatch(/\n2 to 2 of 3 digests\. Older ones: plimsoll transcript --log --from 2\n$/);
    const { digests, older, total } = JSON.parse(await printed('transcript', '--log', '--json'));
    expect([digests.length, older.length, total]).toEqual([1, 2, 3]);
  });

  test('is bounded, says what it leaves out, and shows one digest whole', async () => {
    const name = (n: number) => `${'BCDFGHJKLMNPQRSTVWXZ'[n % 20]}${'aeo'[Math.floor(n / 20)]}a`;
    const talk = (round: number) =>
      Array.from({ length: 60 }, (_, n) =>
        said(`${round}.${n}`, `${name(n)}${'nrst'[round]} is our designer. ${'We talk. '.repeat(30)}`),
      );
    for (const round of [0, 1, 2]) {
      written(`talk${round}.jsonl`, ...talk(round));
      await digested(`talk${round}.jsonl`);
    }
    const log = await printed('transcript', '--log');
    expect(log.length).toBeLessThan(20_000);
    expect(log.match(/^ {2}Added \(60\)$/gm)).toHaveLength(3);
    expect(log).toMatch(/\n {4}and 4\d more\n/);
    expect((await printed('transcript', '--log', '--json')).length).toBeLessThanOrEqual(20_001);
    const [, command = ''] = /All of it: plimsoll (.*)/.exec(log) ?? [];
    const whole = await printed(...command.split(' '));
    expect(whole.match(/\.role: "designer"$/gm)).toHaveLength(60);
    expect(whole).toContain('talk2.jsonl');
    expect(JSON.parse(await printed(...command.split(' '), '--json')).facts).toHaveLength(60);
  });

  test('shows a dry run, and tells of what is not there', async () => {
    written('talk.jsonl', ...TALK);
    const id = idIn(await digested('talk.jsonl', '--dry-run'));
    expect(await printed('transcript', '--log', id)).toMatch(
      new RegExp(`^digest ${id}, \\S+, a dry run\n.*talk\\.jsonl`),
    );
    expect(await failed(1, 'transcript', '--log', 'talk.jsonl')).toContain(
      'There is no digest or dry run "talk.jsonl"; plimsoll transcript --log lists the digests.',
    );
  });
});

test("a project's memory keeps its evidence in the project, and git ignores it", async () => {
  execFileSync('git', ['init', '-q'], { cwd: place.here });
  await printed('memory', 'init', '--project');
  written('talk.jsonl', ...TALK);
  const id = idIn(await digested('talk.jsonl', '--dry-run', '--scope', 'project'));
  const stdout = await printed('transcript', '--commit', id, '--scope', 'project');
  expect(stdout).toContain('Change 1 in the project memory: plimsoll memory undo 1 --scope project');
  expect(facts()).toBeUndefined();
  expect((await plimsoll('memory', 'get', 'maria.role')).stdout).toBe('CTO\n');
  expect(await printed('memory', 'why', 'maria.role')).toContain('talk.jsonl');
  const log = join('.plimsoll', 'transcripts', 'digests.jsonl');
  expect(readFileSync(join(place.here, log), 'utf8')).toContain('Maria is our CTO.');
  const status = execFileSync('git', ['status', '--porcelain', '-uall'], {
    cwd: place.here,
    encoding: 'utf8',
  });
  expect(status).not.toContain('transcripts/');
});

describe('a path', () => {
  const NOT_ALLOWED = 'may not be read: transcripts are read from the current folder';
  const refused = (path: string) => failed(1, 'transcript', path, ...RULES);

  test('elsewhere is refused, by a link as well, unless its folder is allowed', async () => {
    const path = written('../elsewhere/talk.jsonl', ...TALK);
    symlinkSync(path, join(place.here, 'link.jsonl'));
    for (const one of [path, '../elsewhere/talk.jsonl', '../elsewhere/none.jsonl']) {
      expect(await refused(one)).toContain(`'${one}' ${NOT_ALLOWED}`);
    }
    expect(await refused('link.jsonl')).toContain(`'link.jsonl', which leads to '${path}', ${NOT_ALLOWED}`);
    expect(allIn(place.data)).toBe('');
    expect(await digested('link.jsonl', '--allow', '../elsewhere')).toContain(`${path} (Claude Code)`);
  });

  test('where a client keeps its transcripts is read', async () => {
    const path = written(join(place.home, '.claude', 'projects', 'x', 's1.jsonl'), ...TALK);
    expect(await digested(path)).toContain('2 turns read');
  });

  test('that leads to nothing readable is told so', async () => {
    mkdirSync(join(place.here, 'folder'));
    written('empty.jsonl');
    written('binary', Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 0, 7]));
    written('.hidden.jsonl', ...TALK);
    expect(await refused('none.jsonl')).toContain("Cannot read 'none.jsonl': there is no such file.");
    expect(await refused('folder')).toContain('it is a folder');
    expect(await refused('empty.jsonl')).toContain('empty.jsonl');
    expect(await refused('binary')).toContain('is no transcript in a format that is known');
    expect(await refused('.hidden.jsonl')).toContain('may not be read: it is hidden');
  });

  test.skipIf(process.platform === 'win32')('that is a FIFO keeps nobody waiting', async () => {
    execFileSync('mkfifo', [join(place.here, 'fifo')]);
    expect(await refused('fifo')).toContain('it is no regular file');
  });
});

test.each([
  [[], 'Give one of FILE, --commit ID, --discover, --all or --log.'],
  [['talk.jsonl', '--log'], 'Give one of FILE, '],
  [['talk.jsonl', '--commit', '12345678'], 'Give one of FILE, '],
  [['--log', '--discover'], 'Give one of FILE, '],
  [['one', 'two'], 'Too many arguments'],
  [['talk.jsonl', '--extract', 'magic'], "argument 'magic' is invalid"],
  [['--since', '7d'], 'Give one of FILE, '],
  [['--log', '--since', '7d'], '--since goes with --discover or --all.'],
  [['--all', '--since', 'soon'], "Not a time: 'soon'."],
  [['talk.jsonl', '--at', 'soon'], "Not a date: 'soon'. Give one like 2026-12-01."],
  [['--commit', '12345678', '--dry-run'], '--dry-run goes with FILE or --all.'],
  [['talk.jsonl', '--last', '3'], '--last and --from go with --log, without ID.'],
  [['--log', '12345678', '--from', '3'], '--last and --from go with --log, without ID.'],
  [['talk.jsonl', '--window', '0'], 'A window has at least one token.'],
  [['talk.jsonl', '--scope', 'project', '--extract', 'rules'], 'No memory of a project is read here.'],
])('transcript %j is refused', async (args, message) => {
  written('talk.jsonl', ...TALK);
  expect(await failed(2, 'transcript', ...args)).toContain(message);
  expect(allIn(place.data)).toBe('');
});

describe('the transcripts of clients', () => {
  /** Those of three clients, an hour apart, the first one the oldest. */
  function clients(): string[] {
    const message = (text: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    const codex = [
      { timestamp: '2026-03-02T10:00:00Z', type: 'session_meta', payload: { id: 'c1' } },
      { timestamp: '2026-03-02T10:00:01Z', type: 'response_item', payload: message('Otto is our CFO.') },
    ];
    const lines = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`);
    const home = (...names: string[]) => join(place.home, ...names);
    const paths = [
      written(home('.claude', 'projects', 'p', 's1.jsonl'), ...TALK),
      written(home('.codex', 'sessions', '2026', '03', '02', 'rollout-1.jsonl'), ...lines(codex)),
      written(
        home('.local', 'share', 'gptme', 'logs', 'a', 'conversation.jsonl'),
        ...lines([{ role: 'user', content: 'Ines is our designer.', timestamp: '2026-03-02T11:00:00' }]),
      ),
    ];
    for (const [index, path] of paths.entries()) {
      const time = Date.now() / 1000 - (paths.length - index) * 3600;
      utimesSync(path, time, time);
    }
    written(home('.claude', 'settings.json'), '{}');
    written(home('private.jsonl'), said('x', 'Nobody is our spy.'));
    return paths;
  }

  test('are listed, the newest first, with what was digested of them', async () => {
    expect(await printed('transcript', '--discover')).toBe('No transcripts were found.\n');
    const [claude = '', codex = '', gptme = ''] = clients();
    const list = await printed('transcript', '--discover');
    const paths = list.match(/\/\S+\.jsonl/g);
    expect(paths).toEqual([gptme, codex, claude]);
    expect(list).toMatch(/\n3 transcripts\n$/);
    expect(list).not.toContain('digested');

    await digested(claude);
    expect(await printed('transcript', '--discover')).toMatch(/s1\.jsonl {2}\(digested \d{4}-\d\d-\d\d\)\n/);
    appendFileSync(claude, said('u9', 'Lena is our lawyer.'));
    expect(await printed('transcript', '--discover')).toMatch(
      /s1\.jsonl {2}\(digested .*, has changed since\)\n/,
    );
    await digested(claude);
    expect(await printed('transcript', '--discover')).toMatch(/s1\.jsonl {2}\(digested \d{4}-\d\d-\d\d\)\n/);
    appendFileSync(claude, '{"type":"summary","summary":"Roles","leafUuid":"u9"}\n');
    expect(await printed('transcript', '--discover')).toContain(', has changed since)');
    expect(await digested(claude)).toContain('Nothing is new');
    expect(await printed('transcript', '--log', '--last', '1')).toContain('\n  Nothing was new.\n');
    expect(await printed('transcript', '--discover')).toMatch(/s1\.jsonl {2}\(digested \d{4}-\d\d-\d\d\)\n/);

    const all = JSON.parse(await printed('transcript', '--discover', '--since', '90m', '--json'));
    expect(all).toMatchObject([
      { client: 'Claude Code', path: claude, digested: { isWhole: true } },
      { client: 'gptme', path: gptme },
    ]);
  });

  test('are digested, the oldest first; one that is broken does not stop the others', async () => {
    const [claude = '', codex = '', gptme = ''] = clients();
    const broken = written(join(place.home, '.claude', 'projects', 'p', 's2.jsonl'), '\0\0');
    const { code, stdout, stderr } = await plimsoll('transcript', '--all', ...RULES);
    expect(code).toBe(1);
    expect(stderr).toContain(`'${broken}' is no transcript in a format that is known`);
    expect(stderr).toMatch(/plimsoll: 1 of 4 transcripts could not be read\.\n$/);
    const order = [claude, codex, gptme].map((path) => stdout.indexOf(path));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(facts()).toMatchObject({
      maria: { role: 'CTO' },
      otto: { role: 'CFO' },
      ines: { role: 'designer' },
    });
    expect(facts()).not.toHaveProperty('nobody');
  });

  test('that have nothing new are counted in one line', async () => {
    const [claude = ''] = clients();
    const nothing = (count: string) => `Nothing is new in ${count}: --again reads all turns again.\n`;
    expect(await digested('--all')).not.toContain('Nothing is new');
    expect(await digested('--all')).toBe(nothing('3 transcripts'));
    expect(await digested('--all', '--dry-run')).toBe(nothing('3 transcripts'));
    appendFileSync(claude, said('u9', 'Lena is our lawyer.'));
    const grown = await digested('--all');
    expect(grown).toContain('s1.jsonl (Claude Code): 1 turn read, 2 digested before\n');
    expect(grown.endsWith(`\n\n${nothing('2 transcripts')}`)).toBe(true);
    const empty = written(
      join(place.home, '.claude', 'projects', 'p', 's3.jsonl'),
      said('x', '', { more: { isMeta: true } }),
    );
    expect(await digested('--all')).toBe(
      `${empty} (Claude Code): 0 turns read; left out: 1 injected (note of the client, line 1)\n\n${nothing('3 transcripts')}`,
    );
  });

  test('that are older are left out; programs get one list', async () => {
    clients();
    const plans = JSON.parse(await digested('--all', '--since', '90m', '--dry-run', '--json'));
    expect(plans).toMatchObject([{ file: { format: 'gptme' }, facts: [{ key: 'ines.role' }] }]);
    expect(facts()).toBeUndefined();
    const done = JSON.parse(await digested('--all', '--json'));
    expect(done.map(({ change }: { change: number }) => change)).toEqual([1, 2, 3]);
    expect(JSON.parse(await digested('--all', '--since', '1m', '--json'))).toEqual([]);
    expect(await digested('--all', '--since', '1m')).toBe('No transcripts were found.\n');
  });
});

test('secrets are nowhere but in the transcript', async () => {
  const token = `ghp_${random(36)}`;
  const password = random(16);
  written(
    'talk.jsonl',
    said('u1', `Remember that the token is ${token}. Maria is our CTO.`),
    said(
      'u2',
      `The database is at postgres://otto:${password}@db.saltmarsh.dev/main. Note: ${token} is ours.`,
    ),
    said('a1', `Shall I run \`curl -H "Authorization: Bearer ${token}" http://localhost:80\`?`, {
      role: 'assistant',
    }),
    said('u3', 'yes'),
  );
  const outcomes: Outcome[] = [];
  for (const args of [
    ['talk.jsonl', '--dry-run', ...RULES],
    ['talk.jsonl', ...RULES],
    ['talk.jsonl', '--again', '--json', ...RULES],
    ['--log'],
    ['--log', '--json'],
  ]) {
    outcomes.push(await plimsoll('transcript', ...args));
  }
  outcomes.push(await plimsoll('memory', 'get'));
  const all = JSON.stringify(outcomes) + allIn(place.data);
  expect(all).not.toContain(token.slice(4, 16));
  expect(all).not.toContain(password);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(outcomes[0]?.stdout).toMatch(/ secrets taken out\n/);
  expect(facts()).toMatchObject({ maria: { role: 'CTO' } });
});
