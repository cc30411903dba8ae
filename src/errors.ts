/** What went wrong, as a stable name that programs may compare. */
export type ErrorCode =
  | 'BAD_USAGE'
  | 'BAD_BUDGET'
  | 'BAD_LIMIT'
  | 'BAD_GLOB'
  | 'BAD_ADDRESS'
  | 'BUDGET_TOO_SMALL'
  | 'SOURCE_NOT_FOUND'
  | 'SOURCE_NOT_A_FOLDER'
  | 'SOURCE_UNREADABLE'
  | 'SOURCE_NOT_ALLOWED'
  | 'SOURCE_EMPTY'
  | 'NOTHING_MATCHES'
  | 'BARE_REPOSITORY'
  | 'NO_COMMIT'
  | 'NOT_A_REPOSITORY'
  | 'NOT_CLONED'
  | 'BAD_REF'
  | 'GIT_FAILED'
  | 'REPOSITORY_NOT_FOUND'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'RATE_LIMITED'
  | 'BLOCKED'
  | 'HOST_FAILED'
  | 'HOST_SILENT'
  | 'HOST_UNREACHABLE'
  | 'OUTPUT_UNWRITABLE'
  | 'CACHE_UNWRITABLE'
  | 'SPOOL_UNWRITABLE'
  | 'SPOOL_UNREADABLE'
  | 'STATS_UNREADABLE'
  | 'NOT_IN_CACHE'
  | 'NOT_IN_SPOOL'
  | 'CONFIG_UNREADABLE'
  | 'CONFIG_CHANGED'
  | 'BAD_PATTERN'
  | 'BAD_PATH'
  | 'SERVER_GONE'
  | 'BAD_KEY'
  | 'BAD_VALUE'
  | 'BAD_ENTRY'
  | 'BAD_IMPORT'
  | 'KEY_NOT_FOUND'
  | 'KEY_TAKEN'
  | 'CHANGE_NOT_FOUND'
  | 'CHANGE_OUTDATED'
  | 'MEMORY_BUSY'
  | 'MEMORY_DAMAGED'
  | 'MEMORY_UNREADABLE'
  | 'MEMORY_UNWRITABLE'
  | 'TRANSCRIPT_NOT_ALLOWED'
  | 'TRANSCRIPT_UNREADABLE'
  | 'PLAN_NOT_FOUND'
  | 'MODEL_REMOTE'
  | 'MODEL_UNREACHABLE'
  | 'MODEL_SERVER_UNKNOWN'
  | 'MODEL_NOT_FOUND'
  | 'MODEL_WINDOW_UNKNOWN'
  | 'MODEL_OUT_OF_MEMORY'
  | 'MODEL_BUSY'
  | 'MODEL_REFUSED'
  | 'MODEL_SILENT'
  | 'MODEL_BROKEN_OFF'
  | 'MODEL_PROMPT_TOO_LONG'
  | 'MODEL_ANSWER_CUT'
  | 'MODEL_ANSWER_EMPTY'
  | 'MODEL_ONLY_THOUGHT'
  | 'MODEL_ANSWERS_UNREADABLE'
  | 'ABORTED';

/**
 * An error a user can act on. The message says in one line what happened, where, and what to do.
 * Anything else that is thrown is a fault of Plimsoll's own.
 */
export class PlimsollError extends Error {
  override readonly name = 'PlimsollError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
