import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { planOf } from './plan.ts';

test('others have their turn while many blocks are looked through', async () => {
  const content = Array.from({ length: 3000 }, (_, index) => ({ type: 'text', text: `block ${index}` }));
  const what = { held: { content }, kept: { reason: 'keeping is switched off' }, partAt: () => undefined };
  const options = {
    limit: { chars: 10_000 },
    readers: { tools: undefined, paths: true },
    links: true,
  };
  let isDone = false;
  const planning = planOf(what, options).finally(() => {
    isDone = true;
  });
  await setImmediate();
  expect(isDone).toBe(false);
  expect((await planning).leasts).toHaveLength(3000);
});
