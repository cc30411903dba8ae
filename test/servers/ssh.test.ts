import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, git } from '../repository.ts';
import { rootWith } from './bare.ts';
import { allowFilter } from './git-http.ts';
import { runGit } from './run-git.ts';
import { type SshServer, serveSsh } from './ssh.ts';

async function serve(root: string): Promise<SshServer> {
  const server = await serveSsh(root);
  onTestFinished(() => server.close());
  return server;
}

test('a repository is cloned, and fetched in part', async () => {
  const root = rootWith("it's.git", { a: 'alpha\n', big: Buffer.alloc(5_000_000, 'x') });
  allowFilter(join(root, "it's.git"), true);
  const { url, env } = await serve(root);
  const whole = join(folderWith({}), 'x');
  const part = folderWith({});
  git(part, 'init', '-q');
  expect(await runGit(['clone', '-q', `${url}/it's.git`, whole], env)).toMatchObject({
    status: 0,
    errors: '',
  });
  expect(git(whole, 'show', 'HEAD:a')).toBe('alpha');
  await runGit(
    ['-C', part, 'fetch', '-q', '--depth=1', '--filter=blob:none', `${url}/it's.git`, 'main'],
    env,
  );
  expect(git(part, 'rev-list', '--objects', '--missing=print', 'FETCH_HEAD')).toContain('?');
});

test('the protocol that the client asks for is spoken', async () => {
  const { url, env } = await serve(rootWith('x.git', {}));
  const trace = { ...env, GIT_TRACE_PACKET: '1' };
  const versions = await Promise.all(
    ['0', '2'].map((version) =>
      runGit(['-c', `protocol.version=${version}`, 'ls-remote', `${url}/x.git`], trace),
    ),
  );
  expect(versions.map(({ errors }) => errors.includes('< version 2'))).toEqual([false, true]);
});

/** A shell command that asks for a repository without any git. */
function uploadPack({ port, env }: SshServer, path: string): string {
  return `${env.GIT_SSH_COMMAND} -p ${port} git@127.0.0.1 "git-upload-pack '${path}'"`;
}

test('git’s exit status and message reach the client', async () => {
  const server = await serve(rootWith('x.git', {}));
  const run = promisify(execFile)('sh', ['-c', uploadPack(server, '/y.git')]);
  await expect(run).rejects.toMatchObject({ code: 128, stderr: expect.stringContaining('not appear to be') });
});

test('closing cuts off clients that wait', async () => {
  const server = await serveSsh(rootWith('x.git', {}));
  const client = spawn('sh', ['-c', `exec ${uploadPack(server, '/x.git')}`]);
  await once(client.stdout, 'data');
  const ended = once(client, 'exit');
  await server.close();
  expect(await ended).toEqual([255, null]);
});

test('nothing but reading repositories below the folder is served', async () => {
  const root = rootWith('x.git', {});
  const { url, env } = await serve(join(root, 'x.git'));
  expect((await runGit(['ls-remote', `${url}/../x.git`], env)).errors).toContain('not served');
  expect((await runGit(['-C', join(root, 'x.git'), 'push', `${url}/`, 'HEAD'], env)).errors).toContain(
    'not served',
  );
});

test('another key is not let in', async () => {
  const one = await serve(rootWith('x.git', {}));
  const other = await serve(rootWith('x.git', {}));
  const keyOf = ({ env }: SshServer) => env.GIT_SSH_COMMAND?.match(/-i '([^']*)'/)?.[1] as string;
  const command = one.env.GIT_SSH_COMMAND?.replace(keyOf(one), keyOf(other));
  const run = await runGit(['ls-remote', `${one.url}/x.git`], { GIT_SSH_COMMAND: command });
  expect(run.errors).toContain('Permission denied');
});
