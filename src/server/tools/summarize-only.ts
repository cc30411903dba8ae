import type { TranscriptAsked } from '../transcripts.ts';
import { answerWithin, type Tool } from './tool.ts';

export const summarizeOnly: Tool = {
  name: 'summarize_only',
  title: 'Preview a transcript',
  description:
    'Shows what digest_transcript would store of a conversation on disk, with quotes, and stores none of it: the plan is kept, and the answer has the call that stores it.',
  inputSchema: {
    type: 'object',
    properties: {
      transcript_path: { type: 'string' },
      extract: {
        type: 'string',
        enum: ['model', 'rules'],
        description: 'rules need no model and find less.',
      },
      at: { type: 'string', description: 'When it was said, if the transcript has no times.' },
    },
    required: ['transcript_path'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  asksForRoots: true,
  async run(args, call) {
    const [{ planTranscript, plannedAnswer }, { warnOfLost, withTranscript }] = await Promise.all([
      import('../../transcript/transcript.ts'),
      import('../transcripts.ts'),
    ]);
    const plan = await withTranscript(args as TranscriptAsked, call, planTranscript);
    warnOfLost(call, plan);
    return answerWithin(call, 'transcript', (limit) => plannedAnswer(plan, { limit }));
  },
};
