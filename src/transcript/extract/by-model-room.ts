import { PlimsollError } from '../../errors.ts';
import { type Measure, measureOf } from '../../measure/measure.ts';
import type { Model } from '../model/model.ts';
import { askAbout } from './prompt.ts';

/** How the window of a model is shared. */
export interface Room {
  /** For a chunk, in tokens as `measure` counts them. */
  readonly chunk: number;
  /** For an answer, in tokens. */
  readonly answer: number;
  readonly measure: Measure;
}

/** An answer has so much of the window, up to so many tokens. */
const ANSWER_SHARE = 1 / 4;
const MOST_ANSWER = 4096;

/** A prompt has so much of it by the tokenizer that measures here: to the model it may be half as many tokens more. */
const PROMPT_SHARE = 1 / 2;

/** Small models overlook what is in a long prompt; in tokens. */
const MOST_PROMPT = 6000;

/** It makes no sense to read less at once; in tokens. */
const LEAST_CHUNK = 200;

/** Throws `MODEL_PROMPT_TOO_LONG` if the window is too small. */
export async function roomOf(model: Model): Promise<Room> {
  const window = await model.window();
  const measure = await measureOf('tokens');
  const answer = Math.min(MOST_ANSWER, Math.floor(window * ANSWER_SHARE));
  const { system, user } = askAbout({ text: '', keys: ['k'] }, answer);
  const frame = measure(system) + measure(user);
  const chunk = Math.min(MOST_PROMPT, Math.floor(window * PROMPT_SHARE)) - frame;
  if (chunk >= LEAST_CHUNK) return { chunk, answer, measure };
  throw new PlimsollError(
    'MODEL_PROMPT_TOO_LONG',
    `The window of ${model.name}, ${window} tokens, is too small to read transcripts in: ask for one of ${Math.ceil((frame + LEAST_CHUNK) / PROMPT_SHARE)} or more.`,
  );
}
