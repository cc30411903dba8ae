import { COUNT, TEXT } from './parameters.ts';
import { recalledWithin, type Tool } from './tool.ts';

/** How many entries are read unless told. */
const USUAL = 10;

export const readDiary: Tool = {
  name: 'read_diary',
  title: 'Read the diary',
  description:
    'Reads the newest entries of the diary, the newest last; with tag, since, until or text only those that fit.',
  inputSchema: {
    type: 'object',
    properties: {
      last_n: { type: 'integer', minimum: 0, description: `How many; ${USUAL} if left out.` },
      tag: { type: 'string' },
      since: { type: 'string', description: 'A date, 2026-12-01, or with a time.' },
      until: { type: 'string' },
      text: { type: 'string', description: 'Words that must all occur.' },
      from: { type: 'integer', minimum: 0, description: 'Where an earlier answer said it goes on.' },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      note: TEXT,
      total: COUNT,
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: { at: TEXT, tag: TEXT, scope: TEXT, text: TEXT },
          required: ['text'],
        },
      },
      next: COUNT,
    },
    required: ['note', 'total', 'entries'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ last_n: last = USUAL, from, ...picks }, call) {
    const { diaryData } = await import('../../memory/answers/answers.ts');
    const memory = call.services.memory(call.client);
    const picked = await memory.readDiary({ ...picks, last: last as number });
    const { places } = memory.where();
    return recalledWithin(call, (limit) =>
      diaryData(places, picked, { from: from as number | undefined, limit }),
    );
  },
};
