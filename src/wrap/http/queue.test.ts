import { expect, test } from 'vitest';
import { Queue } from './queue.ts';

test('what is put in comes out in order, before and after somebody waits for it', async () => {
  const queue = new Queue<number>();
  const taken: number[] = [];
  await queue.put(1);
  const taking = (async () => {
    for await (const item of queue) taken.push(item);
  })();
  await queue.put(2);
  await queue.put(3);
  queue.close();
  await queue.put(4);
  await taking;
  expect(taken).toEqual([1, 2, 3]);
});

test('whoever puts in waits while too much is in it, and no longer than it is open', async () => {
  const queue = new Queue<number>();
  let count = 0;
  const putting = (async () => {
    for (; count < 100; count += 1) await queue.put(count);
  })();
  await new Promise(setImmediate);
  expect(count).toBeLessThan(40);
  const [first] = [await queue[Symbol.asyncIterator]().next()];
  expect(first?.value).toBe(0);
  await new Promise(setImmediate);
  expect(count).toBeLessThan(40);
  queue.close();
  await putting;
  expect(count).toBe(100);
});
