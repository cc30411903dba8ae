import { anything, count, listOf, number, only, schemas, text, to, yes } from './api.testing.ts';

const orNull = (type: string) => ({ type: [type, 'null'] });

/**
 * The part of OpenAI's API that is used here: chat completions and the list of models, as its types for JavaScript have
 * them (npm's `openai` 6.49.0). What local servers have besides is named as theirs.
 */
const definitions = {
  models: only(
    { object: { const: 'list' }, data: listOf('model') },
    // llama.cpp's
    { models: { type: 'array', items: anything } },
  ),
  model: only(
    { id: text, created: count, object: { const: 'model' }, owned_by: text },
    // llama.cpp's, and the last one vLLM's
    { aliases: { type: 'array', items: text }, meta: anything, max_model_len: count },
  ),
  message: only(
    { role: { enum: ['developer', 'system', 'user', 'assistant'] }, content: text },
    { name: text },
  ),
  toChat: only(
    { model: text, messages: { ...listOf('message'), minItems: 1 } },
    {
      frequency_penalty: number,
      logprobs: yes,
      max_completion_tokens: count,
      max_tokens: count,
      n: count,
      presence_penalty: number,
      response_format: to('format'),
      seed: count,
      stop: { type: ['string', 'array'], items: text },
      stream: yes,
      stream_options: only({}, { include_obfuscation: yes, include_usage: yes }),
      temperature: { ...number, minimum: 0, maximum: 2 },
      top_logprobs: count,
      top_p: number,
      // llama.cpp's and vLLM's
      chat_template_kwargs: anything,
    },
  ),
  format: {
    oneOf: [
      only({ type: { enum: ['text', 'json_object'] } }),
      only({ type: { const: 'json_schema' }, json_schema: to('schema') }),
    ],
  },
  schema: only(
    { name: { ...text, pattern: '^[\\w-]{1,64}$' } },
    { description: text, schema: anything, strict: yes },
  ),
  chunk: only(
    {
      id: text,
      object: { const: 'chat.completion.chunk' },
      created: count,
      model: text,
      choices: listOf('choice'),
    },
    {
      service_tier: orNull('string'),
      system_fingerprint: text,
      usage: { oneOf: [to('usage'), { type: 'null' }] },
      // llama.cpp's
      timings: anything,
    },
  ),
  choice: only(
    {
      index: count,
      delta: to('delta'),
      finish_reason: { enum: ['stop', 'length', 'tool_calls', 'content_filter', 'function_call', null] },
    },
    { logprobs: orNull('object') },
  ),
  delta: only(
    {},
    {
      role: { enum: ['developer', 'system', 'user', 'assistant', 'tool'] },
      content: orNull('string'),
      refusal: orNull('string'),
      tool_calls: { type: 'array', items: anything },
      // llama.cpp's and LM Studio's, and then vLLM's
      reasoning_content: orNull('string'),
      reasoning: orNull('string'),
    },
  ),
  usage: only(
    { prompt_tokens: count, completion_tokens: count, total_tokens: count },
    { completion_tokens_details: anything, prompt_tokens_details: anything },
  ),
};

/** What is wrong with a question to such a server or an answer of its, by OpenAI's API; empty if nothing is. */
export const wrongWith = schemas('openai', definitions);
