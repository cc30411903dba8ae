import { describe, expect, test } from 'vitest';
import {
  ASK,
  cutting,
  findsRoles,
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
import { wrongWith } from './ollama-api.testing.ts';

const answering = written(NDJSON, [linesOf([part({ thinking: 'Hm.' }), part({ content: '{}' }), last()])]);
const CHAT = {
  model: MODEL,
  messages: [{ role: 'user', content: 'Ada is the CTO.' }],
  options: { num_ctx: 2048 },
};

/** What the server of the tests answers to a question: the values of all lines. */
async function answered(path: string, question?: object, chat: Handle = answering): Promise<unknown[]> {
  const { address } = await serve(ollamaRoutes(chat));
  const asked = question && { method: 'POST', body: JSON.stringify(question) };
  const text = await (await fetch(address + path, asked)).text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe("the server of the tests keeps to Ollama's API", () => {
  test.each([
    ['version', '/api/version', undefined],
    ['tags', '/api/tags', undefined],
    ['ps', '/api/ps', undefined],
    ['shown', '/api/show', { model: MODEL }],
    ['chatted', '/api/chat', { ...CHAT, messages: [], stream: false }],
    ['error', '/api/show', { model: MODEL, verbos: true }],
    ['error', '/api/chat', { ...CHAT, truncated: false }],
  ] as const)('in a %s of %s', async (name, path, question) => {
    const [answer, ...more] = await answered(path, question);
    expect(more).toEqual([]);
    expect(wrongWith(name, answer)).toBe('');
  });

  test.each([
    ['streamed', answering, 3],
    ['with facts', findsRoles, 2],
    ['to a prompt that was cut', cutting(4000), 2],
  ])('in a chat %s', async (_, chat, count) => {
    const lines = await answered('/api/chat', CHAT, chat);
    expect(lines.map((line) => wrongWith('chatted', line))).toEqual(Array.from({ length: count }, () => ''));
  });

  test.each([
    ['version', { versions: '0.33.0' }],
    ['tags', { models: [{ title: MODEL }] }],
    ['ps', { models: [{ name: MODEL, context_len: 4096 }] }],
    ['shown', { model_info: {}, capability: ['completion'] }],
    ['chatted', { ...last(), prompt_eval_tokens: 20 }],
    ['chatted', { ...last(), eval_count: '2' }],
    ['chatted', part({ thoughts: 'Hm.' })],
    ['toShow', { modle: MODEL }],
    ['toChat', { ...CHAT, truncated: false }],
    ['toChat', { ...CHAT, options: { num_cxt: 2048 } }],
    ['toChat', { ...CHAT, messages: [{ role: 'person', content: '' }] }],
    ['toChat', { ...CHAT, think: 'no' }],
    ['toChat', { ...CHAT, format: 'xml' }],
  ] as const)('so that a %s of %j is found to be wrong', (name, value) => {
    expect(wrongWith(name, value)).toContain(name);
  });
});

test.each([
  ['', {}],
  [
    ', of a model whose template has no place for a system',
    { 'POST /api/show': json(200, { template: '{{ .Prompt }}' }) },
  ],
])("what is asked keeps to Ollama's API%s", async (_, more) => {
  const { address, received } = await serve(ollamaRoutes(answering, more));
  await open(address, 'ollama').ask(ASK);
  const wrong = received.flatMap(({ path, body }) => {
    if (body === undefined) return [];
    return [[path, wrongWith(path === '/api/chat' ? 'toChat' : 'toShow', body)]];
  });
  expect(wrong).toEqual([
    ['/api/show', ''],
    ['/api/chat', ''],
    ['/api/chat', ''],
  ]);
});
