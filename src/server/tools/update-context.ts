import { answerWithin, type Tool } from './tool.ts';

export const updateContext: Tool = {
  name: 'update_context',
  title: 'Remember a fact',
  description:
    'Stores a text at a key, in place of what is there, and tells what that was. The user can take it back. Use it for what should outlive the conversation; no passwords or keys.',
  inputSchema: {
    type: 'object',
    properties: {
      key: { type: 'string', description: 'Names with dots between: people.maria.role.' },
      value: { type: 'string' },
    },
    required: ['key', 'value'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ key, value }, call) {
    const [{ setAnswer }, { textValue }] = await Promise.all([
      import('../../memory/answers/answers.ts'),
      import('../../memory/value.ts'),
    ]);
    const done = await call.services.memory(call.client).set(key as string, textValue(value as string));
    return answerWithin(call, 'memory', (limit) => setAnswer(done, { limit }));
  },
};
