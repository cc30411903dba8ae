import { COUNT, TEXT } from './parameters.ts';
import { recalledWithin, type Tool } from './tool.ts';

export const readContext: Tool = {
  name: 'read_context',
  title: 'Read memory',
  description:
    'Reads what is remembered: the value at a key, a section, or everything. What is too long comes as an outline of keys.',
  inputSchema: {
    type: 'object',
    properties: {
      prefix: { type: 'string', description: 'A key such as people.maria; everything if left out.' },
      from: { type: 'integer', minimum: 0, description: 'Where an earlier answer said it goes on.' },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      note: TEXT,
      value: {},
      text: TEXT,
      keys: { type: 'array', items: TEXT },
      next: COUNT,
    },
    required: ['note'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ prefix, from }, call) {
    const { readData } = await import('../../memory/answers/answers.ts');
    const sources = await call.services.memory(call.client).documents();
    const asked = { prefix: prefix as string | undefined, from: from as number | undefined };
    return recalledWithin(call, (limit) => readData(sources, { ...asked, limit }));
  },
};
