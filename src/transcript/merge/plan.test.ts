import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Memory } from '../../memory/memory.ts';
import type { Evidence, Fact } from '../extract/fact.ts';
import {
  digested,
  factsText,
  jsonOf,
  NOW,
  type Opened,
  opened,
  planned,
  said,
  saveByHand,
} from './merge.testing.ts';

const JUNE = '2026-06-01T10:00:00.000Z';
const OCTOBER = '2026-10-02T10:00:00.000Z';
const NOVEMBER = '2026-11-30T10:00:00.000Z';
const LATER = '2026-12-20T10:00:00.000Z';

/** What becomes of each fact, in a line. */
async function outcomes(at: Opened, facts: readonly Fact[], from = {}): Promise<string[]> {
  return (await planned(at, facts, from)).map(({ key, value, outcome, reason }) =>
    [`${key}=${JSON.parse(value)}`, outcome, ...(reason === undefined ? [] : [`(${reason})`])].join(' '),
  );
}

test('a fact without a key there is added, as a text', async () => {
  const at = opened();
  const facts = await planned(at, [said('db.port', '5432'), said('people.maria.role', 'CTO')]);
  expect(facts).toMatchObject([
    { key: 'db.port', value: '"5432"', outcome: 'add' },
    { key: 'people.maria.role', value: '"CTO"', outcome: 'add' },
  ]);
  expect(facts[0]?.was).toBeUndefined();
});

describe('where a digest has set another value', () => {
  type Case = [string, Partial<Evidence>, Partial<Evidence>, string, object?];
  const OTHER = { path: '/t/other.jsonl' };
  it.each<Case>([
    ['later', { time: JUNE }, { time: NOVEMBER }, 'replace'],
    ['at the same time', { time: JUNE }, { time: JUNE }, 'replace'],
    [
      'earlier',
      { time: NOVEMBER },
      { time: OCTOBER },
      'doubt (the conversation is older (2026-10-02 < 2026-11-30))',
    ],
    [
      'earlier on the same day',
      { time: '2026-06-01T10:00:00.000Z' },
      { time: '2026-06-01T09:00:00.000Z' },
      'doubt (the conversation is older (2026-06-01T09:00:00.000Z < 2026-06-01T10:00:00.000Z))',
    ],
    [
      'by the assistant',
      { time: JUNE },
      { time: NOVEMBER, role: 'assistant' },
      'doubt (only the assistant says so)',
    ],
    ['by a tool', { time: JUNE, role: 'assistant' }, { role: 'tool' }, 'doubt (only the tool says so)'],
    ['by a person over the assistant', { time: JUNE, role: 'assistant' }, { time: NOVEMBER }, 'replace'],
    [
      'at an unknown time',
      { time: JUNE },
      { time: undefined },
      'doubt (no time is known: digest it with --again --at DATE)',
    ],
    [
      'after an unknown time',
      { time: undefined },
      { time: JUNE },
      'doubt (no time is known of what stands there: digest talk.jsonl with --again --at DATE, then this with --again)',
    ],
    [
      'at an unknown time after an unknown time',
      { time: undefined },
      { time: undefined },
      'doubt (no time is known, nor of what stands there: digest talk.jsonl and then this with --again --at DATE)',
    ],
    ['at a time that is given', { time: JUNE }, { time: undefined }, 'replace', { at: NOVEMBER }],
  ])('one that is said %s', async (_, first, second, outcome, from = {}) => {
    const at = opened();
    await digested(at, [said('db.port', '5432', first)]);
    const facts = [said('db.port', '6432', second)];
    expect(await outcomes(at, facts, { ...OTHER, ...from })).toEqual([`db.port=6432 ${outcome}`]);
  });

  it('in the same file without times, the later line counts', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: undefined, line: 20 })]);
    const again = (line: number) => outcomes(at, [said('db.port', '6432', { time: undefined, line })]);
    expect(await again(21)).toEqual(['db.port=6432 replace']);
    expect(await again(19)).toEqual(['db.port=6432 doubt (line 20 says otherwise later)']);
  });

  it('what confirms a value later keeps it from what was said between', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    await digested(at, [said('db.port', '5432', { time: NOVEMBER })], OTHER);
    expect(await outcomes(at, [said('db.port', '6432', { time: OCTOBER })])).toEqual([
      'db.port=6432 doubt (the conversation is older (2026-10-02 < 2026-11-30))',
    ]);
  });

  it('what confirms it without standing in the transcript does not', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    await digested(at, [said('db.port', '5432', { time: NOVEMBER, isVerified: false })], OTHER);
    expect(await outcomes(at, [said('db.port', '6432', { time: OCTOBER })])).toEqual([
      'db.port=6432 replace',
    ]);
  });

  it('what was said in doubt does not', async () => {
    const at = opened();
    await digested(at, [said('db.port', '1', { time: JUNE })]);
    await digested(at, [said('db.port', '2', { time: NOVEMBER, role: 'tool' })], OTHER);
    await digested(at, [said('db.port', '2', { time: '2026-09-01T10:00:00.000Z' })]);
    expect(await jsonOf(at, 'db.port')).toBe('"2"');
    expect(await outcomes(at, [said('db.port', '3', { time: OCTOBER })])).toEqual(['db.port=3 replace']);
  });

  it('a change that never came about is none', async () => {
    const at = opened();
    await digested(at, [said('db.port', '1', { time: JUNE })]);
    const [change] = (await at.memory.changes()).changes;
    const never = {
      ...change,
      change: 2,
      who: 'other',
      why: undefined,
      edits: [{ key: 'db.port', after: '9' }],
    };
    const lines = [never, { change: 2, void: 'it was broken off' }].map(
      (line) => `${JSON.stringify(line)}\n`,
    );
    appendFileSync(join(at.folder, 'changes.jsonl'), lines.join(''));
    expect(await outcomes(at, [said('db.port', '3', { time: OCTOBER })])).toEqual(['db.port=3 replace']);
  });

  it('a time that was given counts as if it stood there', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: undefined })], { at: OCTOBER });
    expect(
      await outcomes(at, [said('db.port', '6432', { time: undefined })], { ...OTHER, at: JUNE }),
    ).toEqual(['db.port=6432 doubt (the conversation is older (2026-06-01 < 2026-10-02))']);
  });
});

test('where no time was known, the transcript that is digested again with one gives it', async () => {
  const at = opened();
  const [first, second] = ['5432', '6432'].map((port) => [said('db.port', port, { time: undefined })]);
  await digested(at, first as Fact[]);
  await digested(at, first as Fact[], { at: OCTOBER });
  const other = { path: '/t/other.jsonl' };
  expect(await outcomes(at, second as Fact[], { ...other, at: JUNE })).toEqual([
    'db.port=6432 doubt (the conversation is older (2026-06-01 < 2026-10-02))',
  ]);
  expect(await outcomes(at, second as Fact[], other)).toEqual([
    'db.port=6432 doubt (no time is known: digest it with --again --at DATE)',
  ]);
  expect(await outcomes(at, second as Fact[], { ...other, at: NOVEMBER })).toEqual(['db.port=6432 replace']);
});

describe('what a person or a client has done stays', () => {
  const other = [said('db.port', '6432', { time: LATER })];

  it('a value that was set', async () => {
    const at = opened();
    await at.memory.set('db.port', '5432');
    expect(await outcomes(at, other)).toEqual(['db.port=6432 doubt (it was set by test, in change 1)']);
  });

  it('a value that was set where a digest had set one', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    await at.memory.set('db.port', '"7000"');
    expect(await outcomes(at, other)).toEqual(['db.port=6432 doubt (it was set by test, in change 2)']);
  });

  it('a value that was set with words like those of a digest', async () => {
    const at = opened();
    await at.memory.set('db.port', '"7000"', { why: 'transcript 0123abcd' });
    expect(await outcomes(at, other)).toEqual(['db.port=6432 doubt (it was set by test, in change 1)']);
  });

  it('a value that was edited in the file', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    saveByHand(at.folder, (text) => text.replace('5432', '7000'));
    expect(await outcomes(at, other)).toEqual(['db.port=6432 doubt (a person set it by hand)']);
  });

  it('a file that was there before all', async () => {
    const at = opened();
    writeFileSync(join(at.folder, 'context.json'), '{"db": {"port": 5432, "name": "main"}}\n');
    expect(await outcomes(at, [...other, said('db.name', 'main'), said('db.port', '5432')])).toEqual([
      'db.port=6432 doubt (a person set it by hand)',
      'db.name=main same',
      'db.port=5432 same',
    ]);
  });

  it.each<[string, (memory: Memory) => Promise<unknown>]>([
    ['a key', (memory) => memory.delete('db.port')],
    ['the section around it', (memory) => memory.delete('db')],
  ])('the deletion of %s, but for what is said after it', async (_, remove) => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    await remove(at.memory);
    expect(await outcomes(at, [said('db.port', '5432', { time: OCTOBER })])).toEqual([
      'db.port=5432 doubt (it was deleted after this was said (2026-10-02 < 2026-12-01))',
    ]);
    expect(await outcomes(at, [said('db.port', '5432', { time: undefined })])).toEqual([
      'db.port=5432 doubt (no time is known: digest it with --again --at DATE)',
    ]);
    expect(await outcomes(at, other)).toEqual(['db.port=6432 add']);
  });

  it('the deletion in the file', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432'), said('db.name', 'main')]);
    saveByHand(at.folder, (text) => text.replace(/\s*"port".*,/, ''));
    expect(await outcomes(at, other)).toEqual(['db.port=6432 doubt (a person deleted it by hand)']);
  });

  it('but not what never stood in a section that was deleted and came back', async () => {
    const at = opened();
    await at.memory.set('db.name', '"main"');
    await at.memory.delete('db');
    await at.memory.undo(2);
    expect(await outcomes(at, [said('db.port', '5432', { time: JUNE })])).toEqual(['db.port=5432 add']);
  });
});

describe('a change that was taken back is as if it had never been', () => {
  const november = [said('db.port', '6432', { time: NOVEMBER })];

  it('a digest that had added something', async () => {
    const at = opened();
    const { change } = await digested(at, [said('db.port', '5432')]);
    await at.memory.undo(change as number);
    expect(await outcomes(at, november)).toEqual(['db.port=6432 add']);
  });

  it('a digest that had replaced something: that is from where it was', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    const { change } = await digested(at, [said('db.port', '7000', { time: OCTOBER })]);
    await at.memory.undo(change as number);
    expect(await outcomes(at, november)).toEqual(['db.port=6432 replace']);
    const may = [said('db.port', '6432', { time: '2026-05-01T10:00:00.000Z' })];
    expect(await outcomes(at, may, { path: '/t/other.jsonl' })).toEqual([
      'db.port=6432 doubt (the conversation is older (2026-05-01 < 2026-06-01))',
    ]);
  });

  it('a digest that had confirmed something besides', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    const facts = [said('db.port', '5432', { time: LATER }), said('db.name', 'main')];
    const { change } = await digested(at, facts, { path: '/t/other.jsonl' });
    await at.memory.undo(change as number);
    expect(await outcomes(at, november)).toEqual(['db.port=6432 replace']);
  });

  it('what a person had set over a digest', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    await at.memory.set('db.port', '7000');
    await at.memory.undo(2);
    expect(await outcomes(at, november)).toEqual(['db.port=6432 replace']);
  });

  it('the taking back itself', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    await at.memory.undo(1);
    await at.memory.undo(2);
    expect(await outcomes(at, november)).toEqual(['db.port=6432 replace']);
  });

  it('but what a person had set, edited or deleted before it stays', async () => {
    const at = opened();
    await at.memory.set('db.port', '7000');
    await at.memory.set('db.name', '"main"');
    await at.memory.delete('db.name');
    const { change } = await digested(at, [said('db.name', 'other', { time: LATER })]);
    await at.memory.undo(change as number);
    expect(await outcomes(at, [...november, said('db.name', 'other', { time: NOVEMBER })])).toEqual([
      'db.port=6432 doubt (it was set by test, in change 1)',
      'db.name=other doubt (it was deleted after this was said (2026-11-30 < 2026-12-01))',
    ]);
  });

  it('and what a person edits afterwards stays', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432', { time: JUNE })]);
    const { change } = await digested(at, [said('db.port', '7000', { time: OCTOBER })]);
    await at.memory.undo(change as number);
    saveByHand(at.folder, (text) => text.replace('5432', '9000'));
    expect(await outcomes(at, november)).toEqual(['db.port=6432 doubt (a person set it by hand)']);
  });
});

test('a quote that is not in the transcript is a doubt, unless the value is there', async () => {
  const at = opened();
  await digested(at, [said('db.name', 'main')]);
  const isVerified = false;
  expect(
    await outcomes(at, [said('db.port', '5432', { isVerified }), said('db.name', 'main', { isVerified })]),
  ).toEqual(['db.port=5432 doubt (its turn does not say so)', 'db.name=main same']);
});

test('what only the output of a tool says is a doubt', async () => {
  const at = opened();
  const facts = await planned(at, [said('db.port', '5432', { role: 'tool' })]);
  expect(facts).toMatchObject([{ outcome: 'doubt', reason: 'only the tool says so' }]);
});

describe('of a section and a value in the same place', () => {
  it('neither takes the place of the other one', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432'), said('app', 'shop')]);
    const [section, value] = await planned(at, [said('db', 'postgres'), said('app.port', '80')]);
    expect(section).toMatchObject({ outcome: 'doubt', was: expect.stringContaining('5432') });
    expect(section?.reason).toMatch(/"db" is a section with 1 key/);
    expect(value).toMatchObject({ outcome: 'doubt', reason: expect.stringMatching(/"app" is a value/) });
    expect(section?.obstacle).toEqual({ key: 'db', loses: ['db.port'], count: 1 });
    expect(value?.obstacle).toEqual({ key: 'app', loses: ['app'], count: 1 });
  });

  it('what would be lost is told, whatever the doubt is', async () => {
    const at = opened();
    await digested(
      at,
      Array.from({ length: 7 }, (_, n) => said(`db.k${n}`, '1')),
    );
    const isVerified = false;
    const facts = [
      said('app', 'shop'),
      said('app.port', '80', { isVerified }),
      said('db', 'x', { isVerified }),
    ];
    expect(await planned(at, facts)).toMatchObject([
      { outcome: 'add' },
      { outcome: 'doubt', obstacle: { key: 'app', loses: ['app'], count: 1 } },
      { outcome: 'doubt', obstacle: { key: 'db', loses: [0, 1, 2, 3, 4].map((n) => `db.k${n}`), count: 7 } },
    ]);
  });

  it('nothing is in the way of any other doubt', async () => {
    const at = opened();
    await at.memory.set('db.port', '1');
    const facts = await planned(at, [said('db.port', '2'), said('db.name', 'x', { isVerified: false })]);
    expect(facts.map(({ outcome, obstacle }) => [outcome, obstacle])).toEqual([
      ['doubt', undefined],
      ['doubt', undefined],
    ]);
  });

  it('the first stands within a digest', async () => {
    const at = opened();
    const lines = await outcomes(at, [said('db', 'postgres'), said('db.port', '5432')]);
    expect(lines).toEqual([
      'db=postgres add',
      expect.stringMatching(/^db.port=5432 doubt \("db" is a value/),
    ]);
  });

  it('an empty section is no obstacle', async () => {
    const at = opened();
    writeFileSync(join(at.folder, 'context.json'), '{"db": { }}\n');
    expect(await outcomes(at, [said('db', 'postgres')])).toEqual(['db=postgres add']);
    expect(await digested(at, [said('db', 'postgres')])).toMatchObject({ change: 1, refused: [] });
    expect(factsText(at.folder)).toBe('{"db": "postgres"}\n');
  });
});

describe('of several facts of one key', () => {
  const port = (value: string, line: number, more: Partial<Evidence> = {}) =>
    said('db.port', value, { line, ...more });

  it.each<[string, Fact[], string[]]>([
    [
      'the last stands',
      [port('1', 10), port('3', 40), port('2', 20)],
      [
        'db.port=1 doubt (line 20 says otherwise later)',
        'db.port=3 add',
        'db.port=2 doubt (line 40 says otherwise later)',
      ],
    ],
    [
      'the last by its time stands, whatever the line',
      [port('1', 10, { time: NOVEMBER }), port('2', 20, { time: JUNE })],
      ['db.port=1 add', 'db.port=2 doubt (line 10 says otherwise later)'],
    ],
    [
      'without the time of one, the last line counts',
      [port('1', 10, { time: NOVEMBER }), port('2', 20, { time: undefined })],
      ['db.port=1 doubt (line 20 says otherwise later)', 'db.port=2 add'],
    ],
    ['the same value is one', [port('1', 10), port('1', 20)], ['db.port=1 add']],
    [
      'a value that comes back stands',
      [port('1', 10), port('2', 20), port('1', 30)],
      ['db.port=2 doubt (line 30 says otherwise later)', 'db.port=1 add'],
    ],
    [
      "a person's word stands",
      [port('1', 10), port('2', 20, { role: 'assistant' })],
      ['db.port=1 add', 'db.port=2 doubt (only the assistant says so)'],
    ],
    [
      'what has no quote never stands',
      [port('1', 10), port('2', 20, { isVerified: false }), port('1', 30, { isVerified: false })],
      ['db.port=1 add', 'db.port=2 doubt (its turn does not say so)'],
    ],
  ])('%s', async (_, facts, expected) => {
    expect(await outcomes(opened(), facts)).toEqual(expected);
  });

  it('the evidence is that of the last time, or of whose word counts more', async () => {
    const [last] = await planned(opened(), [port('1', 10), port('1', 20)]);
    expect(last?.evidence.line).toBe(20);
    const [person] = await planned(opened(), [port('1', 10), port('1', 20, { role: 'assistant' })]);
    expect(person?.evidence.line).toBe(10);
  });

  it('what stands in memory anyway is no doubt', async () => {
    const at = opened();
    await at.memory.set('db.port', '1');
    expect(await outcomes(at, [port('1', 10), port('2', 20)])).toEqual([
      'db.port=1 same',
      'db.port=2 doubt (it was set by test, in change 1)',
    ]);
  });

  it('keys that lead to the same place in memory are one', async () => {
    const at = opened();
    writeFileSync(join(at.folder, 'context.json'), '{"v1.2": {"date": "May"}}\n');
    expect(await outcomes(at, [said('v1.2.date', 'June'), said('v1\\.2.date', 'July', { line: 2 })])).toEqual(
      [
        'v1\\.2.date=June doubt (line 2 says otherwise later)',
        'v1\\.2.date=July doubt (a person set it by hand)',
      ],
    );
  });
});

const key = fc.constantFrom('a.x', 'a.y', 'b', 'b.z');
const value = fc.constantFrom('1', '2', '3');
const time = fc
  .integer({ min: 1, max: 28 })
  .map((day) => `2026-10-${String(day).padStart(2, '0')}T08:00:00.000Z`);
const evidence = fc.record({
  line: fc.integer({ min: 1, max: 9 }),
  role: fc.constantFrom<Evidence['role'][]>('person', 'assistant', 'tool'),
  time: fc.option(time, { nil: undefined }),
  isVerified: fc.boolean(),
});
const fact = fc.tuple(key, value, evidence).map(([name, text, rest]) => said(name, text, rest));
const transcript = fc.record({
  facts: fc.array(fact, { maxLength: 6 }),
  path: fc.constantFrom('/t/one.jsonl', '/t/two.jsonl'),
});

const noted = fc.tuple(key, fc.constantFrom('"mine"', '7', null));

/** What a person does; it may not be possible. */
async function does(memory: Memory, [name, json]: readonly [string, string | null]): Promise<void> {
  await (json === null ? memory.delete(name) : memory.set(name, json)).catch(() => {});
}

describe('whatever is said', () => {
  it('saying it again changes nothing', async () => {
    const steps = fc.array(fc.oneof(transcript, noted), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, transcript, async (before, { facts, path }) => {
        const at = opened();
        for (const step of before) {
          if ('facts' in step) await digested(at, step.facts, step);
          else await does(at.memory, step);
        }
        const first = await digested(at, facts, { path });
        expect(first.refused).toEqual([]);
        const again = await planned(at, facts, { path });
        expect(again.filter(({ outcome }) => outcome === 'add' || outcome === 'replace')).toEqual([]);
        expect(await digested(at, facts, { path })).toMatchObject({ change: undefined, done: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('a value that was set by hand never changes, and a digest that is taken back leaves all as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(noted, { minLength: 1, maxLength: 4 }),
        transcript,
        async (notes, { facts, path }) => {
          const at = opened();
          for (const note of notes) await does(at.memory, note);
          const values = async () =>
            new Map(
              Array.from((await at.memory.documents())[0]?.document.facts() ?? [], (one) => [
                one.key,
                one.json,
              ]),
            );
          await at.memory.set('c', '1');
          const [before, text] = [await values(), factsText(at.folder)];
          const { change } = await digested(at, facts, { path });
          const after = await values();
          for (const [name, json] of before) expect(after.get(name)).toBe(json);
          if (change !== undefined) await at.memory.undo(change);
          expect(factsText(at.folder)).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('what takes the place of something was not said before it, nor by anybody whose word counts less', async () => {
    const ranks = { tool: 1, assistant: 2, person: 3, system: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(transcript, { minLength: 2, maxLength: 5 }), async (talks) => {
        const at = opened();
        const places = new Map<string, Evidence>();
        for (const { facts, path } of talks) {
          const { digest } = await digested(at, facts, { path });
          for (const { key: name, outcome, evidence: now } of digest.facts) {
            const before = places.get(name);
            if (outcome === 'replace') {
              expect(ranks[now.role]).toBeGreaterThanOrEqual(ranks[before?.role ?? 'person']);
              if (now.time && before?.time) expect(now.time >= before.time).toBe(true);
            }
            if (outcome === 'add' || outcome === 'replace') places.set(name, now);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('the newest conversation stands, in whatever order they are digested', async () => {
    const talks = fc
      .uniqueArray(fc.tuple(time, value), { selector: ([at]) => at, minLength: 2, maxLength: 5 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    await fc.assert(
      fc.asyncProperty(talks, async ([all, order]) => {
        const at = opened();
        for (const [when, text] of order) {
          await digested(at, [said('a.x', text, { time: when })], { path: `/t/${when}.jsonl` });
        }
        const [newest] = [...all].sort(([one], [other]) => (one < other ? 1 : -1));
        expect(await jsonOf(at, 'a.x')).toBe(`"${newest?.[1]}"`);
      }),
      { numRuns: 60 },
    );
  });
});

test('ten thousand changes are read once, for a thousand facts', async () => {
  const at = opened();
  await at.memory.setMany(Array.from({ length: 500 }, (_, n) => ({ key: `s.k${n}`, json: `"${n}"` })));
  const path = join(at.folder, 'changes.jsonl');
  const first = JSON.parse(readFileSync(path, 'utf8'));
  const lines = Array.from({ length: 10_000 }, (_, n) =>
    JSON.stringify({ ...first, change: n + 2, edits: [{ key: `t.k${n % 1000}`, before: '1', after: '2' }] }),
  );
  writeFileSync(path, `${JSON.stringify(first)}\n${lines.join('\n')}\n`);
  let reads = 0;
  const memory = new Memory({ folder: at.folder, who: 'test', now: () => new Date(NOW) });
  const changes = memory.changes.bind(memory);
  memory.changes = (asked) => {
    reads++;
    return changes(asked);
  };
  const facts = Array.from({ length: 1000 }, (_, n) => said(`s.k${n}`, 'new', { time: LATER }));
  const all = await planned({ ...at, memory }, facts);
  expect(all.filter(({ outcome }) => outcome === 'add')).toHaveLength(500);
  expect(all.filter(({ outcome }) => outcome === 'doubt')).toHaveLength(500);
  expect(reads).toBe(1);
});
