import { listAt, objectAt, textAt, valueAt } from '../formats/parts.ts';
import { isObject } from '../read/lines.ts';
import { failure, failureOf, isOfAnyServer } from './failure.ts';
import type { Piece } from './gather.ts';
import type { Ask, ModelSettings } from './model.ts';
import { countAt, type Estimate, estimateOf, ownEstimate, type Window } from './prompt.ts';
import { type Protocol, Unserved } from './served.ts';
import type { Server } from './server.ts';
import { valuesOfEvents } from './stream.ts';

/** As servers say it that look at the name of a model: llama.cpp answers with the one that it has, whatever is asked for. */
const NOT_SERVED = { status: 404, body: { error: 'model not found' } };

/**
 * A server that speaks the protocol of OpenAI's chat completions: llama.cpp, LM Studio, vLLM. The window is nothing that a
 * client could ask for; each tells it in a way of its own.
 */
export class OpenAi implements Protocol {
  readonly chatPath = '/v1/chat/completions';
  readonly pull = 'take one of these, or start the server with it';
  readonly #server: Server;
  readonly #settings: ModelSettings;
  #hasTokenizer = false;

  constructor(server: Server, settings: ModelSettings) {
    this.#server = server;
    this.#settings = settings;
  }

  async open(signal: AbortSignal | undefined): Promise<Window> {
    const models = await this.#models(signal);
    if (models.length > 0 && !this.#own(models)) throw new Unserved(NOT_SERVED);
    const granted =
      (await this.#windowOfLlamaCpp(signal)) ??
      countAt(this.#own(models), 'max_model_len') ??
      (await this.#windowOfLmStudio(signal));
    const { window, name } = this.#settings;
    if (granted === undefined && window === undefined) {
      throw failure(
        'MODEL_WINDOW_UNKNOWN',
        `${this.#server.address} does not tell how many tokens ${name} takes in: give its window in the settings. (For Ollama, choose 'ollama' as the kind of server.)`,
      );
    }
    const tokens = Math.min(granted ?? Number.POSITIVE_INFINITY, window ?? Number.POSITIVE_INFINITY);
    return { tokens, isGranted: granted !== undefined };
  }

  /** Such a server has its model loaded already. */
  look(signal: AbortSignal | undefined): Promise<Window> {
    return this.open(signal);
  }

  async names(signal: AbortSignal | undefined): Promise<string[]> {
    const models = await this.#models(signal);
    return models.map((model) => textAt(model, 'id')).filter((id) => id !== undefined);
  }

  /** As the model's own tokenizer counts, where the server lends it. */
  async estimate(ask: Ask, signal: AbortSignal | undefined): Promise<Estimate> {
    if (!this.#hasTokenizer) return estimateOf(ask);
    const body = { content: `${ask.system}\n${ask.user}` };
    const tokens = listAt((await this.#server.whole('/tokenize', { body, signal })).body, 'tokens');
    return tokens ? ownEstimate(tokens.length) : estimateOf(ask);
  }

  bodyOf({ system, user, schema, mostTokens }: Ask): object {
    return {
      model: this.#settings.name,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      max_tokens: mostTokens,
      temperature: 0,
      seed: 0,
      stream: true,
      stream_options: { include_usage: true },
      chat_template_kwargs: { enable_thinking: false },
    };
  }

  async *pieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
    let hasEvents = false;
    for await (const value of valuesOfEvents(bytes)) {
      hasEvents = true;
      if (!isObject(value)) throw this.#server.stranger('an event of its answer is no JSON object');
      if (valueAt(value, 'error') != null) {
        throw failureOf({ status: 500, body: value }, this.#settings.name, this.#server.address);
      }
      const choice = listAt(value, 'choices')?.[0];
      const delta = objectAt(choice, 'delta');
      const usage = objectAt(value, 'usage');
      yield {
        text: textAt(delta, 'content'),
        thought: textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning'),
        refusal: textAt(delta, 'refusal'),
        end: textAt(choice, 'finish_reason'),
        tokensIn: countAt(usage, 'prompt_tokens'),
        tokensOut: countAt(usage, 'completion_tokens'),
      };
    }
    if (!hasEvents) throw this.#server.stranger('it does not stream');
  }

  async #models(signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const whole = await this.#server.whole('/v1/models', { signal });
    const { status, body } = whole;
    if (isOfAnyServer(status)) throw new Unserved(whole);
    const models = listAt(body, 'data');
    if (!models) throw this.#server.stranger(`no list of models at /v1/models, status ${status}`);
    return models;
  }

  #own(models: readonly unknown[]): unknown {
    const { name } = this.#settings;
    return models.find((model) => {
      const names = [textAt(model, 'id'), ...(listAt(model, 'aliases') ?? [])];
      return names.includes(name) || names.includes(`${name}:latest`);
    });
  }

  /** What each of the requests may use, of those that it answers at the same time. */
  async #windowOfLlamaCpp(signal: AbortSignal | undefined): Promise<number | undefined> {
    const { body } = await this.#server.whole('/props', { signal });
    const window = countAt(objectAt(body, 'default_generation_settings'), 'n_ctx');
    this.#hasTokenizer = window !== undefined;
    return window;
  }

  async #windowOfLmStudio(signal: AbortSignal | undefined): Promise<number | undefined> {
    const { body } = await this.#server.whole('/api/v0/models', { signal });
    return countAt(this.#own(listAt(body, 'data') ?? []), 'loaded_context_length');
  }
}
