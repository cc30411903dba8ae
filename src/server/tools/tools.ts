import { deleteContextKey } from './delete-context-key.ts';
import { digestFolder } from './digest-folder.ts';
import { digestTranscript } from './digest-transcript.ts';
import { fetchGithubRepo } from './fetch-github-repo.ts';
import { listRepo } from './list-repo.ts';
import { logDiary } from './log-diary.ts';
import { readContext } from './read-context.ts';
import { readDiary } from './read-diary.ts';
import { readDigestLog } from './read-digest-log.ts';
import { readRepoFile } from './read-repo-file.ts';
import { searchContext } from './search-context.ts';
import { searchRepo } from './search-repo.ts';
import { summarizeOnly } from './summarize-only.ts';
import type { Tool } from './tool.ts';
import { updateContext } from './update-context.ts';

/** Every tool of the server, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  fetchGithubRepo,
  digestFolder,
  readRepoFile,
  searchRepo,
  listRepo,
  searchContext,
  readContext,
  updateContext,
  deleteContextKey,
  logDiary,
  readDiary,
  digestTranscript,
  summarizeOnly,
  readDigestLog,
];
