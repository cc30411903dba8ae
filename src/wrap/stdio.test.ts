import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ReadFrames, startServer } from './stdio.ts';
import type { Frame } from './types.ts';

/** Each line is a frame. */
const readLines: ReadFrames = async function* (source) {
  let rest = '';
  for await (const chunk of source) {
    const lines = `${rest}${Buffer.from(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield { bytes: () => Buffer.from(line) } as Frame;
  }
};

function start(script: string) {
  const server = startServer(process.execPath, ['-e', script], readLines);
  const lines: string[] = [];
  const read = (async () => {
    for await (const frame of server.frames) lines.push(String(frame.bytes()));
  })();
  return { server, lines, read };
}

const send = (text: string) => ({ bytes: Buffer.from(text) });

/** What came out of our stderr. */
function watchStderr(): () => string {
  const pieces: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((piece) => pieces.push(String(piece)) > 0);
  return () => pieces.join('');
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('what is sent reaches the server, and its lines come back', async () => {
  const { server, lines, read } = start('process.stdin.pipe(process.stdout)');
  await server.send(send('one'));
  await server.send(send('two'));
  await server.close();
  await read;
  expect(lines).toEqual(['one', 'two']);
});

test.each([
  ['exited with code 3', 'process.exit(3)'],
  ['was killed by SIGKILL', 'process.kill(process.pid, "SIGKILL")'],
])('how a server ends is told: it %s', async (reason, script) => {
  const { server, read } = start(script);
  await read;
  expect(await server.gone).toBe(reason);
  await server.send(send('to nobody'));
});

test('a command that is not there is told', async () => {
  const server = startServer('/no/such/command', [], readLines);
  for await (const _ of server.frames) throw new Error('a frame from nobody');
  expect(await server.gone).toBe('could not be started: there is no such command (ENOENT)');
  await server.send(send('to nobody'));
  await server.close();
});

test('all that a server wrote is read before it is gone', async () => {
  const { server, lines, read } = start(
    'process.stdout.write("line\\n".repeat(200000), () => process.exit(1))',
  );
  await server.gone;
  expect(lines).toHaveLength(200_000);
  await read;
});

test('a server that closes its output is gone', async () => {
  const { server, read } = start('require("fs").closeSync(1); setInterval(() => {}, 1000)');
  await read;
  expect(await server.gone).toBe('closed its output');
  server.signal('SIGKILL');
  await server.close();
});

test('a server that ends neither with its input nor at SIGTERM is killed', async () => {
  const stderr = watchStderr();
  const { server, read, lines } = start(
    'process.on("SIGTERM", () => console.error("not at SIGTERM")); setInterval(() => {}, 1000); console.log("up")',
  );
  await vi.waitFor(() => expect(lines).toEqual(['up']), { timeout: 20_000 });
  await server.close();
  await read;
  expect(await server.gone).toBe('was killed by SIGKILL');
  expect(stderr()).toContain('not at SIGTERM');
});

test('a signal is passed on; a second one kills', async () => {
  const stderr = watchStderr();
  const { server, read, lines } = start(
    'process.on("SIGINT", () => console.error("not at SIGINT")); setInterval(() => {}, 1000); console.log("up")',
  );
  await vi.waitFor(() => expect(lines).toEqual(['up']), { timeout: 20_000 });
  server.signal('SIGINT');
  await vi.waitFor(() => expect(stderr()).toContain('not at SIGINT'), { timeout: 20_000 });
  server.signal('SIGINT');
  await read;
  expect(await server.gone).toBe('was killed by SIGKILL');
});

test('stderr comes out of ours', async () => {
  const stderr = watchStderr();
  const { server, read } = start('console.error("a word"); process.exit(1)');
  await read;
  await server.gone;
  expect(stderr()).toBe('a word\n');
});

test('stderr that nobody reads is dropped and counted, and the server goes on', async () => {
  const stderr = watchStderr();
  const waiting = vi.spyOn(process.stderr, 'writableLength', 'get').mockReturnValue(1024 * 1024);
  const { server, read, lines } = start(
    `process.stderr.write('e'.repeat(5000000), () => console.log('done'));
     process.stdin.on('data', () => { console.error('after'); process.exit(0); });`,
  );
  await vi.waitFor(() => expect(lines).toEqual(['done']), { timeout: 20_000 });
  waiting.mockReturnValue(0);
  await server.send(send('go on'));
  await read;
  await server.gone;
  expect(stderr()).toBe("\nplimsoll: 5000000 bytes of the server's stderr were dropped\nafter\n");
});

test('a server that reads nothing holds its sender back', async () => {
  const { server, read } = start('setInterval(() => {}, 1000)');
  const sent = server.send(send('x'.repeat(10_000_000)));
  const first = await Promise.race([
    sent.then(() => 'sent'),
    new Promise((resolve) => setTimeout(resolve, 200, 'held')),
  ]);
  expect(first).toBe('held');
  server.signal('SIGKILL');
  await sent;
  await read;
});

describe('what a server has started', () => {
  /** A program of Node that runs as long as its connection to a port, by which it is known to run. */
  const outliving = (port: number, more: string) =>
    `require('net').connect(${port}, '127.0.0.1').on('error', () => {}).on('close', () => process.exit()); ${more}`;

  /** A program that starts another, with the same streams, and goes on when that has connected. */
  const starting = (program: string, then: string, options = {}) => `
    const own = { stdio: ['ignore', 'inherit', 'inherit'], ...${JSON.stringify(options)} };
    require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program)}], own).unref();
    process.stdin.once('data', () => { ${then} });`;

  /** Starts a server whose outliving child has connected; tells when that child has ended. */
  async function startWithChild(more: string, then: string, options?: { detached: boolean }) {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    const { port } = listener.address() as { port: number };
    const started = start(starting(outliving(port, more), then, options));
    const [socket] = (await once(listener, 'connection')) as [Socket];
    const ended = new Promise((resolve) =>
      socket
        .on('error', () => {})
        .on('close', resolve)
        .resume(),
    );
    await started.server.send(send('go on'));
    return { ...started, socket, ended };
  }

  test('ends with it when it is closed', async () => {
    const { server, read, ended } = await startWithChild('', 'process.stdin.on("end", () => process.exit())');
    await server.close();
    await ended;
    await read;
    expect(await server.gone).toBe('exited with code 0');
  });

  test('gets the signals that it gets', async () => {
    const said = 'process.on("SIGINT", () => { console.log("got SIGINT"); process.exit(); });';
    const { server, lines, read, ended } = await startWithChild(said, '');
    server.signal('SIGINT');
    await Promise.all([ended, read]);
    expect(lines).toEqual(['got SIGINT']);
    expect(await server.gone).toBe('was killed by SIGINT');
  });

  test('is killed where it does not end at SIGTERM', async () => {
    const stubborn = 'process.on("SIGTERM", () => console.error("not at SIGTERM"));';
    const stderr = watchStderr();
    const { server, read, ended } = await startWithChild(stubborn, 'process.exit(0)');
    await Promise.all([server.close(), ended, read]);
    expect(stderr()).toContain('not at SIGTERM');
  });

  test.each([
    ['holds its output open', ''],
    ['writes on and on', 'setInterval(() => console.log("more"), 5); process.stdout.on("error", () => {});'],
  ])('can not keep it from being gone: it %s', async (_, more) => {
    const then = 'process.stdout.write("said\\n", () => process.exit(2));';
    const { server, lines, read, socket } = await startWithChild(more, then, { detached: true });
    onTestFinished(() => void socket.destroy());
    await read;
    expect(lines).toContain('said');
    expect(await server.gone).toBe('exited with code 2');
  });
});
