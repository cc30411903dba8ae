import { addressOf } from './address.ts';
import { Ollama } from './ollama.ts';
import { OpenAi } from './openai.ts';
import { ServedModel } from './served.ts';
import { Server } from './server.ts';

export interface Ask {
  readonly system: string;
  readonly user: string;
  /** What the answer must be, as JSON Schema. */
  readonly schema: object;
  /** At most so many tokens of answer. */
  readonly mostTokens: number;
}

export interface Answer {
  readonly text: string;
  /** As the server counts, if it tells. */
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
  /** Whether it was stopped before its end, by `isEnough`. */
  readonly isStopped?: true;
}

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Told how many pieces of the answer have come, as they come: mostly one for each token. */
  readonly onToken?: (count: number) => void;
  /** Asked about the answer so far, now and then: the model is stopped where it says so. */
  readonly isEnough?: (text: string) => boolean;
}

/** A language model on a server of this machine, or of another one where that is allowed. */
export interface Model {
  readonly name: string;
  /** Without what only the server may know. */
  readonly address: string;
  /** How many tokens the model takes in, prompt and answer together: what the server grants, not what the model could. */
  window(signal?: AbortSignal): Promise<number>;
  /** Throws a `PlimsollError`. Never gives an answer to a prompt that was cut on the way, nor one cut at its limit. */
  ask(ask: Ask, options?: AskOptions): Promise<Answer>;
}

export interface ModelSettings {
  readonly address: string;
  readonly name: string;
  readonly kind: 'ollama' | 'openai';
  /** Which window to ask Ollama for, and what to take for the window of another server that doesn't tell. In tokens. */
  readonly window?: number;
  /** How long the server may be silent, in seconds. It is while it loads the model and takes in a prompt. */
  readonly idle?: number;
  /** How long to wait before asking a busy server again, in seconds; twice as long each time after. */
  readonly pause?: number;
  /** Whether what is asked may leave this machine. */
  readonly allowRemote: boolean;
}

const IDLE = 600;
const PAUSE = 2;

/** A model by its settings; nothing is asked yet. Throws `BAD_ADDRESS` or `MODEL_REMOTE`. */
export function openModel(settings: ModelSettings): ServedModel {
  const { idle = IDLE, pause = PAUSE, kind } = settings;
  const server = new Server(addressOf(settings), { kind, idle, pause });
  return new ServedModel(server, settings.name, new (kind === 'ollama' ? Ollama : OpenAi)(server, settings));
}
