import { expect, test } from 'vitest';
import { digestOf, opened, planned, said } from '../merge/merge.testing.ts';
import { foundAnswer } from './answers.ts';

test('of a fact in the place of a section it is told what has to be deleted first, and is lost with it', async () => {
  const at = opened();
  const values = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ key: `db.${key}`, json: '1' }));
  await at.memory.setMany(values);
  const digest = digestOf(await planned(at, [said('db', 'postgres')]));
  expect(foundAnswer({ ...digest, state: 'planned' }, { limit: 2000 })).toContain(
    '\n  first db has to be deleted, which loses db.a, db.b, db.c, db.d, db.e and 1 more',
  );
});
