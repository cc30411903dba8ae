import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

const read = (address: string, more: { kind?: 'ollama' | 'openai'; allowRemote?: boolean } = {}) =>
  addressOf({ address, kind: 'ollama', allowRemote: false, ...more });

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['http://127.9.8.7:1/', 'http://127.9.8.7:1'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://LocalHost:8080/v1', 'http://localhost:8080'],
  ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080'],
  ['http://127.0.0.1/models/', 'http://127.0.0.1/models'],
  ['localhost', 'http://localhost:11434'],
  ['127.0.0.1:8123', 'http://127.0.0.1:8123'],
  ['[::1]', 'http://[::1]:11434'],
  ['http://localhost', 'http://localhost'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['http://[::]:8080', 'http://[::1]:8080'],
  [' http://127.0.0.1:8080?x=1#y ', 'http://127.0.0.1:8080'],
])('%s is on this machine', (address, name) => {
  expect(read(address).name).toBe(name);
});

test('only Ollama has a port of its own', () => {
  expect(read('localhost', { kind: 'openai' }).name).toBe('http://localhost');
});

test.each([
  'http://192.168.1.5:11434',
  'https://models.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[::ffff:10.0.0.1]:80',
  'http://[::2]',
  'example.com:11434',
  'http://127.0.0.1@example.com',
])('%s is on another machine, and refused unless that is allowed', (address) => {
  expect(() => read(address)).toThrow(
    expect.objectContaining({ code: 'MODEL_REMOTE', message: expect.stringContaining('--allow-remote') }),
  );
  expect(read(address, { allowRemote: true }).name).not.toContain('@');
});

test.each(['', 'http://', 'ftp://127.0.0.1', 'file:///etc/passwd', 'http://%zz@localhost', 'http://a b'])(
  '%j is no address',
  (address) => {
    expect(() => read(address)).toThrow(expect.objectContaining({ code: 'BAD_ADDRESS' }));
  },
);

test('a password is sent, and never told', () => {
  const { url, name } = read('http://mara:pass-5150@127.0.0.1:8080');
  expect(url.password).toBe('pass-5150');
  expect(name).toBe('http://127.0.0.1:8080');
  for (const address of ['http://mara:pass-5150@example.com', 'ftp://mara:pass-5150@localhost']) {
    expect(() => read(address)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('pass-5150') }),
    );
  }
});
