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
