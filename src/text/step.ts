/** How far a job is; `total` is left out where it isn't known. */
export interface Step {
  /** What is being done: `reading`. */
  readonly stage: string;
  /** What it is done to; files unless told. */
  readonly of?: string;
  readonly done: number;
  readonly total?: number;
  readonly bytes?: number;
  /** Requests that a host allows before its next reset. */
  readonly requestsLeft?: number;
  /** How much of an answer has come. */
  readonly tokens?: number;
}

/** `fetching files 3 of 40, 1.2 MB, 57 API requests left`. */
export function describeStep({
  stage,
  of = 'files',
  done,
  total,
  bytes,
  requestsLeft,
  tokens,
}: Step): string {
  const count = total === undefined ? done || '' : `${done} of ${total}`;
  const parts = [`${stage} ${of} ${count}`.trimEnd()];
  if (bytes !== undefined) parts.push(`${(bytes / 1_000_000).toFixed(1)} MB`);
  if (tokens) parts.push(`${tokens} tokens`);
  if (requestsLeft !== undefined) parts.push(`${requestsLeft} API requests left`);
  return parts.join(', ');
}
