import { afterEach, expect, test, vi } from 'vitest';
import { Inquiry } from './inquiry.ts';

afterEach(() => {
  vi.useRealTimers();
});

interface Sent {
  readonly id: string;
  readonly method: string;
  readonly params: object;
}

function start() {
  const sent: Sent[] = [];
  const learned: unknown[] = [];
  const inquiry = new Inquiry((message) => sent.push(message as Sent));
  const ask = (meta?: object) => inquiry.ask(meta, async (result) => void learned.push(result));
  const answer = async (result: object) => {
    inquiry.answer(sent.at(-1)?.id, { result });
    await new Promise((resolve) => process.nextTick(resolve));
  };
  return { inquiry, sent, learned, ask, answer };
}

test('all pages are asked for, once, and again only when they may hold no longer', async () => {
  const { inquiry, sent, learned, ask, answer } = start();
  const meta = { version: '2026-07-28' };
  const asked = Promise.all([ask(meta), ask(meta)]);
  await answer({ tools: [1], nextCursor: 'two' });
  await answer({ tools: [2] });
  await asked;
  expect(sent.map(({ method, params }) => [method, params])).toEqual([
    ['tools/list', { _meta: meta }],
    ['tools/list', { _meta: meta, cursor: 'two' }],
  ]);
  expect(learned).toEqual([{ tools: [1], nextCursor: 'two' }, { tools: [2] }]);
  await ask(meta);
  expect(sent).toHaveLength(2);
  inquiry.forget();
  const again = ask();
  expect(sent.at(-1)?.params).toEqual({});
  await answer({ tools: [] });
  await again;
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
});

test('its answers are told from all others, however late', async () => {
  const { inquiry, sent, ask, answer } = start();
  const asked = ask();
  await answer({});
  await asked;
  const id = sent[0]?.id;
  expect(inquiry.isAnswered({ id, answers: 'result' })).toBe(true);
  expect(inquiry.isAnswered({ id, answers: 'error' })).toBe(true);
  expect(inquiry.isAnswered({ id, answers: undefined })).toBe(false);
  expect(inquiry.isAnswered({ id: 'plimsoll-1', answers: 'result' })).toBe(false);
  expect(new Inquiry(() => {}).isAnswered({ id, answers: 'result' })).toBe(false);
  inquiry.answer(id, { result: { tools: [] } });
});

test('a server that does not answer in time is not waited for, is told so, and is not asked again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { sent, learned, ask, answer } = start();
  const asked = ask();
  await answer({ tools: [1], nextCursor: 'two' });
  vi.advanceTimersByTime(5000);
  await asked;
  expect(sent.slice(2)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: sent[1]?.id } },
  ]);
  expect(learned[0]).toEqual({ tools: [1], nextCursor: 'two' });
  expect(learned.slice(1)).toEqual([undefined]);
  await ask();
  expect(sent).toHaveLength(3);
});

test('nobody waits for a server that refuses, that is gone, or whose pages have no end', async () => {
  const { inquiry, sent, ask } = start();
  const refused = ask();
  inquiry.answer(sent[0]?.id, { error: { code: -32601 } });
  await refused;
  inquiry.forget();
  const gone = ask();
  inquiry.end();
  await gone;
  inquiry.forget();
  await ask();
  expect(sent).toHaveLength(2);
  let pages = 0;
  const endless = new Inquiry((message) => {
    pages++;
    const { id } = message as Sent;
    setImmediate(() => endless.answer(id, { result: { nextCursor: 'same' } }));
  });
  await endless.ask(undefined, async () => {});
  expect(pages).toBe(100);
});

test('what can not be learned leaves no timer behind, and is asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { inquiry, sent, ask, answer } = start();
  const asked = inquiry.ask(undefined, async () => {
    throw new Error('a schema without an end');
  });
  await answer({ tools: [1] });
  await expect(asked).rejects.toThrow('a schema without an end');
  expect(vi.getTimerCount()).toBe(0);
  const again = ask();
  await answer({ tools: [1] });
  await again;
  expect(sent).toHaveLength(2);
});
