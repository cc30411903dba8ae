import { readContext } from './read-context.ts';
import type { Tool } from './tool.ts';

/** Every tool of the server, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [readContext];
