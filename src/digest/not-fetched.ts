/** A file's contents could not be had from where they are. The message says why, to follow on the file's name. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched';
  readonly code = 'NOT_FETCHED';
}
