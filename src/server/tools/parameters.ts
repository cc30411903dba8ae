/** How large a digest is, and in what form. */
export const DIGEST_PARAMETERS = {
  budget: { type: 'string', description: 'The most characters (40000) or tokens (10000tok) it may have.' },
  format: { type: 'string', enum: ['markdown', 'xml'] },
  query: { type: 'string', description: 'A task, question or error: what answers it is shown.' },
  focus_paths: {
    type: 'array',
    items: { type: 'string' },
    description: 'Files or folders in hand: they come first, then what has to do with them.',
  },
} as const;

/** Which repository a tool reads on in. */
export const REPOSITORY_PARAMETERS = {
  repo: { type: 'string', description: 'As a digest names it: an address, or a folder.' },
  ref: { type: 'string', description: 'The commit of the digest; or a branch or tag.' },
} as const;

/** Whether an argument that names a repository may name a folder here. */
export function mayBeFolder({ repo }: Readonly<Record<string, unknown>>): boolean {
  return typeof repo === 'string' && /^(?:[./~\\]|[a-z]:[\\/]|file:|[^/:]*$)/i.test(repo);
}

/** What is true of all tools that look into repositories. */
export const REPOSITORY_HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

/** Of what the data of a tool is made. */
export const TEXT = { type: 'string' };
export const COUNT = { type: 'integer' };
