import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approach } from './approach.ts';

/** The most tokens within the limit that the search comes to, where a document of so many characters has `tokensOf`. */
async function best(least: number, limit: number, tokensOf: (chars: number) => number): Promise<number> {
  let most = tokensOf(least);
  await approach(least, limit, async (chars) => {
    expect(chars).toBeGreaterThanOrEqual(least);
    const tokens = tokensOf(chars);
    if (tokens <= limit && tokens > most) most = tokens;
    return { tokens, more: true };
  });
  return most;
}

describe('approach', () => {
  it('comes close to the limit, however many characters a token has', async () => {
    const rate = fc.double({ min: 0.5, max: 12, noNaN: true });
    await fc.assert(
      fc.asyncProperty(rate, fc.integer({ min: 400, max: 1_000_000 }), async (charsAToken, limit) => {
        const tokensOf = (chars: number) => Math.ceil(chars / charsAToken);
        expect(await best(Math.floor(100 * charsAToken), limit, tokensOf)).toBeGreaterThan(limit * 0.97);
      }),
    );
  });

  it('finds a step below the limit where documents just above it are over', async () => {
    // In steps of 150 characters, and denser in tokens the longer it gets.
    const tokensOf = (chars: number) => Math.floor(100 + (Math.floor(chars / 150) * 150) ** 1.1 / 8);
    for (let limit = 300; limit < 5_000; limit += 50) {
      let largest = 0;
      for (let chars = 450; tokensOf(chars) <= limit; chars += 150) largest = tokensOf(chars);
      expect(await best(450, limit, tokensOf)).toBeGreaterThan(largest * 0.8);
    }
  });

  it('stops where more characters add nothing', async () => {
    let tries = 0;
    await approach(100, 10_000, async () => {
      tries++;
      return { tokens: 50, more: false };
    });
    expect(tries).toBe(1);
  });
});
