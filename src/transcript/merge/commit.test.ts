import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { quickFolder } from '../../../test/memories.ts';
import { outcomeOf, startModule } from '../../../test/scripts.ts';
import type { Files } from '../../memory/store/files.ts';
import { systemError, watch } from '../../memory/store/store.testing.ts';
import { commit } from './commit.ts';
import type { Digest, PlannedFact } from './digest.ts';
import {
  code,
  digested,
  digestOf,
  factsText,
  jsonOf,
  opened,
  openedNow,
  planned,
  said,
} from './merge.testing.ts';

describe('a digest', () => {
  it('is one change in memory, which is undone as one', async () => {
    const at = opened();
    await at.memory.set('s.a', '1');
    const text = factsText(at.folder);
    const facts = [said('db.port', '5432'), said('db.name', 'main'), said('s.a', '2')];
    const made = await digested(at, facts);
    expect(made).toMatchObject({ change: 2, refused: [], isRepeated: false });
    expect(made.done.map(({ key }) => key)).toEqual(['db.port', 'db.name']);
    const { changes } = await at.memory.changes();
    expect(changes[0]).toMatchObject({ who: 'test', why: `transcript ${made.digest.id}` });
    await at.memory.undo(2);
    expect(factsText(at.folder)).toBe(text);
  });

  it('that was committed changes nothing any more, and says so', async () => {
    const at = opened();
    const made = await digested(at, [said('db.port', '5432')]);
    await at.memory.undo(1);
    const before = factsText(at.folder);
    expect(await commit(made.digest, at.memory, at.digests)).toMatchObject({
      digest: { id: made.digest.id },
      change: 1,
      done: [],
      refused: [],
      isRepeated: true,
    });
    expect(factsText(at.folder)).toBe(before);
    expect((await at.digests.read()).digests).toHaveLength(1);
  });

  it('without anything to store is in the log', async () => {
    const at = opened();
    expect(await digested(at, [said('db.port', '5432', { isVerified: false })])).toMatchObject({
      change: undefined,
      done: [],
    });
    expect((await at.digests.read()).digests).toMatchObject([{ state: 'done', change: undefined }]);
  });

  it('leaves out a fact whose key holds something else by now', async () => {
    const at = opened();
    await digested(at, [said('a.kept', '1'), said('a.gone', '1'), said('a.set', '1')]);
    const facts = ['a.kept', 'a.gone', 'a.set', 'a.new', 'a.other'].map((key) => said(key, '2'));
    const plan = digestOf(await planned(at, facts));
    expect(plan.facts.map(({ outcome }) => outcome)).toEqual(['replace', 'replace', 'replace', 'add', 'add']);
    await at.memory.delete('a.gone');
    await at.memory.set('a.set', '"3"');
    await at.memory.set('a.new', '"3"');
    const made = await commit(plan, at.memory, at.digests);
    expect(made.done.map(({ key }) => key)).toEqual(['a.kept', 'a.other']);
    expect(made.refused).toEqual([
      { key: 'a.gone', reason: 'Changed since the plan was made: a.gone is gone.' },
      { key: 'a.set', reason: 'Changed since the plan was made: a.set is "3" now.' },
      { key: 'a.new', reason: 'Changed since the plan was made: a.new is "3" now.' },
    ]);
    const outcomes = made.digest.facts.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['replace', 'doubt', 'doubt', 'doubt', 'add']);
    expect((await at.digests.read()).digests[0]?.facts).toMatchObject(made.digest.facts);
    expect(await jsonOf(at, 'a.set')).toBe('"3"');
    expect(await jsonOf(at, 'a.gone')).toBeUndefined();
  });

  it('has nothing to store where what it says stands by now, and says so', async () => {
    const at = opened();
    await digested(at, [said('a.port', '1')]);
    const plan = digestOf(await planned(at, [said('a.port', '2'), said('a.name', 'main'), said('a.x', '1')]));
    await at.memory.set('a.port', '2');
    await at.memory.set('a.name', '"main"');
    const made = await commit(plan, at.memory, at.digests);
    expect(made).toMatchObject({ change: 4, done: [{ key: 'a.x' }], refused: [] });
    const outcomes = (facts: readonly PlannedFact[] = []) => facts.map(({ outcome }) => outcome);
    expect(outcomes(made.digest.facts)).toEqual(['same', 'same', 'add']);
    expect(outcomes((await at.digests.read()).digests[0]?.facts)).toEqual(['same', 'same', 'add']);
    expect(await jsonOf(at, 'a.port')).toBe('2');
  });

  it('tells what has come into the way of a fact since it was planned', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('db', 'postgres')]));
    await at.memory.set('db.port', '1');
    const made = await commit(plan, at.memory, at.digests);
    const doubt = { outcome: 'doubt', obstacle: { key: 'db', loses: ['db.port'], count: 1 } };
    expect(made.digest.facts).toMatchObject([doubt]);
    expect((await at.digests.read()).digests[0]?.facts).toMatchObject([doubt]);
  });

  it('of which a killed process left no end tells what was not stored', async () => {
    const at = opened();
    const facts = ['a.kept', 'a.set', 'a.same'].map((key) => said(key, '2'));
    const plan = digestOf(await planned(at, facts));
    await at.memory.set('a.set', '"3"');
    await at.memory.set('a.same', '"2"');
    await at.digests.alone(async () => {
      at.digests.begin(plan);
      const values = plan.facts.map(({ key, value }) => ({ key, json: value, was: null }));
      await at.memory.setMany(values, { scope: 'global', why: `transcript ${plan.id}` });
    });
    expect((await at.digests.read()).digests[0]).toMatchObject({
      state: 'done',
      facts: [
        { outcome: 'add' },
        { outcome: 'doubt', reason: expect.stringContaining('changed') },
        { outcome: 'same' },
      ],
    });
  });

  it('that memory refuses is void at once', async () => {
    const { folder, digests } = opened();
    const files = watch((name, [, to]) => {
      if (name === 'renameSync' && to === join(folder, 'context.json')) throw systemError('EIO', 5);
    });
    const at = openedNow(folder, files);
    await expect(digested(at, [said('db.port', '5432')])).rejects.toEqual(code('MEMORY_UNWRITABLE'));
    const lines = readFileSync(join(digests.folder, 'digests.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).state)).toEqual(['begun', 'void']);
  });

  it.runIf(process.platform !== 'win32')('is for the user alone', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(at.digests.folder)).toBe(0o700);
    expect(modeOf(join(at.digests.folder, 'digests.jsonl'))).toBe(0o600);
  });
});

/** A folder with facts, and a digest that was planned for them. */
async function prepared(): Promise<{ folder: string; plan: Digest; text: string }> {
  const at = openedNow();
  await at.memory.set('s.a', '1');
  await digested(at, [said('db.port', '5432')]);
  const facts = [said('db.port', '6432', { line: 2 }), said('db.name', 'main')];
  return { folder: at.folder, plan: digestOf(await planned(at, facts)), text: factsText(at.folder) };
}

/** Checks that all of a digest came about or nothing, that the log says which, and that the next run goes on. */
async function expectWhole(folder: string, { plan, text }: { plan: Digest; text: string }): Promise<string> {
  const next = openedNow(folder);
  const [newest] = (await next.digests.read()).digests;
  const state = newest?.id === plan.id ? newest.state : 'none';
  const isDone = (await jsonOf(next, 'db.name')) !== undefined;
  expect(['none', 'void', 'done']).toContain(state);
  expect(state === 'done').toBe(isDone);
  expect(await jsonOf(next, 'db.port')).toBe(isDone ? '"6432"' : '"5432"');
  if (!isDone) expect(factsText(folder)).toBe(text);
  const made = await commit(plan, next.memory, next.digests);
  expect(made).toMatchObject({ isRepeated: isDone, refused: [] });
  const { digests } = await next.digests.read();
  expect(digests).toMatchObject([{ id: plan.id, state: 'done', change: made.change }, { state: 'done' }]);
  const { changes } = await next.memory.changes();
  const landed = changes.filter(
    ({ edits, void: never }) => !never && edits.some(({ key }) => key === 'db.name'),
  );
  expect(landed.map(({ change }) => change)).toEqual([made.change]);
  await next.memory.undo(made.change as number);
  expect(factsText(folder)).toBe(text);
  expect(readdirSync(next.digests.folder)).toEqual(['digests.jsonl']);
  return state;
}

/** Has something go wrong at each system call of a commit in turn; `at` says before and after which calls. */
async function wrongAtEach(make: (nth: number, count: () => number) => Files): Promise<Set<string>> {
  const states = new Set<string>();
  for (let nth = 0; ; nth++) {
    const { folder, ...rest } = await prepared();
    let count = 0;
    const at = openedNow(
      folder,
      make(nth, () => count++),
    );
    await commit(rest.plan, at.memory, at.digests).catch(() => {});
    states.add(await expectWhole(folder, rest));
    if (count <= nth) return states;
  }
}

describe('a digest that is interrupted is there as a whole or not at all', () => {
  it('by a process that stops for good after any system call', async () => {
    const states = await wrongAtEach((nth, count) => {
      let isOver = false;
      const stop = () => {
        if (isOver) throw new Error('stopped');
      };
      return watch(stop, () => {
        isOver ||= count() >= nth;
        stop();
      });
    });
    expect(states).toEqual(new Set(['none', 'void', 'done']));
  });

  it('by any system call that fails', async () => {
    const states = await wrongAtEach((nth, count) =>
      watch(() => {
        if (count() === nth) throw systemError('EIO', 5);
      }),
    );
    expect(states).toEqual(new Set(['none', 'void', 'done']));
  });
});

describe('a process that is killed', () => {
  const built = mkdtempSync(join(tmpdir(), 'plimsoll-built-'));
  const entry = {
    memory: 'src/memory/memory.ts',
    files: 'src/memory/store/files.ts',
    digests: 'src/transcript/merge/digests.ts',
    commit: 'src/transcript/merge/commit.ts',
  };
  const rest = { config: false, format: 'esm', clean: false, dts: false, logLevel: 'silent' } as const;
  beforeAll(() => build({ entry, outDir: built, ...rest }).then(() => {}));
  afterAll(() => rmSync(built, { recursive: true }));

  /** Commits a digest, and kills itself at a system call, counted from 0; says how many there were if it wasn't reached. */
  const SCRIPT = `
    import { Memory } from './memory.mjs';
    import { FILES } from './files.mjs';
    import { Digests } from './digests.mjs';
    import { commit } from './commit.mjs';
    const [, folder, plan, nth] = process.argv;
    let count = 0;
    const files = Object.fromEntries(Object.entries({ ...FILES }).map(([name, call]) => [name, (...args) => {
      if (count++ === Number(nth)) process.kill(process.pid, 'SIGKILL');
      return call.apply(FILES, args);
    }]));
    const memory = new Memory({ folder, who: 'test', files });
    await commit(JSON.parse(plan), memory, new Digests(memory, 'global', files));
    console.log(count);`;

  const run = (folder: string, plan: Digest, nth: number) =>
    outcomeOf(startModule('', built, SCRIPT, [folder, JSON.stringify(plan), String(nth)]));

  test('leaves a digest that is there as a whole or not at all', async () => {
    const whole = await prepared();
    const [code, output] = await run(whole.folder, whole.plan, -1);
    expect(code).toBe(0);
    const calls = Number(output);
    const states = new Set<string>([await expectWhole(whole.folder, whole)]);
    for (let step = 0; step < 16; step++) {
      const { folder, ...one } = await prepared();
      expect(await run(folder, one.plan, Math.floor((calls * step) / 16))).toEqual([null, '']);
      states.add(await expectWhole(folder, one));
    }
    expect(states).toEqual(new Set(['none', 'void', 'done']));
  });
});

test('digests of many at once are all there', async () => {
  const folder = quickFolder();
  const plans = await Promise.all(
    Array.from({ length: 8 }, async (_, n) =>
      digestOf(await planned(openedNow(folder), [said(`k${n}.a`, `${n}`)])),
    ),
  );
  await Promise.all(
    plans.map((plan) => {
      const { memory, digests } = openedNow(folder);
      return commit(plan, memory, digests);
    }),
  );
  const { digests, unreadable } = await openedNow(folder).digests.read();
  expect(unreadable).toBe(0);
  expect(new Set(digests.map(({ id }) => id))).toEqual(new Set(plans.map(({ id }) => id)));
  expect(digests.every(({ state }) => state === 'done')).toBe(true);
  expect(new Set(digests.map(({ change }) => change)).size).toBe(8);
});
