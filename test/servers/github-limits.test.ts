import { expect, onTestFinished, test, vi } from 'vitest';
import { commitAll, git, repositoryWith, write } from '../repository.ts';
import { ask, bareOf, bareWith, json, serve, TOKEN, WITH_TOKEN } from './github-fixture.ts';
import { secondaryLimit } from './github-refusals.ts';

test('requests count, separately for a token and for all who have none', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  const state = async (headers = {}) => {
    const response = await ask(server, '/repos/o/r', headers);
    const values = ['limit', 'remaining', 'used'].map((name) => response.headers.get(`x-ratelimit-${name}`));
    return [...values.map(Number), response.headers.get('x-ratelimit-resource')];
  };
  expect(await state()).toEqual([60, 59, 1, 'core']);
  expect(await state()).toEqual([60, 58, 2, 'core']);
  expect(await state(WITH_TOKEN)).toEqual([5000, 4999, 1, 'core']);
  expect(await state({ Authorization: `token ${TOKEN}` })).toEqual([5000, 4998, 2, 'core']);
  expect(await state({ Authorization: 'Bearer wrong' })).toEqual([60, 57, 3, 'core']);
});

test('asking for the limits costs nothing', async () => {
  const server = await serve({}, { limits: { anonymous: 7, window: 100 } });
  const now = Date.now() / 1000;
  await ask(server, '/repos/o/none');
  await ask(server, '/rate_limit');
  const { body } = await json(server, '/rate_limit');
  const { reset } = (body as { rate: { reset: number } }).rate;
  expect(body).toMatchObject({ rate: { limit: 7, used: 1, remaining: 6 }, resources: { core: { used: 1 } } });
  expect(Math.abs(reset - now - 100)).toBeLessThan(5);
  expect(server.requests.map(({ counted }) => counted)).toEqual([true, false, false]);
});

test('when the limit is used up nothing is answered until the count starts anew', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = await serve({ 'o/r': { path: bareWith({}) } }, { limits: { anonymous: 1 } });
  expect((await ask(server, '/repos/o/r')).status).toBe(200);
  const refused = await ask(server, '/repos/o/r');
  expect(refused.status).toBe(403);
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(await refused.json()).toMatchObject({
    message: expect.stringMatching(/^API rate limit exceeded for 127\.0\.0\.1\./),
  });
  expect((await ask(server, '/rate_limit')).status).toBe(200);
  expect((await ask(server, '/repos/o/r', WITH_TOKEN)).status).toBe(200);
  expect(server.requests.map(({ counted }) => counted)).toEqual([true, false, false, true]);
  vi.setSystemTime(Number(refused.headers.get('x-ratelimit-reset')) * 1000);
  expect((await ask(server, '/repos/o/r')).status).toBe(200);
});

test('an unchanged answer is 304, and counts unless who asks has a token', async () => {
  const work = repositoryWith({ a: '' });
  const path = bareOf(work);
  const server = await serve({ 'o/r': { path } });
  const first = await ask(server, '/repos/o/r/commits/main');
  const tag = first.headers.get('etag') as string;
  expect(tag).toMatch(/^W\/".+"$/);
  const again = async (headers = {}) => {
    const response = await ask(server, '/repos/o/r/commits/main', { 'If-None-Match': tag, ...headers });
    return { status: response.status, length: (await response.text()).length };
  };
  expect(await again()).toEqual({ status: 304, length: 0 });
  expect(await again(WITH_TOKEN)).toEqual({ status: 304, length: 0 });
  expect(await again({ 'If-None-Match': `"other", ${tag.slice(2)}` })).toEqual({ status: 304, length: 0 });
  expect(server.requests.map(({ counted }) => counted)).toEqual([true, true, false, true]);
  write(work, { b: '' });
  commitAll(work);
  git(work, 'push', '-q', path, 'main');
  expect(await again(WITH_TOKEN)).toMatchObject({ status: 200 });
});

test('a secondary limit may say how long to wait', async () => {
  const server = await serve(
    { 'o/r': { path: bareWith({}) } },
    { intercept: () => ({ kind: 'status', ...secondaryLimit(60) }) },
  );
  const refused = await ask(server, '/repos/o/r');
  expect(refused.status).toBe(403);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('60');
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('secondary rate limit') });
  server.intercept = () => ({ kind: 'status', ...secondaryLimit() });
  expect((await ask(server, '/repos/o/r')).headers.has('retry-after')).toBe(false);
});
