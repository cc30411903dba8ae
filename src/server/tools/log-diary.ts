import { answerWithin, type Tool } from './tool.ts';

export const logDiary: Tool = {
  name: 'log_diary',
  title: 'Write into the diary',
  description:
    'Adds an entry with the time to the diary: what was done, decided or left open. Facts go to update_context.',
  inputSchema: {
    type: 'object',
    properties: {
      entry: { type: 'string', description: 'Markdown.' },
      tag: { type: 'string', description: 'What it is about, in a word or a few.' },
    },
    required: ['entry'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run({ entry, tag }, call) {
    const { loggedAnswer } = await import('../../memory/answers/answers.ts');
    const memory = call.services.memory(call.client);
    const written = await memory.addDiary(entry as string, { tag: tag as string | undefined });
    return answerWithin(call, 'memory', (limit) => loggedAnswer(written, { limit }));
  },
};
