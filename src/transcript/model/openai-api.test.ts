import { describe, expect, test } from 'vitest';
import {
  ASK,
  delta,
  EVENTS,
  eventsOf,
  finish,
  llamaCppRoutes,
  MODEL,
  open,
  serve,
  usage,
  written,
} from './model.testing.ts';
import { wrongWith } from './openai-api.testing.ts';

const CHUNKS = [
  delta({ role: 'assistant', content: null }),
  delta({ reasoning_content: 'Hm.' }),
  delta({ content: '{}' }),
  finish('stop'),
  usage(20, 2),
];
const [FIRST] = CHUNKS;
const answering = written(EVENTS, [eventsOf(CHUNKS)]);
const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Ada is the CTO.' }] };

describe("the server of the tests keeps to OpenAI's API", () => {
  test('in a list of models', async () => {
    const { address } = await serve(llamaCppRoutes(answering));
    const answer = await fetch(`${address}/v1/models`);
    expect(wrongWith('models', await answer.json())).toBe('');
  });

  test('in each piece of a chat', async () => {
    const { address } = await serve(llamaCppRoutes(answering));
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(CHAT),
    });
    const events = (await answer.text()).trim().split('\n\n');
    expect(events.pop()).toBe('data: [DONE]');
    expect(events.map((event) => wrongWith('chunk', JSON.parse(event.slice('data: '.length))))).toEqual(
      CHUNKS.map(() => ''),
    );
  });

  test.each([
    ['models', { object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'me' }] }],
    ['chunk', { ...FIRST, object: 'chat.completion' }],
    ['chunk', delta({ thinking: 'Hm.' })],
    ['chunk', finish('done')],
    ['chunk', { ...FIRST, usage: { prompt_tokens: 20 } }],
    ['toChat', { ...CHAT, messages: [] }],
    ['toChat', { ...CHAT, messages: [{ role: 'person', content: '' }] }],
    ['toChat', { ...CHAT, num_predict: 100 }],
    ['toChat', { ...CHAT, response_format: { type: 'json_schema', schema: {} } }],
    ['toChat', { ...CHAT, response_format: { type: 'json_schema', json_schema: { name: 'an answer' } } }],
  ] as const)('so that a %s of %j is found to be wrong', (name, value) => {
    expect(wrongWith(name, value)).toContain(name);
  });
});

test("what is asked keeps to OpenAI's API", async () => {
  const { address, received } = await serve(llamaCppRoutes(answering));
  await open(address, 'openai').ask(ASK);
  const asked = received.filter(({ path }) => path === '/v1/chat/completions');
  expect(asked.map(({ body }) => wrongWith('toChat', body))).toEqual(['']);
});
