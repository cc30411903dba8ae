import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

test('a turn is due after a few thousand steps, and then again', async () => {
  const pace = new Pace(undefined);
  expect(pace.isDue(4095)).toBe(false);
  expect(pace.isDue(1)).toBe(true);
  await pace.turn();
  expect(pace.isDue(1)).toBe(false);
});

test('timers and signals have their turn', async () => {
  const controller = new AbortController();
  const pace = new Pace(controller.signal);
  await pace.turn();
  setImmediate(() => controller.abort());
  await expect(pace.turn()).rejects.toMatchObject({ code: 'ABORTED' });
});
