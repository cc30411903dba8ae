import { DIGEST_PARAMETERS, REPOSITORY_HINTS } from './parameters.ts';
import type { Tool } from './tool.ts';

export const digestFolder: Tool = {
  name: 'digest_folder',
  title: 'Digest a folder',
  description:
    'Shows the tree and the most important files of a folder on this machine within a budget: of your roots, of where the server was started, or of what the user allows.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'An absolute path, or one from your first root.' },
      ref: { type: 'string', description: 'A branch, tag or commit; the files as they stand if left out.' },
      ...DIGEST_PARAMETERS,
    },
    required: ['path'],
    additionalProperties: false,
  },
  annotations: { ...REPOSITORY_HINTS, openWorldHint: false },
  asksForRoots: true,
  async run({ path, ref, budget, format, query, focus_paths }, call) {
    const { digestAnswer } = await import('../digests.ts');
    const asked = { repo: path, ref, budget, format, query, focusPaths: focus_paths } as { repo: string };
    return digestAnswer(call, asked, 'folder');
  },
};
