import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeFetch, NoAnswer } from './http.ts';

afterEach(() => void vi.unstubAllEnvs());

function serve(answer: RequestListener): Promise<string> {
  return started(createServer(answer));
}

async function started(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(work: Promise<unknown>): Promise<NoAnswer> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(NoAnswer);
  return error as NoAnswer;
}

const SILENT = { code: 'HOST_SILENT', message: expect.stringContaining('did not answer for 0.3 seconds') };

test('an answer is as it came, with its address', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/from') response.writeHead(302, { Location: '/to' }).end('on');
    else response.writeHead(418, { 'X-Test': 'yes' }).end('a text');
  });
  const response = await (await makeFetch(5, undefined))(`${url}/from`);
  expect([response.status, response.headers.get('x-test'), response.url]).toEqual([418, 'yes', `${url}/to`]);
  expect(await response.text()).toBe('a text');
});

test.each([204, 304])('an answer without a body keeps nobody waiting: %d', async (status) => {
  const url = await serve((_, response) => response.writeHead(status).end());
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const response = await (await makeFetch(3600, undefined))(url);
  expect([response.status, response.body]).toEqual([status, null]);
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a host that takes its time is waited for, as long as something comes', async () => {
  const url = await serve(async (_, response) => {
    for (let i = 0; i < 6; i++) {
      response.write('x');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    response.end();
  });
  const response = await (await makeFetch(0.3, undefined))(url);
  expect(await response.text()).toBe('xxxxxx');
});

test('a host that is silent is given up, before its answer and in the middle of it', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/half') response.write('half');
  });
  const fetch = await makeFetch(0.3, undefined);
  expect((await failureOf(fetch(url))).cause).toMatchObject(SILENT);
  const response = await fetch(`${url}/half`);
  expect((await failureOf(response.text())).cause).toMatchObject(SILENT);
});

test('an answer that breaks off fails, and so does a host that is not there', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half', () => response.destroy());
  });
  const fetch = await makeFetch(5, undefined);
  const response = await fetch(url);
  await failureOf(response.text());
  await failureOf(fetch('http://127.0.0.1:1/'));
});

test('who asks can be stopped', async () => {
  const url = await serve(() => {});
  const controller = new AbortController();
  const asking = (await makeFetch(5, controller.signal))(url);
  controller.abort();
  await failureOf(asking);
});

test('a body is there to its end, however late it is read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const url = await serve((_, response) => response.end('all of it'));
  const fetch = await makeFetch(5, undefined);
  const bodies = [];
  for (let i = 0; i < 20; i++) bodies.push((await fetch(url)).body as AsyncIterable<Uint8Array>);
  for (let i = 0; i < 5; i++) {
    collect();
    await setImmediate();
  }
  for (const body of bodies) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('all of it');
  }
});

test('the proxy that the environment names is used, unless it says for whom not', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const straight = await serve((_, response) => response.end('straight'));
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy']) {
    vi.stubEnv(name, '');
  }
  vi.stubEnv('http_proxy', await started(proxy));
  await failureOf((await makeFetch(5, undefined))('http://nowhere.invalid/'));
  expect(asked).toEqual(['nowhere.invalid:80']);
  vi.stubEnv('no_proxy', '127.0.0.1');
  expect(await (await (await makeFetch(5, undefined))(straight)).text()).toBe('straight');
});
