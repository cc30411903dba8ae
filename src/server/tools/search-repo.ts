import { mayBeFolder, REPOSITORY_HINTS, REPOSITORY_PARAMETERS } from './parameters.ts';
import type { Tool } from './tool.ts';

export const searchRepo: Tool = {
  name: 'search_repo',
  title: 'Search a repository',
  description:
    "Finds the lines that match in a repository's text files, with their numbers and the lines around them.",
  inputSchema: {
    type: 'object',
    properties: {
      repo: REPOSITORY_PARAMETERS.repo,
      pattern: { type: 'string', description: 'Plain text, unless regex is true.' },
      path: { type: 'string', description: 'Only this file, or what is in this folder.' },
      regex: { type: 'boolean', description: "RE2's syntax; (?i) ignores case." },
      ref: REPOSITORY_PARAMETERS.ref,
      from: { type: 'string', description: 'Where an earlier answer said it goes on.' },
    },
    required: ['repo', 'pattern'],
    additionalProperties: false,
  },
  annotations: { ...REPOSITORY_HINTS, openWorldHint: true },
  asksForRoots: mayBeFolder,
  async run({ repo, pattern, path, regex, ref, from }, call) {
    const { searchAnswer } = await import('../browse.ts');
    const asked = { pattern, regex, from } as { pattern: string };
    return searchAnswer(call, { repo, path, ref } as { repo: string }, asked);
  },
};
