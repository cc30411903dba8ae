import { DIGEST_PARAMETERS, REPOSITORY_HINTS } from './parameters.ts';
import type { Tool } from './tool.ts';

export const fetchGithubRepo: Tool = {
  name: 'fetch_github_repo',
  title: 'Digest a repository',
  description:
    'Fetches a repository from GitHub or any git host and shows its tree and most important files within a budget. Start here; the first line says how to read on.',
  inputSchema: {
    type: 'object',
    properties: {
      repo_url: {
        type: 'string',
        description: 'owner/repo, or an address, also of a branch, commit, pull request, folder or file.',
      },
      ref: { type: 'string', description: 'A branch, tag or commit, if repo_url names none.' },
      path: { type: 'string', description: 'A folder or file in it; all of it if left out.' },
      ...DIGEST_PARAMETERS,
    },
    required: ['repo_url'],
    additionalProperties: false,
  },
  annotations: { ...REPOSITORY_HINTS, openWorldHint: true },
  async run({ repo_url, ref, path, budget, format, query, focus_paths }, call) {
    const { digestAnswer } = await import('../digests.ts');
    const asked = { repo: repo_url, ref, path, budget, format, query, focusPaths: focus_paths } as {
      repo: string;
    };
    return digestAnswer(call, asked, 'repository');
  },
};
