import { deleteContextKey } from './delete-context-key.ts';
import { logDiary } from './log-diary.ts';
import { readContext } from './read-context.ts';
import { readDiary } from './read-diary.ts';
import { searchContext } from './search-context.ts';
import type { Tool } from './tool.ts';
import { updateContext } from './update-context.ts';

/** Every tool of the server, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  searchContext,
  readContext,
  updateContext,
  deleteContextKey,
  logDiary,
  readDiary,
];
