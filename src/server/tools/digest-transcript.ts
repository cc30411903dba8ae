import { PlimsollError } from '../../errors.ts';
import type { TranscriptAsked } from '../transcripts.ts';
import { answerWithin, type Tool } from './tool.ts';

interface Asked extends TranscriptAsked {
  readonly plan_id?: string;
}

export const digestTranscript: Tool = {
  name: 'digest_transcript',
  title: 'Remember a transcript',
  description:
    'Finds facts in the new turns of a conversation on disk (sessions of clients, chats, captions, text) by a local model and stores them, with their quotes, as one change that can be undone. summarize_only first shows what would be stored.',
  inputSchema: {
    type: 'object',
    properties: {
      transcript_path: { type: 'string' },
      plan_id: {
        type: 'string',
        description: 'Instead of a path: stores what summarize_only showed under this id.',
      },
      extract: {
        type: 'string',
        enum: ['model', 'rules'],
        description: 'rules need no model and find less.',
      },
      at: { type: 'string', description: 'When it was said, 2026-12-01, if the transcript has no times.' },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  asksForRoots: ({ transcript_path }) => transcript_path !== undefined,
  async run(args, call) {
    const { plan_id: plan, ...asked }: Asked = args;
    if ((plan === undefined) === (asked.transcript_path === undefined)) {
      throw new PlimsollError('BAD_USAGE', 'digest_transcript needs one of transcript_path and plan_id.');
    }
    const [transcripts, { saidToModels, warnOfLost, withTranscript }] = await Promise.all([
      import('../../transcript/transcript.ts'),
      import('../transcripts.ts'),
    ]);
    const memory = call.services.memory(call.client);
    const committed =
      plan === undefined
        ? await withTranscript(asked, call, transcripts.digestTranscript)
        : await saidToModels(call, () => transcripts.commitTranscript(plan, { memory }));
    warnOfLost(call, committed.digest);
    const { context: file } = memory.where('global').places[0] as { context: string };
    return answerWithin(call, 'transcript', (limit) =>
      transcripts.committedAnswer(committed, { scope: 'global', file }, { limit }),
    );
  },
};
