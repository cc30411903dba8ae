import { describe, expect, it } from 'vitest';
import { code, digested, opened, said, saveByHand } from './merge.testing.ts';
import { why } from './why.ts';

const LATER = { path: '/t/later.jsonl' };

describe('why a key holds what it does', () => {
  it('is told by all that digests have for it, the newest first', async () => {
    const at = opened();
    const quote = 'the database listens on 5432';
    const person = { id: 'm7', speaker: 'Maria', quote, line: 12 };
    const first = await digested(at, [said('db.port', '5432', person)], { by: 'model small' });
    const second = await digested(at, [said('db.port', '5432', { line: 3, role: 'assistant' })], LATER);
    const { key, standing, evidence, total } = await why('db.port', at.digests);
    expect([key, standing.present, standing.isByHand, total]).toEqual(['db.port', '"5432"', false, 2]);
    expect(evidence).toMatchObject([
      { digest: { id: second.digest.id, file: LATER }, fact: { outcome: 'same' }, isPresent: true },
      {
        digest: {
          id: first.digest.id,
          at: first.digest.at,
          by: 'model small',
          file: { path: '/t/talk.jsonl', sha256: 'ab'.repeat(32), format: 'claude-code' },
        },
        fact: { key: 'db.port', value: '"5432"', evidence: { ...person, role: 'person', isVerified: true } },
        isPresent: true,
        changed: undefined,
      },
    ]);
  });

  it('and by who has changed it since', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    await digested(at, [said('db.port', '6432', { line: 2 })]);
    await at.memory.set('db.port', '7000');
    const { standing, evidence } = await why('db.port', at.digests);
    expect(standing).toMatchObject({ present: '7000', last: { change: 3, who: 'test' } });
    expect(evidence).toMatchObject([
      { fact: { value: '"6432"' }, isPresent: false, changed: { change: 3 } },
      { fact: { value: '"5432"' }, isPresent: false, changed: { change: 3 } },
    ]);
  });

  it('or that a person has, by hand', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    saveByHand(at.folder, (text) => text.replace('5432', '7000'));
    expect(await why('db.port', at.digests)).toMatchObject({
      standing: { present: '"7000"', isByHand: true },
      evidence: [{ isPresent: false, changed: undefined }],
    });
  });

  it('also where it was taken away', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    await at.memory.undo(1);
    const { standing, evidence } = await why('db.port', at.digests);
    expect(standing.present).toBeUndefined();
    expect(evidence).toMatchObject([{ isPresent: false, changed: { change: 2, undoes: 1 } }]);
  });

  it('for a section by what there is for each key in it', async () => {
    const at = opened();
    const facts = [said('db.port', '5432'), said('db.pool.size', '8', { line: 2 }), said('dbs.port', '1')];
    await digested(at, facts);
    const { standing, evidence } = await why('db', at.digests);
    expect(standing.present).toContain('"pool"');
    expect(evidence.map(({ fact, isPresent }) => [fact.key, isPresent])).toEqual([
      ['db.pool.size', true],
      ['db.port', true],
    ]);
  });

  it('by no more than can be shown', async () => {
    const at = opened();
    await digested(
      at,
      Array.from({ length: 150 }, (_, n) => said(`db.k${n}`, 'x', { line: n + 1 })),
    );
    const { evidence, total } = await why('db', at.digests);
    expect(total).toBe(150);
    expect(evidence).toHaveLength(100);
    expect(evidence[0]?.fact.key).toBe('db.k149');
  });

  it('by nothing if no digest has it', async () => {
    const at = opened();
    await at.memory.set('db.port', '5432');
    expect(await why('db.port', at.digests)).toMatchObject({
      evidence: [],
      standing: { last: { change: 1 } },
    });
  });

  it('and one that is not there is told of, with those that are like it', async () => {
    const at = opened();
    await digested(at, [said('db.port', '5432')]);
    await expect(why('db.prot', at.digests)).rejects.toEqual(code('KEY_NOT_FOUND', /Like it: db\.port/));
    await expect(why('x'.repeat(2000), at.digests)).rejects.toEqual(code('BAD_KEY'));
  });
});
