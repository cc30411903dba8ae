import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, git } from '../repository.ts';
import { rootWith } from './bare.ts';
import { serveGitDaemon } from './git-daemon.ts';
import { allowFilter } from './git-http.ts';
import { runGit } from './run-git.ts';

test('a repository is cloned, and fetched in part', async () => {
  const root = rootWith('x.git', { a: 'alpha\n' });
  allowFilter(join(root, 'x.git'), true);
  const { url, close } = await serveGitDaemon(root);
  onTestFinished(close);
  const whole = join(folderWith({}), 'x');
  const part = folderWith({});
  git(part, 'init', '-q');
  expect(await runGit(['clone', '-q', `${url}/x.git`, whole])).toMatchObject({ status: 0, errors: '' });
  expect(git(whole, 'show', 'HEAD:a')).toBe('alpha');
  await runGit(['-C', part, 'fetch', '-q', '--depth=1', '--filter=blob:none', `${url}/x.git`, 'main']);
  expect(git(part, 'rev-list', '--objects', '--missing=print', 'FETCH_HEAD')).toContain('?');
});

test('closing cuts off clients that wait, and nobody answers any more', async () => {
  const { url, close } = await serveGitDaemon(rootWith('x.git', {}));
  const waiting = connect(Number(new URL(url).port), '127.0.0.1');
  const asked = 'git-upload-pack /x.git\0host=127.0.0.1\0';
  waiting.write((asked.length + 4).toString(16).padStart(4, '0') + asked);
  await once(waiting, 'data');
  const ended = once(waiting.resume(), 'close');
  await close();
  await ended;
  expect((await runGit(['ls-remote', `${url}/x.git`])).errors).toContain('Connection refused');
});
