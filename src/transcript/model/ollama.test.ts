import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  ASK,
  askOf,
  cutting,
  type Handle,
  json,
  last,
  linesOf,
  MODEL,
  NDJSON,
  ollamaRoutes,
  open,
  part,
  serve,
  written,
} from './model.testing.ts';

const FACTS = '{"facts":["Grüße 🚢"]}';
const ANSWER = [part({ content: FACTS.slice(0, 14) }), part({ content: FACTS.slice(14) }), last()];

const answering = (values: readonly object[]): Handle => written(NDJSON, [linesOf(values)]);

/** A model of a server that answers to a prompt so. */
async function withChat(chat: Handle, more: Readonly<Record<string, Handle>> = {}, settings = {}) {
  const { address, received } = await serve(ollamaRoutes(chat, more));
  return { model: open(address, 'ollama', settings), received, address };
}

interface Message {
  readonly content: string;
}

const asked = async (chat: Handle, more: Readonly<Record<string, Handle>> = {}) => {
  const { model } = await withChat(chat, more);
  return model.ask(ASK);
};

describe('what is asked', () => {
  test('in the shape of the API', async () => {
    const { model, received } = await withChat(answering(ANSWER), {}, { window: 4096 });
    await model.ask(ASK);
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/version',
      'POST /api/show',
      'POST /api/chat',
      'GET /api/ps',
      'POST /api/chat',
    ]);
    expect(received[1]?.body).toEqual({ model: MODEL });
    expect(received[2]?.body).toEqual({
      model: MODEL,
      messages: [],
      options: { num_ctx: 4096 },
      keep_alive: '10m',
      stream: false,
    });
    expect(received[4]?.body).toEqual({
      model: MODEL,
      messages: [
        { role: 'system', content: ASK.system },
        { role: 'user', content: ASK.user },
      ],
      format: ASK.schema,
      think: false,
      truncate: false,
      stream: true,
      keep_alive: '10m',
      options: { num_ctx: 4096, num_predict: 100, temperature: 0, seed: 0 },
    });
  });

  test.each([
    ['{{ .Prompt }}', {}, 1],
    ['', {}, 2],
    ['{{ .Prompt }}', { renderer: 'qwen3-coder' }, 2],
    ['{{ if .System }}<s>{{ .System }}{{ end }}{{ .Prompt }}', {}, 2],
    ['{{ range .Messages }}{{ .Role }}: {{ .Content }}{{ end }}', {}, 2],
  ])('with the template %j, %j, what to do is told in %i message(s)', async (template, more, count) => {
    const show = json(200, { template, ...more });
    const { model, received } = await withChat(answering(ANSWER), { 'POST /api/show': show });
    await model.ask(ASK);
    const contents: string[] = received.at(-1)?.body.messages.map(({ content }: Message) => content);
    expect(contents).toHaveLength(count);
    expect(contents.join('\n\n')).toBe(`${ASK.system}\n\n${ASK.user}`);
  });

  test('the model is looked for once, and again where it was not there', async () => {
    let isThere = false;
    const show: Handle = (received, response) =>
      json(isThere ? 200 : 404, isThere ? {} : { error: `model '${MODEL}' not found` })(received, response);
    const { model, received } = await withChat(answering(ANSWER), { 'POST /api/show': show });
    await expect(model.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    isThere = true;
    await model.ask(ASK);
    await model.ask(ASK);
    expect(received.filter(({ path }) => path === '/api/show')).toHaveLength(2);
  });

  test('a user and a password go with each question', async () => {
    const { address, received } = await serve(ollamaRoutes(answering(ANSWER)));
    await open(address.replace('//', '//mara:p%40ss@'), 'ollama').ask(ASK);
    const login = `Basic ${Buffer.from('mara:p@ss').toString('base64')}`;
    expect(received.every(({ headers }) => headers.authorization === login)).toBe(true);
  });
});

describe('the answer', () => {
  test('in one piece', async () => {
    expect(await asked(answering(ANSWER))).toEqual({ text: FACTS, tokensIn: 20, tokensOut: 2 });
  });

  test.each([1, 2, 3, 50])('in pieces of %i bytes', async (size) => {
    const bytes = Buffer.from(linesOf(ANSWER));
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect((await asked(written(NDJSON, pieces))).text).toBe(FACTS);
  });

  test('pieces are counted as they come, thoughts as well', async () => {
    const { model } = await withChat(answering([part({ thinking: 'Hm.' }), ...ANSWER]));
    const counts: number[] = [];
    expect((await model.ask(ASK, { onToken: (count) => counts.push(count) })).text).toBe(FACTS);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('of a server that knows no reasons for an end', async () => {
    const { done_reason: _, ...end } = last();
    expect((await asked(answering([...ANSWER.slice(0, 2), end]))).text).toBe(FACTS);
    await expect(
      asked(answering([...ANSWER.slice(0, 2), { ...end, eval_count: 100 }])),
    ).rejects.toMatchObject({
      code: 'MODEL_ANSWER_CUT',
    });
  });
});

describe('the window', () => {
  const ps = (models: object[]) => ({ 'GET /api/ps': json(200, { models }) });
  const show = (window: number) => ({
    'POST /api/show': json(200, {
      model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': window },
    }),
  });

  test.each([
    ['as asked for', {}, {}, 8192],
    ['as set', {}, { window: 16_384 }, 16_384],
    ['no larger than the model can', show(2048), {}, 2048],
    ['no larger than it was granted', ps([{ name: MODEL, context_length: 4096 }]), {}, 4096],
    ['not that of another model', ps([{ name: 'large:70b', context_length: 1024 }]), {}, 8192],
    ['of a server that does not tell', ps([{ name: MODEL }]), {}, 8192],
    [
      'under the long name',
      ps([{ name: 'small:latest', context_length: 4096 }]),
      { name: 'library/Small' },
      4096,
    ],
  ])('%s', async (_, more, settings, expected) => {
    const { model } = await withChat(answering(ANSWER), more, settings);
    expect(await model.window()).toBe(expected);
  });

  test('a prompt that has no room in it is not sent', async () => {
    const { model, received } = await withChat(answering(ANSWER), {}, { window: 2048 });
    await expect(model.ask(askOf(2000))).rejects.toMatchObject({ code: 'MODEL_PROMPT_TOO_LONG' });
    expect(received.filter(({ body }) => body?.messages?.length > 0)).toEqual([]);
  });

  test('a prompt that was cut without a word has no answer', async () => {
    const { model } = await withChat(cutting(2100), {}, { window: 2048 });
    await expect(model.ask(askOf(1800))).rejects.toMatchObject({
      code: 'MODEL_PROMPT_TOO_LONG',
      message: expect.stringContaining('1026 tokens of about 1800'),
    });
    const { model: same } = await withChat(cutting(1850), {}, { window: 2048 });
    expect((await same.ask(askOf(1800))).tokensIn).toBe(1850);
  });

  test('a prompt that the server refuses to cut', async () => {
    const words =
      'the prompt is longer than the context length currently available to the model; shorten the prompt';
    await expect(asked(json(400, { error: words }))).rejects.toMatchObject({
      code: 'MODEL_PROMPT_TOO_LONG',
      message: expect.stringContaining(words),
    });
  });
});

describe('what goes wrong', () => {
  const failing = (status: number, error: unknown) => json(status, { error });
  const torn = written(NDJSON, [linesOf(ANSWER.slice(0, 1))], false);
  const dying: Handle = (received, response) => {
    torn(received, response);
    setTimeout(() => response.destroy(), 20);
  };

  test.each<[string, Handle, string, string]>([
    [
      'too little memory',
      failing(500, 'model requires more system memory (9 GiB) than is available (4 GiB)'),
      'MODEL_OUT_OF_MEMORY',
      'smaller model',
    ],
    [
      'too little memory of the graphics card',
      failing(500, 'llama runner: cudaMalloc failed: out of memory'),
      'MODEL_OUT_OF_MEMORY',
      'smaller window',
    ],
    [
      'busy all the time',
      failing(503, 'server busy, please try again.  maximum pending requests exceeded'),
      'MODEL_BUSY',
      'try again later',
    ],
    ['a refusal', failing(400, `"${MODEL}" does not support chat`), 'MODEL_REFUSED', 'does not support chat'],
    ['a refusal in HTML', json(500, '<html>secret</html>'), 'MODEL_REFUSED', 'status 500'],
    [
      'an answer cut at its limit',
      answering([part({ content: '{' }), last({ done_reason: 'length' })]),
      'MODEL_ANSWER_CUT',
      '100 tokens',
    ],
    ['an empty answer', answering([part({ content: ' \n' }), last()]), 'MODEL_ANSWER_EMPTY', MODEL],
    ['a model that was only loaded', answering([last({ done_reason: 'load' })]), 'MODEL_ANSWER_EMPTY', MODEL],
    [
      'thoughts and no answer',
      answering([part({ thinking: FACTS }), last()]),
      'MODEL_ONLY_THOUGHT',
      'instruct',
    ],
    [
      'thoughts up to the limit',
      answering([part({ thinking: 'Hm' }), last({ done_reason: 'length' })]),
      'MODEL_ONLY_THOUGHT',
      'instruct',
    ],
    [
      'an error within the answer',
      answering([part({ content: '{' }), { error: 'an error was encountered' }]),
      'MODEL_REFUSED',
      'an error was encountered',
    ],
    [
      'memory that runs out within the answer',
      answering([part({ content: '{' }), { error: 'out of memory' }]),
      'MODEL_OUT_OF_MEMORY',
      'smaller',
    ],
    ['an end in the middle', answering(ANSWER.slice(0, 2)), 'MODEL_BROKEN_OFF', 'log'],
    ['a server that dies', dying, 'MODEL_BROKEN_OFF', 'log'],
    [
      'a line that is no JSON',
      written(NDJSON, [linesOf(ANSWER.slice(0, 1)), 'oops\n']),
      'MODEL_SERVER_UNKNOWN',
      'Ollama',
    ],
    ['a line that is no object', written(NDJSON, ['[]\n']), 'MODEL_SERVER_UNKNOWN', 'Ollama'],
  ])('%s', async (_, chat, code, message) => {
    await expect(asked(chat)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('a busy server is asked again', async () => {
    let times = 0;
    const chat: Handle = (received, response) =>
      (++times < 3 ? failing(503, 'server busy') : answering(ANSWER))(received, response);
    expect((await asked(chat)).text).toBe(FACTS);
    expect(times).toBe(3);
  });

  test('no server', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    await expect(open(`http://127.0.0.1:${port}`, 'ollama').ask(ASK)).rejects.toMatchObject({
      code: 'MODEL_UNREACHABLE',
      message: expect.stringMatching(/ECONNREFUSED.*ollama serve.*--extract rules/),
    });
  });

  test('a model that was not pulled', async () => {
    const gone = failing(404, `model '${MODEL}' not found`);
    const { model } = await withChat(answering(ANSWER), { 'POST /api/show': gone });
    await expect(model.window()).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringMatching(/small:4b, embed:latest.*'ollama pull small:4b'/),
    });
  });

  test('a model that is not there, on a server that does not tell which are', async () => {
    const { model } = await withChat(answering(ANSWER), {
      'POST /api/show': failing(404, `model '${MODEL}' not found`),
      'GET /api/tags': failing(403, 'not for you'),
    });
    await expect(model.window()).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringContaining('not for you'),
    });
  });

  test('a model for embeddings', async () => {
    const show = { 'POST /api/show': json(200, { capabilities: ['embedding'], model_info: {} }) };
    await expect(asked(answering(ANSWER), show)).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
  });

  test('a model that runs elsewhere gets nothing of a transcript', async () => {
    const remote = { 'POST /api/show': json(200, { remote_host: 'https://models.example.com' }) };
    const { model, received } = await withChat(answering(ANSWER), remote);
    await expect(model.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_REMOTE' });
    expect(received.map(({ path }) => path)).not.toContain('/api/chat');
    for (const name of ['large:cloud', 'large:120b-cloud']) {
      const { model: cloud, received: asked } = await withChat(answering(ANSWER), {}, { name });
      await expect(cloud.ask(ASK)).rejects.toMatchObject({ code: 'MODEL_REMOTE' });
      expect(asked).toEqual([]);
    }
    const { model: allowed } = await withChat(answering(ANSWER), remote, { allowRemote: true });
    expect((await allowed.ask(ASK)).text).toBe(FACTS);
  });

  test.each<[string, Handle, string]>([
    ['has another API', json(404, 'not found'), 'status 404'],
    ['has no version', json(200, { hello: 1 }), 'no version'],
    ['answers with a page', json(200, '<html></html>'), 'status 200'],
    [
      'sends on to another address',
      (_, response) => {
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      },
      'sends on to another address',
    ],
  ])('a server that %s is not Ollama', async (_, version, reason) => {
    await expect(asked(answering(ANSWER), { 'GET /api/version': version })).rejects.toMatchObject({
      code: 'MODEL_SERVER_UNKNOWN',
      message: expect.stringMatching(`does not answer as Ollama does .*${reason}`),
    });
  });

  test('what a server says is short, on one line, and without passwords', async () => {
    const words = `proxy http://mara:pass-5150@localhost failed\n\u001b[31m${'x'.repeat(1000)}`;
    const { message } = (await asked(failing(500, words)).catch((error) => error)) as Error;
    expect(message).toContain('proxy http://localhost failed ␛[31mxxx');
    expect(message.length).toBeLessThan(400);
  });

  test('a server that asks for a password', async () => {
    await expect(
      asked(answering(ANSWER), { 'GET /api/version': failing(401, 'unauthorized') }),
    ).rejects.toMatchObject({ code: 'MODEL_REFUSED', message: expect.stringContaining('unauthorized') });
  });

  test.each<[string, Handle]>([
    ['before an answer', () => {}],
    ['within an answer', torn],
  ])('a server that is silent %s', async (_, chat) => {
    const { model } = await withChat(chat, {}, { idle: 0.1 });
    await expect(model.ask(ASK)).rejects.toMatchObject({
      code: 'MODEL_SILENT',
      message: expect.stringContaining('0.1 seconds'),
    });
  });

  test('slow is not silent', async () => {
    const lines = [...ANSWER.slice(0, 1), ...Array.from({ length: 9 }, () => part({})), ...ANSWER.slice(1)];
    const slow: Handle = (_, response) => {
      response.writeHead(200, { 'content-type': NDJSON });
      const next = () => {
        const line = lines.shift();
        if (!line) return response.end();
        response.write(linesOf([line]));
        setTimeout(next, 100);
      };
      next();
    };
    const { model } = await withChat(slow, {}, { idle: 0.9 });
    expect((await model.ask(ASK)).text).toBe(FACTS);
  });

  test.each<[string, Handle]>([
    ['before an answer', () => {}],
    ['within an answer', torn],
    ['while the server is busy', failing(503, 'server busy')],
  ])('stopping %s', async (_, chat) => {
    const controller = new AbortController();
    const stopping: Handle = (received, response) => {
      chat(received, response);
      setTimeout(() => controller.abort(), 20);
    };
    const { model } = await withChat(stopping, {}, { pause: 10 });
    await expect(model.ask(ASK, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(model.ask(ASK, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('after a failure the connection is closed', async () => {
    let hasClosed: (value: unknown) => void = () => {};
    const closed = new Promise((resolve) => {
      hasClosed = resolve;
    });
    const chat: Handle = (received, response) => {
      response.on('close', hasClosed);
      written(NDJSON, ['oops\n'], false)(received, response);
    };
    await expect(asked(chat)).rejects.toMatchObject({ code: 'MODEL_SERVER_UNKNOWN' });
    await closed;
  });
});
