import { visibleName } from '../../text/visible.ts';
import { failure } from './failure.ts';
import type { Answer, Ask, AskOptions } from './model.ts';
import { type Estimate, isCut, type Window } from './prompt.ts';

/** What a part of an answer's stream brings. */
export interface Piece {
  readonly text?: string | undefined;
  /** What the model thinks before it answers. */
  readonly thought?: string | undefined;
  /** Why the model won't answer. */
  readonly refusal?: string | undefined;
  /** Why the answer ends here; empty where the server doesn't tell. */
  readonly end?: string | undefined;
  readonly tokensIn?: number | undefined;
  readonly tokensOut?: number | undefined;
}

/** After so many pieces it is asked again whether there is enough of an answer. */
const PIECES = 50;

export interface Asked {
  readonly ask: Ask;
  readonly estimate: Estimate;
  readonly window: Window;
  readonly model: string;
  readonly address: string;
}

/** An answer of its pieces. Throws for one that isn't whole, that is none, or whose prompt the model may not have seen whole. */
export async function gathered(
  pieces: AsyncIterable<Piece>,
  asked: Asked,
  { onToken, isEnough }: AskOptions,
): Promise<Answer> {
  let count = 0;
  const all = { text: '', thought: '', refusal: '' };
  let end: string | undefined;
  let tokensIn: number | undefined;
  let tokensOut: number | undefined;
  for await (const piece of pieces) {
    all.text += piece.text ?? '';
    all.thought += piece.thought ?? '';
    all.refusal += piece.refusal ?? '';
    end = piece.end ?? end;
    tokensIn = piece.tokensIn ?? tokensIn;
    tokensOut = piece.tokensOut ?? tokensOut;
    if (piece.text || piece.thought) {
      count++;
      onToken?.(count);
    }
    if (count % PIECES === 0 && end === undefined && isEnough?.(all.text)) {
      checkPrompt(tokensIn, asked);
      return { text: all.text, tokensIn, tokensOut: tokensOut ?? count, isStopped: true };
    }
  }
  check({ ...all, end, tokensIn, tokensOut }, asked);
  return { text: all.text, tokensIn, tokensOut };
}

function check({ text, thought, refusal, end, tokensIn, tokensOut }: Piece, asked: Asked): void {
  const {
    ask: { mostTokens },
    model,
    address,
  } = asked;
  if (end === undefined) {
    throw failure(
      'MODEL_BROKEN_OFF',
      `${address} ended its answer in the middle: look into its log, it may have run out of memory.`,
    );
  }
  checkPrompt(tokensIn, asked);
  if (refusal || end === 'content_filter') {
    const reason = refusal ? `: ${visibleName(refusal.slice(0, 200))}` : '';
    throw failure('MODEL_REFUSED', `${model} refuses to answer${reason}.`);
  }
  if (isBlank(text) && !isBlank(thought)) {
    throw failure(
      'MODEL_ONLY_THOUGHT',
      `${model} thought and did not answer: take a model that does not think, such as one named 'instruct'.`,
    );
  }
  if (end === 'length' || (end === '' && (tokensOut ?? 0) >= mostTokens)) {
    throw failure(
      'MODEL_ANSWER_CUT',
      `The answer of ${model} was cut at its limit of ${mostTokens} tokens: ask for less at once.`,
    );
  }
  if (isBlank(text)) {
    throw failure('MODEL_ANSWER_EMPTY', `${model} answered nothing: ask again, or take another model.`);
  }
}

function checkPrompt(
  tokensIn: number | undefined,
  { ask: { mostTokens }, estimate, window, address }: Asked,
): void {
  if (!isCut(tokensIn, estimate, window, mostTokens)) return;
  throw failure(
    'MODEL_PROMPT_TOO_LONG',
    `${address} may have cut the prompt: it counts ${tokensIn ?? 'no'} tokens of about ${estimate.tokens}, in a window of ${window.tokens}: ask for a larger window, or less at once.`,
  );
}

const isBlank = (text = '') => text.trim() === '';
