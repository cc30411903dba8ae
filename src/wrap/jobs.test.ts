import { expect, test } from 'vitest';
import { Jobs } from './jobs.ts';

function later() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Whether a promise is settled once all that can happen at once has happened. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pause = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([promise.then(() => true), pause]);
}

test('there is room until so many are at work, and again when one is done', async () => {
  const jobs = new Jobs(2);
  const works = [later(), later()];
  void jobs.start(() => works[0]?.promise ?? Promise.resolve());
  expect(await isSettled(jobs.room())).toBe(true);
  void jobs.start(() => works[1]?.promise ?? Promise.resolve());
  const room = jobs.room();
  expect(await isSettled(room)).toBe(false);
  works[0]?.resolve();
  await room;
  expect(await isSettled(jobs.done())).toBe(false);
  works[1]?.resolve();
  await jobs.done();
});

test('who waits for others takes up no room, until it goes on', async () => {
  const jobs = new Jobs(1);
  const other = later();
  const work = later();
  const job = jobs.start(async () => {
    await jobs.wait(other.promise);
    await work.promise;
  });
  await jobs.room();
  other.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  const room = jobs.room();
  expect(await isSettled(room)).toBe(false);
  work.resolve();
  await Promise.all([room, job]);
  expect(await isSettled(jobs.room())).toBe(true);
});
