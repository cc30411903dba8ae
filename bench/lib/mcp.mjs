import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';

// Clients of MCP as small as they can be, so that what is measured is what stands between client and server.

const CLIENT = { name: 'bench', version: '1' };
const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
const TRIES = 200;
const BETWEEN_TRIES_MS = 50;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A process with its standard error kept (the last of it), which `close` ends. */
export function start(command, { env = {} } = {}) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-10_000);
  });
  child.stdin.on('error', () => {});
  return {
    pid: child.pid,
    child,
    errors: () => errors,
    async close() {
      if (child.exitCode !== null) return;
      process.kill(-child.pid, 'SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Connects to a command over stdio. `call(tool, args)` gives the result; calls may run at once. */
export async function overStdio(command, options) {
  const process = start(command, options);
  const { child } = process;
  const waiting = new Map();
  let pieces = [];
  child.stdout.on('data', (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end));
      const { id, result } = JSON.parse(Buffer.concat(pieces));
      pieces = [];
      from = end + 1;
      waiting.get(id)?.(result);
      waiting.delete(id);
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  });
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) => {
    const id = ++last;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answered;
  };
  await request('initialize', HANDSHAKE);
  send({ method: 'notifications/initialized' });
  return { ...process, call: (name, args = {}) => request('tools/call', { name, arguments: args }) };
}

/** Starts a command that listens at `url`, or says where in a line on standard error, and connects to it. */
export async function overHttp(command, { url, ...options } = {}) {
  const process = start(command, options);
  process.child.stdout.resume();
  for (let i = 0; i < TRIES && process.child.exitCode === null; i++) {
    const address = url ?? /http:\/\/\S+/.exec(process.errors())?.[0];
    const session = address && (await openSession(address));
    if (session) return { ...process, address, call: session.call };
    await pause(BETWEEN_TRIES_MS);
  }
  throw new Error(`Nobody listens: ${process.errors()}`);
}

/** Opens a session at an address; undefined if nobody listens there. */
export async function openSession(address) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  let last = 0;
  const post = async (message) => {
    const request = httpRequest(address, { agent, method: 'POST', headers });
    request.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const [response] = await once(request, 'response');
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { response, body: Buffer.concat(chunks).toString() };
  };
  try {
    const { response } = await post({ id: ++last, method: 'initialize', params: HANDSHAKE });
    headers['Mcp-Session-Id'] = response.headers['mcp-session-id'];
  } catch (error) {
    if (error.code === 'ECONNREFUSED') return undefined;
    throw error;
  }
  headers['MCP-Protocol-Version'] = HANDSHAKE.protocolVersion;
  await post({ method: 'notifications/initialized' });
  return {
    async call(name, args = {}) {
      const id = ++last;
      const { body } = await post({ id, method: 'tools/call', params: { name, arguments: args } });
      return answerIn(body, id);
    },
  };
}

/** The result in a body that is JSON or a stream of events. */
function answerIn(body, id) {
  const texts = body.startsWith('{') ? [body] : [...body.matchAll(/^data: ?(.*)$/gm)].map(([, text]) => text);
  for (const text of texts) {
    const message = text ? JSON.parse(text) : {};
    if (message.id === id) return message.result;
  }
  throw new Error(`No answer in: ${body.slice(0, 200)}`);
}

/** The resident memory of a process and all that it has started, in KiB, without those that run the script `but`. */
export function residentKb(pid, but) {
  const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const kb = Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return (argv[1] === but ? 0 : kb) + children.reduce((sum, child) => sum + residentKb(child, but), 0);
}

/** How many files and sockets a process has open. */
export const descriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length;
