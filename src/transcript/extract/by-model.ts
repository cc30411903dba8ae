import { PlimsollError } from '../../errors.ts';
import { AlikeKeys } from '../chunk/alike.ts';
import { type Chunk, type ChunkOptions, chunksOf, halvesOf, partsOf } from '../chunk/chunk.ts';
import type { Answer, Ask, Model } from '../model/model.ts';
import type { Taken } from '../take/taken.ts';
import { readAnswer } from './answer.ts';
import { factsOf } from './by-model-facts.ts';
import { type Room, roomOf } from './by-model-room.ts';
import type { Extraction, Unread } from './extraction.ts';
import { Guard } from './guard.ts';
import type { KeptAnswers } from './kept.ts';
import { Keys } from './key.ts';
import { isLooping } from './loop.ts';
import { askAbout, CANARIES } from './prompt.ts';

export interface Progress {
  /** Which chunk is being read, from 1, and of how many. */
  readonly chunk: number;
  readonly chunks: number;
  /** How much of an answer has come, in tokens. */
  readonly tokens: number;
}

export interface ByModelOptions {
  readonly model: Model;
  /** Keys that memory has. */
  readonly existing: Iterable<string>;
  /** Where answers stay until the caller clears them. */
  readonly kept?: KeptAnswers | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a model finds in turns. Throws failures of the model that any other question would meet as well. */
export async function extractByModel(turns: readonly Taken[], options: ByModelOptions): Promise<Extraction> {
  return new Reader(options, await roomOf(options.model)).read(turns);
}

/** So often a chunk that could not be read is halved. */
const MOST_HALVINGS = 3;

/** Failures that less at once may not meet. */
const TOO_MUCH: ReadonlyMap<string, string> = new Map([
  ['MODEL_ANSWER_CUT', 'the answer was cut at its limit'],
  ['MODEL_ANSWER_EMPTY', 'the answer was empty'],
  ['MODEL_PROMPT_TOO_LONG', 'the prompt was too long'],
]);
const NO_LIST = {
  none: 'the answer had no list of facts',
  broken: 'the list of facts in the answer was broken',
} as const;

const REPEATED = 'the model repeated itself';

/** That a chunk could not be read, for a reason that its halves may not have. */
interface Unreadable {
  readonly reason: string;
  readonly isTooMuch: boolean;
}

class Reader {
  readonly #options: ByModelOptions;
  readonly #room: Room;
  readonly #chunking: ChunkOptions;
  readonly #keys: Keys;
  readonly #guard = new Guard();
  readonly #unread = new Map<Taken, string>();
  readonly #tokens: { in: number | undefined; out: number | undefined } = { in: undefined, out: undefined };

  constructor(options: ByModelOptions, room: Room) {
    const existing = [...options.existing];
    this.#options = options;
    this.#room = room;
    this.#chunking = { room: room.chunk, measure: room.measure, keys: new AlikeKeys(existing) };
    this.#keys = new Keys(existing);
  }

  async read(turns: readonly Taken[]): Promise<Extraction> {
    const chunks = chunksOf(partsOf(turns), this.#chunking);
    for (const [at, chunk] of chunks.entries()) {
      const onToken = (tokens: number) =>
        this.#options.onProgress?.({ chunk: at + 1, chunks: chunks.length, tokens });
      onToken(0);
      await this.#read(chunk, MOST_HALVINGS, onToken);
    }
    const { facts, refused, secrets } = this.#guard;
    return {
      facts,
      refused,
      read: turns.filter((turn) => !this.#unread.has(turn)).map(({ fingerprint }) => fingerprint),
      unread: byReason(this.#unread),
      chunks: chunks.length,
      tokensIn: this.#tokens.in,
      tokensOut: this.#tokens.out,
      secrets,
    };
  }

  async #read(chunk: Chunk, halvings: number, onToken: (count: number) => void): Promise<void> {
    const unreadable = await this.#tryToRead(chunk, onToken);
    if (!unreadable) return;
    const isToBeHalved = unreadable.isTooMuch && halvings > 0;
    const halves = isToBeHalved ? halvesOf(chunk, this.#chunking) : undefined;
    for (const half of halves ?? []) await this.#read(half, halvings - 1, onToken);
    if (!halves) for (const { turn } of chunk.parts) this.#unread.set(turn, unreadable.reason);
  }

  async #tryToRead(chunk: Chunk, onToken: (count: number) => void): Promise<Unreadable | undefined> {
    let answer: Answer;
    try {
      answer = await this.#answer(askAbout(chunk, this.#room.answer), onToken);
    } catch (error) {
      return unreadableFor(error);
    }
    this.#count(answer);
    const { candidates, refused, problem } = readAnswer(answer.text, CANARIES);
    if (problem && !answer.isStopped) return { reason: NO_LIST[problem], isTooMuch: true };
    const found = factsOf(candidates, chunk.parts, this.#keys);
    for (const fact of found.facts) await this.#guard.add(fact);
    for (const one of [...refused, ...found.refused]) await this.#guard.refuse(one);
    if (!answer.isStopped) return undefined;
    if (candidates.length === 0) return { reason: REPEATED, isTooMuch: false };
    const line = chunk.parts[0]?.turn.line;
    await this.#guard.refuse({
      candidate: '…',
      reason: `"…": ${REPEATED}, in what it says of line ${line} on`,
    });
    return undefined;
  }

  async #answer(ask: Ask, onToken: (count: number) => void): Promise<Answer> {
    const { model, kept, signal } = this.#options;
    if (signal?.aborted) throw new PlimsollError('ABORTED', 'Stopped before the model had read everything.');
    const earlier = kept?.get(model.name, ask);
    if (earlier) return earlier;
    const answer = await model.ask(ask, { ...(signal && { signal }), onToken, isEnough: isLooping });
    kept?.put(model.name, ask, answer);
    return answer;
  }

  #count({ tokensIn, tokensOut }: Answer): void {
    if (tokensIn !== undefined) this.#tokens.in = (this.#tokens.in ?? 0) + tokensIn;
    if (tokensOut !== undefined) this.#tokens.out = (this.#tokens.out ?? 0) + tokensOut;
  }
}

/** Throws what isn't about the one question. */
function unreadableFor(error: unknown): Unreadable {
  if (!(error instanceof PlimsollError)) throw error;
  const reason = TOO_MUCH.get(error.code);
  if (reason !== undefined) return { reason, isTooMuch: true };
  if (error.code === 'MODEL_REFUSED') return { reason: error.message.replace(/\.$/, ''), isTooMuch: false };
  throw error;
}

function byReason(turns: ReadonlyMap<Taken, string>): Unread[] {
  const reasons = new Map<string, Unread>();
  for (const [{ line }, reason] of turns) {
    const { count, line: first } = reasons.get(reason) ?? { count: 0, line };
    reasons.set(reason, { reason, count: count + 1, line: Math.min(first, line) });
  }
  return [...reasons.values()];
}
