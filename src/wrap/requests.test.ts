import { expect, test } from 'vitest';
import { Requests } from './requests.ts';

const call = (id: string | number, params: unknown = { name: 'tool' }) => ({
  id,
  method: 'tools/call',
  params,
});

test('a request is known until it is answered', () => {
  const requests = new Requests(['tools/call']);
  requests.sent(call(1), 100);
  requests.sent({ id: 2, method: 'tools/list' }, 100);
  expect([1, 2, '1', 3].map((id) => requests.find(id)?.method)).toEqual([
    'tools/call',
    'tools/list',
    undefined,
    undefined,
  ]);
  expect(requests.find(2)?.asked).toBeUndefined();
  expect(requests.answered(1)?.asked).toEqual({ method: 'tools/call', name: 'tool', arguments: undefined });
  expect(requests.answered(4)).toBeUndefined();
  expect(requests.abandon().map(({ id }) => id)).toEqual([2]);
});

test('ids that are numbers and ids that are texts are apart', () => {
  const requests = new Requests(['tools/call']);
  requests.sent(call(1, { name: 'a' }), 100);
  requests.sent(call('1', { name: 'b' }), 100);
  expect(requests.answered('1')?.asked?.name).toBe('b');
  expect(requests.answered(1)?.asked?.name).toBe('a');
});

test('a cancelled request fails no more with the server, but a late answer is known', () => {
  const requests = new Requests(['tools/call']);
  requests.sent(call(1), 100);
  requests.cancelled(1);
  requests.cancelled(7);
  expect(requests.find(1)).toBeDefined();
  expect(requests.abandon()).toEqual([]);
  expect(requests.answered(1)?.asked?.name).toBe('tool');
});

test('not more cancelled requests are remembered than may come late', () => {
  const requests = new Requests(['tools/call']);
  for (let id = 0; id < 1000; id++) {
    requests.sent(call(id), 100);
    requests.cancelled(id);
  }
  expect(requests.find(0)).toBeUndefined();
  expect(requests.find(999)).toBeDefined();
});

test('a duplicate id is one request: the last', () => {
  const requests = new Requests(['tools/call']);
  requests.sent(call(1, { name: 'a' }), 100);
  requests.sent(call(1, { name: 'b' }), 100);
  expect(requests.answered(1)?.asked?.name).toBe('b');
  expect(requests.answered(1)?.asked?.name).toBe('b');
});

test('who asks is known from the request, else from the handshake', () => {
  const requests = new Requests([]);
  requests.met({ client: 'a' });
  requests.met({ version: '2025-06-18' });
  expect(requests.readerOf({ client: undefined, version: undefined })).toEqual({
    client: 'a',
    version: '2025-06-18',
  });
  expect(requests.readerOf({ client: 'b', version: '2026-07-28' })).toEqual({
    client: 'b',
    version: '2026-07-28',
  });
});

test("a task's result is what the call that made it asked for", () => {
  const requests = new Requests(['tools/call', 'tasks/result']);
  requests.sent(call(1, { name: 'slow', arguments: { a: 1 } }), 100);
  const request = requests.answered(1);
  if (request?.asked) requests.becameTask(request.asked, 'task-1');
  requests.sent({ id: 2, method: 'tasks/result', params: { taskId: 'task-1' } }, 100);
  expect(requests.answered(2)?.asked).toEqual({ method: 'tasks/result', name: 'slow', arguments: { a: 1 } });
  requests.sent({ id: 3, method: 'tasks/result', params: { taskId: 'unknown' } }, 100);
  expect(requests.answered(3)?.asked).toEqual({ method: 'tasks/result' });
});

test("a task's result in a notification is for who asked for it, and for who is told", () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'new' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: {} },
  };
  const requests = new Requests(['tools/call', 'tasks/get']);
  requests.sent(call(1, { name: 'slow' }), 100);
  const request = requests.answered(1);
  if (request?.asked) requests.becameTask(request.asked, 'task-1');
  const _meta = { ...meta, progressToken: 1 };
  requests.sent({ id: 's', method: 'subscriptions/listen', params: { _meta } }, 100);
  const told = { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' }, taskId: 'task-1' };
  const asked = { method: 'notifications/tasks', name: 'slow', arguments: undefined };
  expect(requests.noticed('notifications/tasks', told)).toEqual({
    asked,
    client: 'new',
    version: '2026-07-28',
    meta,
  });
  expect(requests.noticed('notifications/tasks', {})).toEqual({ asked: { method: 'notifications/tasks' } });
  expect(new Requests(['tools/call']).noticed('notifications/tasks', told).asked).toBeUndefined();
});

test('long arguments are remembered by their start', () => {
  const requests = new Requests(['tools/call']);
  requests.sent(call(1, { name: 'tool', arguments: { text: 'é'.repeat(100_000) } }), 200_000);
  const args = requests.answered(1)?.asked?.arguments as string;
  expect(args.length).toBe(2000);
  expect(args.startsWith('{"text":"éé')).toBe(true);
});

test.each([
  ['progress, by its token', 'notifications/progress', { progressToken: 't' }, 1],
  ['progress with a token nobody gave', 'notifications/progress', { progressToken: 1 }, undefined],
  [
    'what a subscription brings',
    'notifications/tools/list_changed',
    { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' } },
    's',
  ],
  ['the end of a subscription', 'notifications/cancelled', { requestId: 's' }, 's'],
  ['the end of a request of the server', 'notifications/cancelled', { requestId: 1 }, undefined],
  ['what is about no request', 'notifications/tools/list_changed', {}, undefined],
  ['a log line, with one request at work', 'notifications/message', {}, 1],
])('%s', (_, method, params, about) => {
  const requests = new Requests([]);
  requests.sent(call(1, { _meta: { progressToken: 't' } }), 100);
  requests.sent({ id: 's', method: 'subscriptions/listen' }, 100);
  expect(requests.about({ method, params })).toBe(about);
});

test('with several requests at work nobody knows which one a question of the server is about', () => {
  const requests = new Requests([]);
  requests.sent(call(1), 100);
  const question = { id: 9, method: 'sampling/createMessage' };
  expect(requests.about(question)).toBe(1);
  requests.sent(call(2), 100);
  expect(requests.about(question)).toBeUndefined();
});

test('a second answer, and one whose id is a string, are still known', () => {
  const requests = new Requests(['tools/call']);
  requests.sent({ id: 5, method: 'tools/call', params: { name: 'a' } }, 100);
  expect(requests.answered('5')?.asked?.name).toBe('a');
  expect(requests.answered(5)?.asked?.name).toBe('a');
  expect(requests.answered('6')).toBeUndefined();
});

test('arguments nested too deep to be written are left aside', () => {
  const requests = new Requests(['tools/call']);
  const params = JSON.parse(`{"name":"a","arguments":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`);
  requests.sent({ id: 1, method: 'tools/call', params }, 40_000);
  expect(requests.find(1)?.asked).toEqual({ method: 'tools/call', name: 'a', arguments: undefined });
});
