import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuthContext, type ParsedKey, Server, type ServerChannel, type Session, utils } from 'ssh2';
import { SERVER_ENVIRONMENT } from './git-environment.ts';
import { listen } from './listen.ts';

export interface SshServer {
  readonly port: number;
  /** `ssh://git@127.0.0.1:PORT`; a repository's path below the root follows. */
  readonly url: string;
  /** What a git client needs to be let in. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves every repository below a folder to whoever has the key that is made here, for reading. */
export async function serveSsh(root: string): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-ssh-'));
  const hostKey = makeKey(join(folder, 'host'));
  const userKey = makeKey(join(folder, 'user'));
  const sockets = new Set<Socket>();
  const server = new Server({ hostKeys: [readFileSync(hostKey.file)] }, (connection) => {
    connection.on('error', () => {}); // a client that breaks off
    connection.on('authentication', (attempt) =>
      hasKey(attempt, userKey.parsed) ? attempt.accept() : attempt.reject(['publickey']),
    );
    connection.on('session', (accept) => serveSession(accept(), root));
  });
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  const port = await listen(listener);
  const knownHosts = join(folder, 'known-hosts');
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${hostKey.public}`);
  return {
    port,
    url: `ssh://git@127.0.0.1:${port}`,
    env: { GIT_SSH_COMMAND: sshCommand(userKey.file, knownHosts) },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

interface Key {
  /** The private key's file. */
  readonly file: string;
  readonly public: string;
  readonly parsed: ParsedKey;
}

function makeKey(file: string): Key {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  const publicKey = readFileSync(`${file}.pub`, 'utf8');
  const parsed = utils.parseKey(publicKey);
  if (parsed instanceof Error) throw parsed;
  return { file, public: publicKey, parsed };
}

function sshCommand(identity: string, knownHosts: string): string {
  const options = ['IdentitiesOnly=yes', 'IdentityAgent=none', 'BatchMode=yes', 'StrictHostKeyChecking=yes'];
  const all = [...options, `UserKnownHostsFile=${knownHosts}`].map((option) => `-o '${option}'`).join(' ');
  return `ssh -F none -i '${identity}' ${all}`;
}

/** A client first asks whether a key would do, and then proves that it has it. */
function hasKey(attempt: AuthContext, key: ParsedKey): boolean {
  if (attempt.method !== 'publickey' || !attempt.key.data.equals(key.getPublicSSH())) return false;
  const { blob, signature, hashAlgo } = attempt;
  return !(blob && signature) || key.verify(blob, signature, hashAlgo) === true;
}

function serveSession(session: Session, root: string): void {
  let protocol: string | undefined;
  session.on('env', (accept, _reject, { key, val }) => {
    if (key === 'GIT_PROTOCOL') protocol = val;
    accept?.();
  });
  session.once('exec', (accept, _reject, { command }) => {
    const channel = accept();
    const repository = repositoryOf(command, root);
    if (repository) return uploadPack(channel, repository, protocol);
    channel.stderr.write(`not served: ${command}\n`);
    channel.exit(128);
    channel.end();
  });
}

const UPLOAD_PACK = /^git-upload-pack '((?:[^'!]|'\\['!]')*)'$/s;
const QUOTED = /'\\(['!])'/g;

/** The repository below the root that a command wants to read, if it is such a command. */
function repositoryOf(command: string, root: string): string | undefined {
  const path = UPLOAD_PACK.exec(command)?.[1]?.replace(QUOTED, '$1');
  if (path === undefined || path.split('/').includes('..')) return undefined;
  return join(root, path);
}

function uploadPack(channel: ServerChannel, repository: string, protocol: string | undefined): void {
  const child = spawn('git', ['upload-pack', repository], {
    env: { ...SERVER_ENVIRONMENT, GIT_PROTOCOL: protocol },
  });
  child.stdin.on('error', () => {}); // git has stopped reading, and its exit status says why
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (status) => {
    channel.exit(status ?? 1);
    channel.end();
  });
  channel.on('close', () => child.kill());
}
