import { measureOf } from '../../measure/measure.ts';
import { valueAt } from '../formats/parts.ts';
import type { Ask } from './model.ts';

/** How long a prompt is thought to be, before the server has told. */
export interface Estimate {
  readonly tokens: number;
  /** By how much more tokens it may be for the model. */
  readonly factor: number;
}

/** How many tokens a model takes in. */
export interface Window {
  readonly tokens: number;
  /** Whether the server says so itself; else it may be smaller. */
  readonly isGranted: boolean;
}

/** Tokenizers differ: others need up to so many more tokens for a text than the one that measures here. */
const OTHER_TOKENIZER = 1.5;

/** What a template adds to a prompt that the model's own tokenizer has measured. */
const TEMPLATE = 1.1;

/** A prompt that the server counts at less than this share of the estimate isn't there as a whole. */
const LEAST_SHARE = 0.75;

/** How far from half of the window the length of a prompt may be that Ollama has cut to it: what it keeps of the start. */
const KEPT = 8;

export const ownEstimate = (tokens: number): Estimate => ({ tokens, factor: TEMPLATE });

export async function estimateOf({ system, user }: Ask): Promise<Estimate> {
  const measure = await measureOf('tokens');
  return { tokens: measure(system) + measure(user), factor: OTHER_TOKENIZER };
}

/** Whether there is no room in the window for a prompt and its answer. */
export function isTooLong(estimate: Estimate, window: Window, mostTokens: number): boolean {
  return estimate.tokens + mostTokens > window.tokens;
}

/**
 * Whether the model may have seen less than the whole prompt, by what the server counted. Some servers cut a prompt that is
 * too long, and answer as if nothing had happened: Ollama to half of the window. Some count only what wasn't in their
 * cache: too small a count alone means nothing, as long as even a longer prompt would have had room.
 */
export function isCut(
  counted: number | undefined,
  estimate: Estimate,
  window: Window,
  mostTokens: number,
): boolean {
  const isInReach = !window.isGranted || estimate.tokens * estimate.factor >= window.tokens;
  if (counted === undefined) return isInReach;
  const isFull = counted + mostTokens > window.tokens;
  const isHalf = window.isGranted && Math.abs(counted - window.tokens / 2) <= KEPT;
  return isFull || isHalf || (isInReach && counted < estimate.tokens * LEAST_SHARE);
}

/** A number of tokens in an object that may hold anything; `undefined` if there is none under the key. */
export function countAt(object: unknown, key: string): number | undefined {
  const value = valueAt(object, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
