import { expect, test } from 'vitest';
import { withoutControls } from './controls.ts';

test.each([
  ['colours', '\u001b[1;38;5;9mred\u001b[0m', 'red'],
  [
    'a title and a link',
    '\u001b]0;boat\u0007a \u001b]8;;http://a.example\u001b\\link\u001b]8;;\u001b\\',
    'a link',
  ],
  ['an escape that never ends', 'a\u001b]0;b', 'a0;b'],
  ['other controls', 'a\u0000\u0008b\u007f\u009fc', 'abc'],
  ['ends of lines', 'a\r\nb\rc\u000bd\u000ce\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['tabs, and letters of any script', 'a\tb\n\u200dé漢⛵', 'a\tb\n\u200dé漢⛵'],
])('%s', (_, text, plain) => {
  expect(withoutControls(text)).toBe(plain);
});

test('no control stays, whatever stands around it', () => {
  for (let code = 0; code < 0xa0; code++) {
    const text = withoutControls(`a${String.fromCharCode(code)}\u001b\u001b[${String.fromCharCode(code)}b`);
    expect(text).toMatch(/^[\t\n -~]*$/);
  }
});
