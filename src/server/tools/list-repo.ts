import { COUNT, mayBeFolder, REPOSITORY_HINTS, REPOSITORY_PARAMETERS, TEXT } from './parameters.ts';
import type { Tool } from './tool.ts';

export const listRepo: Tool = {
  name: 'list_repo',
  title: 'List a folder of a repository',
  description: 'Lists what is in a folder of a repository, with sizes and numbers of files.',
  inputSchema: {
    type: 'object',
    properties: {
      repo: REPOSITORY_PARAMETERS.repo,
      path: { type: 'string', description: 'The folder; the root if left out.' },
      ref: REPOSITORY_PARAMETERS.ref,
      from: { type: 'integer', minimum: 0, description: 'Where an earlier answer said it goes on.' },
    },
    required: ['repo'],
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
          properties: {
            name: TEXT,
            files: COUNT,
            bytes: COUNT,
            omitted: TEXT,
            target: TEXT,
            repository: TEXT,
          },
          required: ['name'],
        },
      },
      next: COUNT,
    },
    required: ['note', 'total', 'entries'],
  },
  annotations: { ...REPOSITORY_HINTS, openWorldHint: true },
  asksForRoots: mayBeFolder,
  async run({ repo, path, ref, from }, call) {
    const { listAnswer } = await import('../browse.ts');
    return listAnswer(call, { repo, path, ref } as { repo: string }, from as number | undefined);
  },
};
