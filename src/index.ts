export {
  type Budget,
  type Digest,
  type DigestFile,
  type DigestOptions,
  digest,
  type Format,
  type Progress,
} from './digest/digest.ts';
export { type ErrorCode, PlimsollError } from './errors.ts';
export { parseBudget } from './measure/budget.ts';
