import { answerWithin, type Tool } from './tool.ts';

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
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ last_n: last = USUAL, from, ...picks }, call) {
    const { diaryAnswer } = await import('../../memory/answers/answers.ts');
    const memory = call.services.memory(call.client);
    const picked = await memory.readDiary({ ...picks, last: last as number });
    const { places } = memory.where();
    return answerWithin(call, 'memory', (limit) =>
      diaryAnswer(places, picked, { from: from as number | undefined, limit }),
    );
  },
};
