import { describe, expect, test } from 'vitest';
import {
  ASK,
  askOf,
  delta,
  EVENTS,
  eventsOf,
  finish,
  type Handle,
  json,
  llamaCppRoutes,
  MODEL,
  open,
  serve,
  usage,
  written,
} from './model.testing.ts';

const FACTS = '{"facts":["Grüße 🚢"]}';
const ANSWER = [
  delta({ role: 'assistant', content: null }),
  delta({ content: FACTS.slice(0, 14) }),
  delta({ content: FACTS.slice(14) }),
  finish('stop'),
  usage(20, 2),
];

const answering = (values: readonly object[]): Handle => written(EVENTS, [eventsOf(values)]);

async function withChat(chat: Handle, more: Readonly<Record<string, Handle>> = {}, settings = {}) {
  const { address, received } = await serve(llamaCppRoutes(chat, more));
  return { model: open(address, 'openai', settings), received };
}

const asked = async (chat: Handle) => (await withChat(chat)).model.ask(ASK);

/** A server that has neither llama.cpp's window nor its tokenizer. */
const OTHER = { 'GET /props': json(404, { detail: 'Not Found' }), 'POST /tokenize': json(404, {}) };
const models = (...data: object[]) => ({ 'GET /v1/models': json(200, { object: 'list', data }) });

test('what is asked is in the shape of the protocol', async () => {
  const { model, received } = await withChat(answering(ANSWER));
  await model.ask(ASK);
  expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/models',
    'GET /props',
    'POST /tokenize',
    'POST /v1/chat/completions',
  ]);
  expect(received[3]?.body).toEqual({
    model: MODEL,
    messages: [
      { role: 'system', content: ASK.system },
      { role: 'user', content: ASK.user },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: ASK.schema },
    },
    max_tokens: 100,
    temperature: 0,
    seed: 0,
    stream: true,
    stream_options: { include_usage: true },
    chat_template_kwargs: { enable_thinking: false },
  });
});

describe('the answer', () => {
  test('in one piece', async () => {
    expect(await asked(answering(ANSWER))).toEqual({ text: FACTS, tokensIn: 20, tokensOut: 2 });
  });

  test.each([1, 2, 3, 50])('in pieces of %i bytes', async (size) => {
    const bytes = Buffer.from(eventsOf(ANSWER));
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect((await asked(written(EVENTS, pieces))).text).toBe(FACTS);
  });

  test('pieces are counted as they come, thoughts as well', async () => {
    const { model } = await withChat(answering([delta({ reasoning_content: 'Hm.' }), ...ANSWER]));
    const counts: number[] = [];
    await model.ask(ASK, { onToken: (count) => counts.push(count) });
    expect(counts).toEqual([1, 2, 3]);
  });
});

test('a server that answers with whatever model it has is not asked for another one', async () => {
  const { model, received } = await withChat(answering(ANSWER), models({ id: '/models/large.gguf' }));
  await expect(model.ask(ASK)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    message: expect.stringContaining(`no model '${MODEL}' (there are /models/large.gguf)`),
  });
  expect(received.some(({ method }) => method === 'POST')).toBe(false);
});

test('an answer is stopped where it is enough', async () => {
  const pieces = Array.from({ length: 300 }, () => delta({ content: 'again ' }));
  const { model } = await withChat(answering([...pieces, finish('length'), usage(20, 300)]));
  const answer = await model.ask(ASK, { isEnough: (text) => text.length > 500 });
  expect(answer).toMatchObject({ isStopped: true, tokensOut: 100 });
  expect(answer.text).toBe('again '.repeat(100));
});

describe('the window', () => {
  const lmStudio = {
    'GET /api/v0/models': json(200, {
      data: [
        { id: 'large', loaded_context_length: 65_536, max_context_length: 131_072 },
        { id: MODEL, loaded_context_length: 6000, max_context_length: 131_072 },
      ],
    }),
  };

  test.each([
    ['of llama.cpp', {}, {}, 4096],
    [
      'of vLLM',
      { ...OTHER, ...models({ id: 'a', max_model_len: 1000 }, { id: MODEL, max_model_len: 5000 }) },
      {},
      5000,
    ],
    [
      'of a model under another of its names',
      { ...OTHER, ...models({ id: 'a', aliases: [MODEL], max_model_len: 5000 }) },
      {},
      5000,
    ],
    ['of LM Studio', { ...OTHER, ...models({ id: MODEL }), ...lmStudio }, {}, 6000],
    ['as set, of a server that does not tell', OTHER, { window: 3000 }, 3000],
    ['as set, where it is smaller', {}, { window: 3000 }, 3000],
    ['as it is, where it is set too large', {}, { window: 30_000 }, 4096],
  ])('%s', async (_, more, settings, expected) => {
    const { model } = await withChat(answering(ANSWER), more, settings);
    expect(await model.window()).toBe(expected);
  });

  test('of a server that does not tell has to be set', async () => {
    const { model } = await withChat(answering(ANSWER), OTHER);
    await expect(model.window()).rejects.toMatchObject({
      code: 'MODEL_WINDOW_UNKNOWN',
      message: expect.stringContaining("choose 'ollama'"),
    });
  });

  test('a prompt that has no room in it, by the tokenizer of the model, is not sent', async () => {
    const tokens = Array.from({ length: 4000 }, (_, at) => at);
    const { model, received } = await withChat(answering(ANSWER), {
      'POST /tokenize': json(200, { tokens }),
    });
    await expect(model.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_PROMPT_TOO_LONG' });
    expect(received.map(({ path }) => path)).not.toContain('/v1/chat/completions');
  });

  test('a prompt that was cut without a word has no answer', async () => {
    const counted = (tokens: number) => answering([...ANSWER.slice(0, 4), usage(tokens, 2)]);
    await expect((await withChat(counted(2050))).model.ask(askOf(3900))).rejects.toMatchObject({
      code: 'MODEL_PROMPT_TOO_LONG',
    });
    expect((await (await withChat(counted(3950))).model.ask(askOf(3900))).tokensIn).toBe(3950);
    const { model } = await withChat(counted(2050), OTHER, { window: 16_384 });
    await expect(model.ask(askOf(3900))).rejects.toMatchObject({ code: 'MODEL_PROMPT_TOO_LONG' });
  });
});

describe('what goes wrong', () => {
  const failing = (status: number, message: string, type = 'invalid_request_error') =>
    json(status, { error: { code: status, message, type } });

  test.each<[string, Handle, string, string]>([
    [
      'a prompt that is too long for llama.cpp',
      failing(
        400,
        'request (9412 tokens) exceeds the available context size (8192 tokens)',
        'exceed_context_size_error',
      ),
      'MODEL_PROMPT_TOO_LONG',
      '9412 tokens',
    ],
    [
      'a prompt that is too long for vLLM',
      json(400, {
        object: 'error',
        message: "This model's maximum context length is 6048 tokens.",
        code: 400,
      }),
      'MODEL_PROMPT_TOO_LONG',
      '6048 tokens',
    ],
    [
      'a model that is still loaded',
      failing(503, 'Loading model', 'unavailable_error'),
      'MODEL_BUSY',
      'Loading model',
    ],
    ['too little memory', failing(500, 'failed to allocate buffer'), 'MODEL_OUT_OF_MEMORY', 'smaller'],
    ['a wrong key', failing(401, 'Invalid API Key'), 'MODEL_REFUSED', 'Invalid API Key'],
    [
      'no such model',
      failing(404, 'The model `small:4b` does not exist.'),
      'MODEL_NOT_FOUND',
      `there are ${MODEL}`,
    ],
    [
      'an error within the answer',
      answering([...ANSWER.slice(0, 2), { error: { message: 'gone wrong' } }]),
      'MODEL_REFUSED',
      'gone wrong',
    ],
    [
      'an answer cut at its limit',
      answering([...ANSWER.slice(0, 2), finish('length'), usage(20, 100)]),
      'MODEL_ANSWER_CUT',
      '100 tokens',
    ],
    ['an empty answer', answering([finish('stop'), usage(20, 1)]), 'MODEL_ANSWER_EMPTY', MODEL],
    [
      'thoughts and no answer',
      answering([delta({ reasoning: FACTS }), finish('stop'), usage(20, 9)]),
      'MODEL_ONLY_THOUGHT',
      'instruct',
    ],
    [
      'a refusal of the model',
      answering([delta({ refusal: "I can't." }), finish('stop'), usage(20, 9)]),
      'MODEL_REFUSED',
      "I can't.",
    ],
    [
      'an answer that was filtered',
      answering([...ANSWER.slice(0, 2), finish('content_filter')]),
      'MODEL_REFUSED',
      'refuses',
    ],
    ['an end in the middle', answering(ANSWER.slice(0, 2)), 'MODEL_BROKEN_OFF', 'log'],
    [
      'an event that is no JSON',
      written(EVENTS, ['data: oops\n\n']),
      'MODEL_SERVER_UNKNOWN',
      'protocol of OpenAI',
    ],
    [
      'an answer that is not streamed',
      json(200, { choices: [{ message: { content: FACTS } }] }),
      'MODEL_SERVER_UNKNOWN',
      'does not stream',
    ],
  ])('%s', async (_, chat, code, message) => {
    await expect(asked(chat)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('a server without a list of models', async () => {
    const { model } = await withChat(answering(ANSWER), { 'GET /v1/models': json(200, { hello: 1 }) });
    await expect(model.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_SERVER_UNKNOWN' });
  });

  test('a server that still loads its model is asked again', async () => {
    let times = 0;
    const props: Handle = (received, response) =>
      (++times < 3
        ? failing(503, 'Loading model', 'unavailable_error')
        : json(200, { default_generation_settings: { n_ctx: 2048 } }))(received, response);
    const { model } = await withChat(answering(ANSWER), { 'GET /props': props });
    expect(await model.window()).toBe(2048);
  });

  test('a server that is silent within an answer, and one that is stopped', async () => {
    const silent = written(EVENTS, [`data: ${JSON.stringify(delta({ content: '{' }))}\n\n`], false);
    const { model } = await withChat(silent, {}, { idle: 0.1 });
    await expect(model.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_SILENT' });
    const controller = new AbortController();
    const { model: patient } = await withChat(silent);
    const answer = patient.ask(ASK, { signal: controller.signal, onToken: () => controller.abort() });
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
