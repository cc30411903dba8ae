import { listAt, objectAt, textAt, valueAt } from '../formats/parts.ts';
import { isObject } from '../read/lines.ts';
import { failure, failureOf, isOfAnyServer } from './failure.ts';
import type { Piece } from './gather.ts';
import type { Ask, ModelSettings } from './model.ts';
import { countAt, type Estimate, estimateOf, type Window } from './prompt.ts';
import { type Protocol, Unserved } from './served.ts';
import type { Server } from './server.ts';
import { valuesOfLines } from './stream.ts';

/** Which window to ask for: memory for all of it is taken as the model is loaded. */
const WINDOW = 8192;

/** How long the model stays loaded after an answer. */
const KEEP_ALIVE = '10m';

/** Where Ollama's own API for chats is (https://docs.ollama.com/api). The one for clients of OpenAI has no window to ask for. */
const CHAT = '/api/chat';

export class Ollama implements Protocol {
  readonly chatPath = CHAT;
  readonly pull: string;
  readonly #server: Server;
  readonly #settings: ModelSettings;
  #hasSystem = true;

  constructor(server: Server, settings: ModelSettings) {
    this.#server = server;
    this.#settings = settings;
    this.pull = `get it with 'ollama pull ${settings.name}', or take one of these`;
  }

  async open(signal: AbortSignal | undefined): Promise<Window> {
    const { name } = this.#settings;
    const { tokens } = await this.look(signal);
    await this.#post(CHAT, { ...this.#options(tokens), messages: [], stream: false }, signal);
    const granted = grantedTo(name, listAt(await this.#get('/api/ps', signal), 'models') ?? []);
    return { tokens: Math.min(tokens, granted ?? tokens), isGranted: granted !== undefined };
  }

  async look(signal: AbortSignal | undefined): Promise<Window> {
    const { name, window = WINDOW } = this.#settings;
    this.#refuseRemote(/[:-]cloud$/i.test(name));
    if (textAt(await this.#get('/api/version', signal), 'version') === undefined) {
      throw this.#server.stranger('it has no version');
    }
    const shown = await this.#post('/api/show', { model: name }, signal);
    this.#refuseRemote(
      textAt(shown, 'remote_host') !== undefined || textAt(shown, 'remote_model') !== undefined,
    );
    if (listAt(shown, 'capabilities')?.includes('completion') === false) {
      throw failure(
        'MODEL_REFUSED',
        `${name} cannot answer, as models for embeddings can't: take another one.`,
      );
    }
    this.#hasSystem = takesSystem(shown);
    const tokens = Math.min(window, largestWindow(objectAt(shown, 'model_info')));
    return { tokens, isGranted: false };
  }

  async names(signal: AbortSignal | undefined): Promise<string[]> {
    const models = listAt(await this.#get('/api/tags', signal), 'models') ?? [];
    return models.map((model) => textAt(model, 'name')).filter((name) => name !== undefined);
  }

  estimate(ask: Ask): Promise<Estimate> {
    return estimateOf(ask);
  }

  bodyOf({ system, user, schema, mostTokens }: Ask, { tokens }: Window): object {
    return {
      ...this.#options(tokens, { num_predict: mostTokens, temperature: 0, seed: 0 }),
      messages: this.#hasSystem
        ? [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ]
        : [{ role: 'user', content: `${system}\n\n${user}` }],
      format: schema,
      think: false,
      truncate: false,
      stream: true,
    };
  }

  async *pieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
    for await (const value of valuesOfLines(bytes)) {
      if (!isObject(value)) throw this.#server.stranger('a line of its answer is no JSON object');
      if (valueAt(value, 'error') !== undefined) {
        throw failureOf({ status: 500, body: value }, this.#settings.name, this.#server.address);
      }
      const message = objectAt(value, 'message');
      yield {
        text: textAt(message, 'content'),
        thought: textAt(message, 'thinking'),
        end: value.done === true ? (textAt(value, 'done_reason') ?? '') : undefined,
        tokensIn: countAt(value, 'prompt_eval_count'),
        tokensOut: countAt(value, 'eval_count'),
      };
    }
  }

  /** The same window each time: for another one the model would be loaded anew. */
  #options(window: number, more: object = {}): object {
    return { model: this.#settings.name, keep_alive: KEEP_ALIVE, options: { num_ctx: window, ...more } };
  }

  #refuseRemote(isRemote: boolean): void {
    if (!isRemote || this.#settings.allowRemote) return;
    throw failure(
      'MODEL_REMOTE',
      `${this.#settings.name} runs on a server of Ollama's and not on this machine, and transcripts stay here: take another model, or allow it with --allow-remote.`,
    );
  }

  async #get(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    const whole = await this.#server.whole(path, { signal });
    const { status, body } = whole;
    if (isOfAnyServer(status)) throw new Unserved(whole);
    if (status !== 200 || !isObject(body)) throw this.#server.stranger(`status ${status} for ${path}`);
    return body;
  }

  async #post(path: string, body: object, signal: AbortSignal | undefined): Promise<unknown> {
    const whole = await this.#server.whole(path, { body, signal });
    if (whole.status !== 200) throw new Unserved(whole);
    return whole.body;
  }
}

/**
 * Whether what a model is told as its system reaches it: its template may have no place for that, as when it was made of a
 * file without one.
 */
function takesSystem(shown: unknown): boolean {
  const template = textAt(shown, 'template');
  return !template || textAt(shown, 'renderer') !== undefined || /\.(?:System|Messages)\b/.test(template);
}

/** For how large a window the model was made, in the key of its architecture: `llama.context_length`. */
function largestWindow(info: object | undefined): number {
  const key = Object.keys(info ?? {}).find((key) => key.endsWith('.context_length')) ?? '';
  return countAt(info, key) ?? Number.POSITIVE_INFINITY;
}

/** The window of a model among those that are loaded. Older servers don't tell. */
function grantedTo(name: string, loaded: readonly unknown[]): number | undefined {
  const own = loaded.find((model) =>
    [textAt(model, 'name'), textAt(model, 'model')].some((one) => one && shortName(one) === shortName(name)),
  );
  return countAt(own, 'context_length');
}

/** A model's name without what Ollama adds to short ones. */
function shortName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^library\//, '')
    .replace(/:latest$/, '');
}
