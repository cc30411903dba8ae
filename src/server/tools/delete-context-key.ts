import { answerWithin, type Tool } from './tool.ts';

export const deleteContextKey: Tool = {
  name: 'delete_context_key',
  title: 'Forget a fact',
  description:
    'Deletes a value or a whole section from memory, and tells what it was. The user can take it back.',
  inputSchema: {
    type: 'object',
    properties: { key: { type: 'string', description: 'As read_context and search_context show it.' } },
    required: ['key'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run({ key }, call) {
    const { deleteAnswer } = await import('../../memory/answers/answers.ts');
    const done = await call.services.memory(call.client).delete(key as string);
    return answerWithin(call, 'memory', (limit) => deleteAnswer(done, { limit }));
  },
};
