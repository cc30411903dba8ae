import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { Guard, isLoopback } from './guard.ts';

const local = { host: '127.0.0.1', token: undefined, allowedOrigins: [] };
const asked = (headers: Record<string, string>, method = 'POST') => ({ headers, method }) as IncomingMessage;

test('only this machine is loopback', () => {
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]']) {
    expect(isLoopback(name), name).toBe(true);
  }
  for (const name of ['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', '']) {
    expect(isLoopback(name), name).toBe(false);
  }
});

test('a host that names another machine is refused, with any port', () => {
  const guard = new Guard(local);
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:3000']) {
    expect(guard.check(asked({ host })), host).toBeUndefined();
  }
  for (const host of ['evil.example', 'evil.example:80', '0.0.0.0:1', '', 'a b', 'localhost@evil.example']) {
    expect(guard.check(asked({ host }))?.status, host).toBe(403);
  }
  expect(guard.check(asked({}))?.status).toBe(403);
});

test('a page from elsewhere is refused unless its origin is allowed', () => {
  const guard = new Guard({ ...local, allowedOrigins: ['https://app.example/'] });
  const status = (origin: string) => guard.check(asked({ host: 'localhost', origin }))?.status;
  expect(status('http://localhost:5173')).toBeUndefined();
  expect(status('https://app.example')).toBeUndefined();
  for (const origin of ['null', 'https://evil.example', 'http://app.example.evil.example', 'x']) {
    expect(status(origin), origin).toBe(403);
  }
  expect(() => new Guard({ ...local, allowedOrigins: ['example'] })).toThrow(
    '--allow-origin takes an origin',
  );
});

test('without a token nothing but this machine is listened at', () => {
  expect(() => new Guard({ ...local, host: '0.0.0.0' })).toThrow(
    'in a file with --token-file, or in the variable that --help names.',
  );
  expect(() => new Guard({ ...local, host: '0.0.0.0', token: 'secret' })).not.toThrow();
});

test('a token is asked of all but those who ask what they may', () => {
  const guard = new Guard({ ...local, token: 'secret' });
  const host = 'localhost';
  expect(guard.check(asked({ host }))?.status).toBe(401);
  for (const authorization of ['Bearer other', 'Basic secret', 'Bearer', 'secret']) {
    expect(guard.check(asked({ host, authorization }))?.status, authorization).toBe(401);
  }
  expect(guard.check(asked({ host, authorization: 'bearer secret' }))).toBeUndefined();
  expect(guard.check(asked({ host }, 'OPTIONS'))).toBeUndefined();
});
