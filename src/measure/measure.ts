import type { Budget } from './budget.ts';

/** The length of a text in a budget's unit. */
export type Measure = (text: string) => number;

/** Characters are UTF-16 code units: what clients that reject oversized results count. */
const chars: Measure = (text) => text.length;

/** The measure of a budget's unit. The tokenizer's table is loaded only where tokens are asked for. */
export async function measureOf(unit: Budget['unit']): Promise<Measure> {
  if (unit === 'chars') return chars;
  return (await import('./tokens.ts')).tokensIn;
}
