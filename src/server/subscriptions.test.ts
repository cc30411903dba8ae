import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Memory } from '../memory/memory.ts';
import { testServices } from './server.testing.ts';
import { Subscriptions } from './subscriptions.ts';

const ONE = 'plimsoll://context/one';
const TWO = 'plimsoll://context/two';
const DIARY = 'plimsoll://diary/latest';

let memory: Memory;
let subscriptions: Subscriptions;
let told: string[];
let wake: () => void;

beforeEach(() => {
  const services = testServices();
  memory = services.memory('another');
  told = [];
  wake = () => {};
  subscriptions = new Subscriptions(services, (uri) => {
    told.push(uri);
    wake();
  });
});

afterEach(() => subscriptions.close());

/** What is told until an address is. */
async function toldUntil(uri: string): Promise<readonly string[]> {
  while (!told.includes(uri)) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return told.splice(0);
}

const listen = (id: number, ...uris: string[]) =>
  subscriptions.heed({
    jsonrpc: '2.0',
    id,
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: uris } },
  });

const cancel = (requestId: number) =>
  subscriptions.heed({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

test('what has changed is told, and nothing else', async () => {
  await Promise.all([ONE, TWO, DIARY].map((uri) => subscriptions.add(uri)));
  await memory.set('two', '2');
  expect(await toldUntil(TWO)).toEqual([TWO]);
  await memory.addDiary('We met.');
  expect(await toldUntil(DIARY)).toEqual([DIARY]);
  subscriptions.remove(TWO);
  await memory.set('two', '3');
  await memory.set('one', '1');
  expect(await toldUntil(ONE)).toEqual([ONE]);
});

test('what a listener wanted is told until it is cancelled, and to others still', async () => {
  await listen(1, ONE, TWO);
  await listen(2, TWO);
  await subscriptions.add(DIARY);
  await memory.set('one', '1');
  await toldUntil(ONE);
  await cancel(1);
  await memory.set('one', '2');
  await memory.set('two', '2');
  expect(await toldUntil(TWO)).toEqual([TWO]);
  await cancel(2);
  await memory.set('two', '3');
  await memory.addDiary('We met.');
  expect(await toldUntil(DIARY)).toEqual([DIARY]);
});
