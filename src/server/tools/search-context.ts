import { COUNT, TEXT } from './parameters.ts';
import { recalledWithin, type Tool } from './tool.ts';

export const searchContext: Tool = {
  name: 'search_context',
  title: 'Search memory',
  description:
    'Finds remembered facts that have every word of a query in key or value, the best first. Use it before asking what may be known.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer', minimum: 0, description: 'How many facts; 20 if left out.' },
      from: { type: 'integer', minimum: 0, description: 'Where an earlier answer said it goes on.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      note: TEXT,
      total: COUNT,
      matches: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            scope: TEXT,
            hidden: { type: 'boolean' },
            key: TEXT,
            value: {},
            excerpt: TEXT,
          },
          required: ['key'],
        },
      },
      like: { type: 'array', items: TEXT },
      next: COUNT,
    },
    required: ['note', 'total', 'matches'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ query, ...asked }, call) {
    const { searchData } = await import('../../memory/answers/answers.ts');
    const memory = call.services.memory(call.client);
    const result = await memory.search(query as string, asked);
    const { places } = memory.where();
    return recalledWithin(call, (limit) => searchData(places, result, { limit }));
  },
};
