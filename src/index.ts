export {
  type BoundOptions,
  type BoundResultOptions,
  type BoundText,
  bound,
  boundResult,
  DEFAULT_LIMIT,
  type Facts,
  type Gap,
  LEAST_LIMIT,
  type Limit,
  META_KEY,
  openSpool,
  parseLimit,
  type Readers,
  type Spool,
  type SpoolOptions,
} from './bound/bound.ts';
export {
  type Budget,
  type Digest,
  type DigestFile,
  type DigestOptions,
  digest,
  type Format,
  type GitHubOptions,
  type Progress,
  type RemoteOptions,
} from './digest/digest.ts';
export { type ErrorCode, PlimsollError } from './errors.ts';
export { parseBudget } from './measure/budget.ts';
