import { expect, test } from 'vitest';
import { newSpool } from '../spool/spool.testing.ts';
import type { Origin } from '../spool/types.ts';
import { keptBy } from './kept.ts';

/** What is said of a result that has expired. */
async function saidOf(origin: Origin): Promise<string> {
  const { folder, spool } = newSpool({ now: () => 0, maxAge: 1000 });
  const draft = await spool.begin(origin);
  await draft.publish();
  const { spool: later } = newSpool({ folder, now: () => 2000, maxAge: 1000 });
  return keptBy(later, draft.handle, '').then(
    () => 'found',
    ({ message }: Error) => message,
  );
}

test('the call that makes an expired result again is told whole, or it is said that it is not', async () => {
  const origin: Origin = { kind: 'tool', server: 'files', name: 'write', arguments: '{"text":"a"}' };
  expect(await saidOf(origin)).toMatch(/To make it again, call write \{"text":"a"\} of files\.$/);
  expect(await saidOf({ ...origin, arguments: `{"text":"${'a'.repeat(5000)}"}` })).toMatch(
    /call write \{"text":"a+… of files\. \(Of its arguments only the start was kept\.\)$/,
  );
  const name = `file:///${'n'.repeat(5000)}`;
  expect(await saidOf({ kind: 'resource', name })).toMatch(/n…\. \(Of its name only the start was kept\.\)$/);
});
