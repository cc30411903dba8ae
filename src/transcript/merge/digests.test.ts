import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tempFolder } from '../../digest/source/fixture.ts';
import { Memory } from '../../memory/memory.ts';
import { initProject } from '../../memory/projects.ts';
import { isDigest, newDigestId } from './digest.ts';
import { causeOf, Digests, digestIdIn } from './digests.ts';
import { knownTurns, readDigestLog } from './log.ts';
import { code, digested, digestOf, type Opened, opened, planned, said } from './merge.testing.ts';
import { Plans } from './plans.ts';

const logOf = ({ digests }: Opened) => join(digests.folder, 'digests.jsonl');

async function states(at: Opened): Promise<unknown[]> {
  return (await at.digests.read()).digests.map(({ id, state, change }) => [id, state, change]);
}

test('reading makes nothing', async () => {
  const at = opened();
  expect(await at.digests.read()).toEqual({ digests: [], unreadable: 0 });
  expect(existsSync(at.digests.folder)).toBe(false);
});

test('a scope that is not there is no place for digests', async () => {
  const { memory } = opened();
  expect(() => new Digests(memory, 'project')).toThrow(code('BAD_USAGE') as Error);
});

test("a repository doesn't take up what a project's memory keeps of transcripts", async () => {
  const root = tempFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('init', '--quiet');
  const data = join(root, '.git', 'data');
  await initProject(root, data);
  const memory = new Memory({ folder: data, workFolder: root, who: 'test' });
  const at = { folder: root, memory, digests: new Digests(memory, 'project') };
  await digested(at, [said('a.b', '1')]);
  await new Plans(at.digests.folder).save(digestOf([]));
  expect(at.digests.folder).toBe(join(root, '.plimsoll', 'transcripts'));
  expect(git('status', '--porcelain', '--untracked-files=all').match(/\S+$/gm)).toEqual([
    '.plimsoll/.gitignore',
    '.plimsoll/context.json',
  ]);
});

test('digests come back as they were, the newest first', async () => {
  const at = opened();
  const first = await digested(at, [said('a.b', '1', { id: 'm1', speaker: 'Maria' })]);
  const second = await digested(at, [said('a.c', '2', { time: undefined })], { by: 'model small' });
  const { digests } = await at.digests.read();
  const json = (value: unknown) => JSON.parse(JSON.stringify(value));
  expect(json(digests)).toEqual([
    { ...json(second.digest), state: 'done', change: 2 },
    { ...json(first.digest), state: 'done', change: 1 },
  ]);
});

describe('a digest without an end', () => {
  it('is in memory if the journal says so', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('a.b', '1')]));
    await at.digests.alone(async () => at.digests.begin(plan));
    await at.memory.set('a.b', '"1"', { why: causeOf(plan.id) });
    expect(await states(at)).toEqual([[plan.id, 'done', 1]]);
    expect(readFileSync(logOf(at), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('never came about otherwise, and may be begun anew', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('a.b', '1')]));
    await at.digests.alone(async () => at.digests.begin(plan));
    expect((await at.digests.read()).digests).toMatchObject(
      [{ state: 'void', why: /broken off/ }].map(asMatching),
    );
    await at.digests.alone(async () => {
      at.digests.begin(plan);
      at.digests.finish(plan.id, 7);
    });
    expect(await states(at)).toEqual([[plan.id, 'done', 7]]);
  });

  it('is let be while somebody is making it', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('a.b', '1')]));
    await at.digests.alone(async () => at.digests.begin(plan));
    const lock = join(at.digests.folder, '.digests.jsonl.lock');
    writeFileSync(lock, 'of another process');
    expect(await states(at)).toEqual([[plan.id, 'begun', undefined]]);
    rmSync(lock);
    expect(await states(at)).toEqual([[plan.id, 'void', undefined]]);
  });

  it('that comes about after all is in memory', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('a.b', '1')]));
    await at.digests.alone(async () => at.digests.begin(plan));
    expect(await states(at)).toEqual([[plan.id, 'void', undefined]]);
    await at.digests.alone(async () => at.digests.finish(plan.id, 7));
    expect(await states(at)).toEqual([[plan.id, 'done', 7]]);
  });

  it('is settled before the next one', async () => {
    const at = opened();
    const plan = digestOf(await planned(at, [said('a.b', '1')]));
    await at.digests.alone(async () => at.digests.begin(plan));
    const next = await digested(at, [said('a.b', '2')]);
    expect(await states(at)).toEqual([
      [next.digest.id, 'done', 1],
      [plan.id, 'void', undefined],
    ]);
  });
});

function asMatching(one: { state: string; why: RegExp }): unknown {
  return { ...one, why: expect.stringMatching(one.why) };
}

test('lines that cannot be read are counted, and the rest is read', async () => {
  const at = opened();
  const one = await digested(at, [said('a.b', '1')]);
  const [begun] = readFileSync(logOf(at), 'utf8').split('\n');
  appendFileSync(logOf(at), `nonsense\n[]\n{"id": 7}\n{"state": "done"}\n${begun?.slice(0, 80)}`);
  expect(await at.digests.read()).toMatchObject({
    digests: [{ id: one.digest.id, state: 'done' }],
    unreadable: 5,
  });
  const two = await digested(at, [said('a.c', '1')]);
  expect(await states(at)).toEqual([
    [two.digest.id, 'done', 2],
    [one.digest.id, 'done', 1],
  ]);
});

test('a record counts only if it is whole', async () => {
  const whole = JSON.parse(JSON.stringify(digestOf(await planned(opened(), [said('a.b', '1')]))));
  expect(isDigest(whole)).toBe(true);
  const holes: unknown[] = [undefined, null, 7, 'x', [], {}, ['x'], -1];
  const places = placesIn(whole).filter((path) => !OPTIONAL.has(path.join('.')));
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom(...holes), (path, hole) => {
      const broken = structuredClone(whole);
      const name = path.at(-1) as string;
      const parent = path.slice(0, -1).reduce((at, key) => at[key], broken);
      const old = parent[name];
      fc.pre(!isAlike(old, hole) || old === undefined);
      parent[name] = hole;
      expect(isDigest(broken)).toBe(false);
    }),
    { numRuns: 400 },
  );
});

const OPTIONAL = new Set(['refused.0.key', 'facts.0.evidence.time']);

/** The paths of all that is in a value, lists by their first entry. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).filter(([key]) => !Array.isArray(value) || key === '0');
  const all = inner.flatMap(([key, one]) => placesIn(one, [...path, key]));
  return path.length === 0 ? all : [path, ...all];
}

/** Whether one may stand for the other in a record. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return Array.isArray(other) && (other.length === 0 || typeof one[0] === typeof other[0]);
  if (typeof one === 'string' && typeof other === 'string') return true;
  return typeof one === 'number' && typeof other === 'number' && other >= 0;
}

test('what a change was made for names its digest', () => {
  const id = newDigestId();
  expect(digestIdIn(causeOf(id))).toBe(id);
  for (const why of [undefined, '', 'transcript', `${causeOf(id)} and more`, 'transcript ../../x']) {
    expect(digestIdIn(why)).toBeUndefined();
  }
});

test('the log gives the last digests', async () => {
  const at = opened();
  for (const n of [1, 2, 3]) await digested(at, [said(`a.k${n}`, `${n}`)]);
  const keys = async (last?: number) =>
    (await readDigestLog(at.digests, { last })).digests.map(({ facts }) => facts[0]?.key);
  expect(await keys()).toEqual(['a.k3', 'a.k2', 'a.k1']);
  expect(await keys(2)).toEqual(['a.k3', 'a.k2']);
  expect(await keys(0)).toEqual([]);
  await expect(keys(-1)).rejects.toEqual(code('BAD_USAGE'));
});

describe('the log in brief', () => {
  const portsOf = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => said(`${name}.k${n}`, `${n}`, { line: n + 1 }));

  it('has the first facts of a digest, those that are new before the others, and says how many more there are', async () => {
    const at = opened();
    await digested(at, portsOf(30, 'a'));
    await digested(at, [...portsOf(30, 'a'), ...portsOf(12, 'b'), said('c', 'x'), said('c.d', 'y')]);
    const { digests, total } = await readDigestLog(at.digests);
    expect(total).toBe(2);
    const [newest, oldest] = digests;
    const outcomes = newest?.facts.map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...Array(13).fill('add'), 'doubt', ...Array(6).fill('same')]);
    expect(newest?.more).toEqual({ add: 0, replace: 0, same: 24, doubt: 0, refused: 0, leftOut: 0 });
    expect(oldest?.more).toMatchObject({ add: 10 });
    expect(newest).not.toHaveProperty('turns');
  });

  it('never has more than 20,000 characters, and gives the rest when asked to go on', async () => {
    const text = fc.constantFrom('x', 'long '.repeat(400), '\u0007"\\'.repeat(300), '🙂'.repeat(500));
    const digest = fc.record({
      facts: fc.integer({ min: 0, max: 60 }),
      refused: fc.integer({ min: 0, max: 40 }),
      kinds: fc.integer({ min: 0, max: 30 }),
      text,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(digest, { minLength: 1, maxLength: 30 }), async (all) => {
        const at = opened();
        const plans = all.map((one) => {
          const facts = portsOf(one.facts, 'a').map((fact) => ({
            ...fact,
            value: JSON.stringify(one.text),
            evidence: { ...fact.evidence, quote: one.text, speaker: one.text },
            outcome: 'add' as const,
          }));
          const more = {
            by: `model ${one.text}`,
            leftOut: Array.from({ length: one.kinds }, (_, line) => ({
              reason: 'unknown' as const,
              what: `${line} ${one.text}`,
              count: 2,
              line,
            })),
            refused: Array.from({ length: one.refused }, () => ({ reason: one.text })),
          };
          return { ...digestOf(facts, { path: `/t/${one.text.slice(0, 2000)}` }), ...more };
        });
        await at.digests.alone(async () => {
          for (const plan of plans) {
            at.digests.begin(plan);
            at.digests.finish(plan.id, undefined);
          }
        });
        const seen: string[] = [];
        while (seen.length < plans.length) {
          const log = await readDigestLog(at.digests, { from: seen.length, last: 100 });
          expect(JSON.stringify(log, null, 2).length).toBeLessThanOrEqual(20_000);
          expect(log).toMatchObject({ from: seen.length, total: plans.length });
          expect(log.digests.length).toBeGreaterThan(0);
          for (const { id, facts, refused, leftOut, more } of log.digests) {
            const plan = plans.find((one) => one.id === id);
            expect(facts.length + more.add).toBe(plan?.facts.length);
            expect(refused.length + more.refused).toBe(plan?.refused.length);
            expect(leftOut.length * 2 + more.leftOut).toBe((plan?.leftOut.length ?? 0) * 2);
            seen.push(id);
          }
        }
        expect(seen).toEqual(plans.map(({ id }) => id).toReversed());
      }),
      { numRuns: 30 },
    );
  });
});

test('known turns are those that digests in memory have read by the same means', async () => {
  const at = opened();
  await digested(at, [said('a.b', '1', { line: 3 }), said('a.c', '1', { line: 5 })]);
  await digested(at, [said('a.d', '1', { line: 7 })]);
  await digested(at, [said('a.e', '1', { line: 9 })], { by: 'model small' });
  const broken = digestOf(await planned(at, [said('a.f', '1', { line: 11 })]));
  await at.digests.alone(async () => at.digests.begin(broken));
  expect(await knownTurns(at.digests, 'rules')).toEqual(new Set(['turn3', 'turn5', 'turn7']));
  expect(await knownTurns(at.digests, 'model small')).toEqual(new Set(['turn9']));
  expect(await knownTurns(at.digests, 'model large')).toEqual(new Set());
});

test('what is damaged is told of, and nothing is begun', async () => {
  const at = opened();
  await digested(at, [said('a.b', '1')]);
  const plan = digestOf(await planned(at, [said('a.c', '1')]));
  writeFileSync(join(at.folder, 'context.json'), '{"a": ');
  const before = readFileSync(logOf(at), 'utf8');
  await expect(digested(at, [said('a.c', '1')])).rejects.toEqual(code('MEMORY_DAMAGED'));
  expect(readFileSync(logOf(at), 'utf8')).toBe(before);
  expect(plan.facts).toHaveLength(1);
});

test('a log that cannot be read is named', async () => {
  const at = opened();
  mkdirSync(logOf(at), { recursive: true });
  await expect(at.digests.alone(async () => at.digests.begin(digestOf([])))).rejects.toEqual(
    code('MEMORY_UNREADABLE', /digests\.jsonl/),
  );
});
