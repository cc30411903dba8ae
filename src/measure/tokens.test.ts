import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { tokensIn } from './tokens.ts';

const exactly = (text: string) => countTokens(text, { disallowedSpecial: new Set<string>() });
const HAN = '船长今天下午在港口检查了新的帆布和绳索然后决定把会议推迟到下周一因为潮水太低';

test.each([
  ['Han', HAN.repeat(12)],
  ['Han after words and white space', `The log says\t\t \n  ${HAN.repeat(9)}, and ends. ${HAN.repeat(8)}!`],
  ['Thai', 'เรือออกจากท่าในตอนเช้า'.repeat(20)],
  ['one letter', 'a'.repeat(700)],
  ['signs', ` ${'=-'.repeat(300)}\n/`],
  ['white space before signs', `\t\t${'!?'.repeat(200)}${'\u3000'.repeat(300)} x`],
  ['emoji and what is no character', `${'⛵🛶🏳️‍🌈'.repeat(80)}\ud800${'é\u0301'.repeat(200)}`],
  ['words that mean something to a model', `<|endoftext|>${'x<|im_start|>'.repeat(40)}`],
  ['nothing', ''],
])('long pieces are counted as the tokenizer does: %s', (_, text) => {
  expect(tokensIn(text)).toBe(exactly(text));
});

test('any text is counted as the tokenizer does', () => {
  const unit = fc.constantFrom(...HAN, 'a', 'The', 'é', '\ud83d', '!', ' ', '\t', '\n', '/', '7', "'s", 'ß');
  const run = fc.tuple(fc.array(unit, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 120 }));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
      const text = runs.map(([units, times]) => units.join('').repeat(times)).join('');
      expect(tokensIn(text)).toBe(exactly(text));
    }),
    { numRuns: 60 },
  );
});

test('a piece of any length takes little longer than its share', () => {
  tokensIn(HAN.repeat(20));
  const started = performance.now();
  tokensIn(HAN.repeat(420));
  expect(performance.now() - started).toBeLessThan(500);
});
