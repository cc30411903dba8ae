import { answerWithin, type Tool } from './tool.ts';

/** How many digests are told of unless asked. */
const USUAL = 10;

export const readDigestLog: Tool = {
  name: 'read_digest_log',
  title: 'Read the log of transcripts',
  description:
    'Tells which transcripts were digested, the newest first, and what became of their facts; with id, every fact of one digest or dry run with its quote.',
  inputSchema: {
    type: 'object',
    properties: {
      last_n: { type: 'integer', minimum: 0, description: `How many; ${USUAL} if left out.` },
      id: { type: 'string' },
      from: { type: 'integer', minimum: 0, description: 'Where an earlier answer said it goes on.' },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(args, call) {
    const { last_n: last = USUAL, id, from }: { last_n?: number; id?: string; from?: number } = args;
    const [transcripts, { saidToModels }] = await Promise.all([
      import('../../transcript/transcript.ts'),
      import('../transcripts.ts'),
    ]);
    const digests = new transcripts.Digests(call.services.memory(call.client));
    if (id !== undefined) {
      const found = await saidToModels(call, () => transcripts.findDigest(id, digests));
      return answerWithin(call, 'memory', (limit) => transcripts.foundAnswer(found, { from, limit }));
    }
    const log = await transcripts.readWholeLog(digests);
    const older = await transcripts.readOlderLog(digests);
    return answerWithin(call, 'memory', (limit) => transcripts.logAnswer(log, older, { last, from, limit }));
  },
};
