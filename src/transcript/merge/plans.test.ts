import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commit } from './commit.ts';
import type { Digest } from './digest.ts';
import { code, digestOf, jsonOf, type Opened, opened, planned, said } from './merge.testing.ts';
import { Plans } from './plans.ts';

const DAY = 24 * 60 * 60 * 1000;

function plansOf({ digests }: Opened) {
  const folder = join(digests.folder, 'plans');
  const plans = new Plans(digests.folder);
  const pathOf = ({ id }: Digest) => join(folder, `${id}.json`);
  /** Keeps one as if that had been some days ago. */
  const saveOld = async (plan: Digest, days: number) => {
    await plans.save(plan);
    const time = new Date(Date.now() - days * DAY);
    utimesSync(pathOf(plan), time, time);
  };
  return { folder, plans, pathOf, saveOld };
}

test('a plan is kept, for the user alone, and does exactly what it says', async () => {
  const at = opened();
  const { plans, pathOf } = plansOf(at);
  const plan = digestOf(await planned(at, [said('a.b', '1'), said('a.c', '2', { isVerified: false })]));
  await plans.save(plan);
  if (process.platform !== 'win32') expect(statSync(pathOf(plan)).mode & 0o777).toBe(0o600);
  const loaded = plans.load(plan.id);
  expect(loaded).toEqual(JSON.parse(JSON.stringify(plan)));
  expect(await jsonOf(at, 'a.b')).toBeUndefined();
  const made = await commit(loaded, at.memory, at.digests);
  expect(made.done.map(({ key, after }) => [key, after])).toEqual([['a.b', '"1"']]);
  expect(await commit(plans.load(plan.id), at.memory, at.digests)).toMatchObject({
    isRepeated: true,
    change: 1,
  });
});

test('one that is not there is told of, with those that are', async () => {
  const { plans, folder } = plansOf(opened());
  expect(() => plans.load('0123abcd')).toThrow(code('PLAN_NOT_FOUND', /There are none/) as Error);
  const plan = digestOf([]);
  await plans.save(plan);
  const wrong = ['0123abcd', '', '..', '../digests', `${plan.id}.json`, `../plans/${plan.id}`, '\u001b[31m'];
  for (const id of wrong) {
    expect(() => plans.load(id)).toThrow(
      code('PLAN_NOT_FOUND', new RegExp(`^[^\\u001b\\n]*${plan.id}`)) as Error,
    );
  }
  writeFileSync(join(folder, `${plan.id}.json`), '{"id": "half');
  expect(() => plans.load(plan.id)).toThrow(code('PLAN_NOT_FOUND', /can't be read/) as Error);
});

test('the 20 newest are kept, and none that is older than 30 days', async () => {
  const { plans, folder, pathOf, saveOld } = plansOf(opened());
  const all = Array.from({ length: 22 }, () => digestOf([]));
  for (const [index, plan] of all.entries()) await saveOld(plan, 29 - index);
  const newest = digestOf([]);
  await plans.save(newest);
  expect(readdirSync(folder)).toHaveLength(20);
  expect(all.map((plan) => existsSync(pathOf(plan)))).toEqual(all.map((_, index) => index >= 3));
  const [old] = all.slice(3) as [Digest];
  utimesSync(pathOf(old), new Date(0), new Date(Date.now() - 31 * DAY));
  expect(() => plans.load(old.id)).toThrow(code('PLAN_NOT_FOUND') as Error);
  await plans.save(newest);
  expect(existsSync(pathOf(old))).toBe(false);
  expect(readdirSync(folder)).toHaveLength(19);
});

test('other files in the folder are let be', async () => {
  const { plans, folder } = plansOf(opened());
  await plans.save(digestOf([]));
  writeFileSync(join(folder, 'notes.json'), '{}');
  utimesSync(join(folder, 'notes.json'), new Date(0), new Date(0));
  await plans.save(digestOf([]));
  expect(readdirSync(folder)).toContain('notes.json');
});
