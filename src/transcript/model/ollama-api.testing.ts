import { anything, count, listOf, number, only, schemas, text, texts, to, yes } from './api.testing.ts';

const model = { name: text, model: text, size: count, digest: text, details: to('details') };
const remote = { remote_model: text, remote_host: text };

/**
 * The part of Ollama's API that is used here, as `docs/openapi.yaml` of its 0.17.4 describes it. That one requires no field
 * of an answer and leaves some out; which are always there, and which there are besides, is by the types of the server
 * itself (`api/types.go` of 0.17.4 and 0.32.15). `truncate` of a chat is among the latter, since 0.12.6.
 */
const definitions = {
  error: only({ error: text }),
  version: only({ version: text }),
  details: only(
    {
      parent_model: text,
      format: text,
      family: text,
      families: { type: ['array', 'null'], items: text },
      parameter_size: text,
      quantization_level: text,
    },
    { context_length: count, embedding_length: count },
  ),
  tags: only({ models: listOf('installed') }),
  installed: only({ ...model, modified_at: text }, { ...remote, capabilities: texts }),
  ps: only({ models: listOf('loaded') }),
  loaded: only({ ...model, expires_at: text, size_vram: count, context_length: count }),
  toShow: only(
    { model: text },
    { name: text, system: text, template: text, verbose: yes, options: anything },
  ),
  shown: only(
    { model_info: anything, details: to('details'), modified_at: text },
    {
      ...remote,
      capabilities: texts,
      license: text,
      messages: listOf('message'),
      modelfile: text,
      parameters: text,
      parser: text,
      projector_info: anything,
      renderer: text,
      requires: text,
      system: text,
      template: text,
      tensors: { type: 'array', items: anything },
    },
  ),
  message: only(
    { role: { enum: ['system', 'user', 'assistant', 'tool'] }, content: text },
    {
      thinking: text,
      images: texts,
      tool_calls: { type: 'array', items: anything },
      tool_name: text,
      tool_call_id: text,
    },
  ),
  options: only(
    {},
    {
      num_keep: count,
      seed: count,
      num_predict: count,
      top_k: count,
      top_p: number,
      min_p: number,
      typical_p: number,
      repeat_last_n: count,
      temperature: number,
      repeat_penalty: number,
      presence_penalty: number,
      frequency_penalty: number,
      stop: texts,
      num_ctx: count,
      num_batch: count,
      num_gpu: count,
      main_gpu: count,
      use_mmap: yes,
      num_thread: count,
    },
  ),
  toChat: only(
    { model: text, messages: listOf('message') },
    {
      tools: { type: 'array', items: anything },
      format: { oneOf: [{ const: 'json' }, anything] },
      options: to('options'),
      stream: yes,
      think: { enum: [true, false, 'high', 'medium', 'low'] },
      keep_alive: { type: ['string', 'number'] },
      truncate: yes,
      shift: yes,
      logprobs: yes,
      top_logprobs: count,
    },
  ),
  chatted: only(
    { model: text, created_at: text, message: to('message'), done: yes },
    {
      ...remote,
      done_reason: text,
      logprobs: { type: 'array', items: anything },
      total_duration: count,
      load_duration: count,
      prompt_eval_count: count,
      prompt_eval_duration: count,
      eval_count: count,
      eval_duration: count,
    },
  ),
};

/** What is wrong with a question to Ollama or an answer of its, by its API; empty if nothing is. */
export const wrongWith = schemas('ollama', definitions);
