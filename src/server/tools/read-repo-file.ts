import { mayBeFolder, REPOSITORY_HINTS, REPOSITORY_PARAMETERS } from './parameters.ts';
import type { Tool } from './tool.ts';

export const readRepoFile: Tool = {
  name: 'read_repo_file',
  title: 'Read a file of a repository',
  description:
    'Reads a file of a repository, or some lines of it, as text with secrets replaced. A long file comes in pages, which joined are the file.',
  inputSchema: {
    type: 'object',
    properties: {
      repo: REPOSITORY_PARAMETERS.repo,
      path: { type: 'string', description: 'From the root of repo.' },
      lines: { type: 'string', description: '120-180, 120- or 120; all if left out.' },
      ref: REPOSITORY_PARAMETERS.ref,
    },
    required: ['repo', 'path'],
    additionalProperties: false,
  },
  annotations: { ...REPOSITORY_HINTS, openWorldHint: true },
  asksForRoots: mayBeFolder,
  async run({ repo, path, lines, ref }, call) {
    const { readAnswer } = await import('../browse.ts');
    return readAnswer(call, { repo, path, ref } as { repo: string }, lines as string | undefined);
  },
};
