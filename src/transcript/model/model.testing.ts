import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import type { Ask, Model, ModelSettings } from './model.ts';
import { openModel } from './model.ts';
import { wrongWith as wrongForOllama } from './ollama-api.testing.ts';
import { wrongWith as wrongForOpenAi } from './openai-api.testing.ts';

export const MODEL = 'small:4b';

export const ASK: Ask = {
  system: 'List what is worth keeping.',
  user: 'Mara: We ship on Fridays.',
  schema: { type: 'object', properties: { facts: { type: 'array' } }, required: ['facts'] },
  mostTokens: 100,
};

/** An ask of about so many tokens, as any tokenizer counts. */
export const askOf = (tokens: number): Ask => ({ ...ASK, system: '', user: ' ship'.repeat(tokens) });

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it is
  readonly body: any;
}

export type Handle = (received: Received, response: ServerResponse) => void;

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A server that answers each path, with its method, as told, and all others with 404. */
export async function serve(
  routes: Readonly<Record<string, Handle>>,
): Promise<{ address: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    received.push(one);
    const handle = routes[`${one.method} ${one.path}`];
    if (handle) handle(one, response);
    else json(404, '404 page not found')(one, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function json(status: number, body: unknown): Handle {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers with pieces, one after the other, each in a write of its own. */
export function written(type: string, pieces: readonly (string | Uint8Array)[], end = true): Handle {
  return (_, response) => {
    response.writeHead(200, { 'content-type': type });
    let at = 0;
    const next = () => {
      const piece = pieces[at++];
      if (piece !== undefined) response.write(piece, () => setImmediate(next));
      else if (end) response.end();
    };
    next();
  };
}

export const linesOf = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

export const eventsOf = (values: readonly object[]): string =>
  `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')}data: [DONE]\n\n`;

export const NDJSON = 'application/x-ndjson';
export const EVENTS = 'text/event-stream';

const DAY = '2026-03-01T10:00:00Z';

/** A line of an answer of Ollama's. */
export const part = (message: object) => ({
  model: MODEL,
  created_at: DAY,
  message: { role: 'assistant', content: '', ...message },
  done: false,
});

/** The last line of an answer of Ollama's. */
export const last = (more: object = {}) => ({
  ...part({}),
  done: true,
  done_reason: 'stop',
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: 20,
  eval_count: 2,
  ...more,
});

/** An answer of Ollama's with who is what, of all in the prompt that says so. */
export const findsRoles: Handle = (received, response) => {
  const { content } = received.body.messages.at(-1);
  const facts = Array.from(content.matchAll(/(\w+) is the (\w+)/g), ([quote, subject, value]) => ({
    subject,
    attribute: 'role',
    value,
    line: 1,
    quote,
  }));
  written(NDJSON, [linesOf([part({ content: JSON.stringify({ facts }) }), last()])])(received, response);
};

/** Answers to what its API has such a question for, and refuses all others with what is wrong with them. */
const described =
  (name: 'toShow' | 'toChat', handle: Handle): Handle =>
  (received, response) => {
    const error = wrongForOllama(name, received.body);
    (error ? json(400, { error }) : handle)(received, response);
  };

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '4.0B',
  quantization_level: 'Q4_K_M',
};
const modelOf = (name: string) => ({ name, model: name, size: 1, digest: 'ab12', details: DETAILS });

/** What Ollama answers to everything that is asked of it; `chat` answers to a prompt. */
export function ollamaRoutes(chat: Handle, more: Readonly<Record<string, Handle>> = {}) {
  let granted = 0;
  return {
    'GET /api/version': json(200, { version: '0.33.0' }),
    'POST /api/show': described(
      'toShow',
      json(200, {
        capabilities: ['completion', 'tools'],
        details: DETAILS,
        model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 },
        modified_at: DAY,
      }),
    ),
    'GET /api/tags': json(200, {
      models: [MODEL, 'embed:latest'].map((name) => ({ ...modelOf(name), modified_at: DAY })),
    }),
    'GET /api/ps': ((received, response) =>
      json(200, {
        models: [{ ...modelOf(MODEL), expires_at: DAY, size_vram: 0, context_length: granted }],
      })(received, response)) as Handle,
    'POST /api/chat': described('toChat', (received, response) => {
      granted = received.body.options.num_ctx;
      const isLoad = received.body.messages.length === 0;
      (isLoad ? json(200, last({ done_reason: 'load' })) : chat)(received, response);
    }),
    ...more,
  };
}

/** Cuts a prompt as Ollama does by itself: to half of the window, without a word. */
export const cutting =
  (tokens: number): Handle =>
  (received, response) => {
    const { num_ctx: window } = received.body.options;
    const kept = tokens >= window ? window - Math.floor((window - 4) / 2) : tokens;
    const counts = { prompt_eval_count: kept };
    written(NDJSON, [linesOf([part({ content: '{"facts":[]}' }), last(counts)])])(received, response);
  };

/** What a server of llama.cpp answers to everything that is asked of it; `chat` answers to a prompt. */
export function llamaCppRoutes(chat: Handle, more: Readonly<Record<string, Handle>> = {}) {
  return {
    'GET /v1/models': json(200, {
      object: 'list',
      data: [
        {
          id: MODEL,
          object: 'model',
          created: 1_770_000_000,
          owned_by: 'llamacpp',
          meta: { n_ctx_train: 32_768 },
        },
      ],
    }),
    'GET /props': json(200, { default_generation_settings: { id: 0, n_ctx: 4096 }, total_slots: 1 }),
    'POST /tokenize': ((received, response) =>
      json(200, { tokens: received.body.content.split(' ').map((_: string, at: number) => at) })(
        received,
        response,
      )) as Handle,
    'POST /v1/chat/completions': ((received, response) => {
      const message = wrongForOpenAi('toChat', received.body);
      const error = { message, type: 'invalid_request_error', param: null, code: null };
      (message ? json(400, { error }) : chat)(received, response);
    }) as Handle,
    ...more,
  };
}

const chunk = (choices: object[], more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_770_000_000,
  model: MODEL,
  choices,
  ...more,
});

export const delta = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
export const finish = (reason: string) => chunk([{ index: 0, delta: {}, finish_reason: reason }]);
export const usage = (tokensIn: number, tokensOut: number) =>
  chunk([], {
    usage: {
      prompt_tokens: tokensIn,
      completion_tokens: tokensOut,
      total_tokens: tokensIn + tokensOut,
    },
  });

/** A model by its settings, which are short where a test doesn't say otherwise; it isn't patient. */
export function open(address: string, kind: ModelSettings['kind'], more: Partial<ModelSettings> = {}): Model {
  return openModel({ address, kind, name: MODEL, pause: 0.001, idle: 20, allowRemote: false, ...more });
}
