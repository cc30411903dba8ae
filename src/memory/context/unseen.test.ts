import { expect, test } from 'vitest';
import { hasUnseen } from './unseen.ts';

test.each([
  '',
  ' \u2003',
  '\u2800',
  '\u200b',
  'a\nb',
  'a\u202eb',
  'a\ud800',
  '\u3164',
  '\ufeffa',
  'a\u00adb',
  'a\u200db',
  'a\ufe0f',
  '1\ufe0f',
  '__proto__\u200b',
  '\u200dمی',
  'می\u200c',
  '\u{1f469}\u200d',
  '\u200d\u{1f469}',
  '\u{1f469}\u200d\u200d\u{1f4bb}',
  '\ufe0f',
  'ok\u{e0041}',
  '\u{1f3f4}\u{e0041}',
  '漢\u3164字',
])('%j has what nobody can see', (name) => {
  expect(hasUnseen(name)).toBe(true);
});

test.each([
  'a b',
  'é',
  'e\u0301',
  '漢字',
  'می\u200cخواهم',
  'क्\u200dष',
  '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
  '\u{1f3f3}\ufe0f\u200d\u{1f308}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u2764\ufe0f',
  '1\ufe0f\u20e3',
  '\u{1f1e9}\u{1f1ea}',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '葛\u{e0100}',
])('%j has nothing that nobody can see', (name) => {
  expect(hasUnseen(name)).toBe(false);
});
