import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** git without the settings of the machine, and with one author and one clock. */
export const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_AUTHOR_DATE: '1750000000 +0000',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
  GIT_COMMITTER_DATE: '1750000000 +0000',
};

/** Runs git in `folder`; returns what it prints, without the last line end. */
export function git(folder, ...args) {
  const options = { cwd: folder, env: gitEnvironment, encoding: 'utf8', maxBuffer: 1 << 30 };
  return execFileSync('git', args, options).trimEnd();
}

/**
 * Writes files (pairs of path and content) into `folder`, which is emptied first, and makes one commit of
 * them. The same files give the same commit everywhere.
 */
export function writeRepository(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message=All files');
}
