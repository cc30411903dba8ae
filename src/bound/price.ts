import { basename, dirname } from 'node:path';
import type { Kept, NotKept } from '../spool/types.ts';

/** Of as many characters as a handle or a session's name; each of them is a token (`o200k_base`): none takes more. */
const DEAREST = '7q7x7z7q7x7z7q7x';

/**
 * A text for counting its tokens: the names that are new each time, of the handle and the session, stand in it at the
 * price of the dearest, so that what is cut doesn't depend on them. As long as the text, in characters and in bytes.
 */
export function priced(text: string, kept: Kept | NotKept): string {
  if ('reason' in kept) return text;
  return text.replaceAll(kept.handle, DEAREST).replaceAll(basename(dirname(kept.folder)), DEAREST);
}
