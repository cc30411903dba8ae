import { execFileSync, spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { random } from '../src/secrets/secrets.testing.ts';
import {
  written as answered,
  delta,
  EVENTS,
  eventsOf,
  finish,
  type Handle,
  json,
  last,
  linesOf,
  llamaCppRoutes,
  MODEL,
  NDJSON,
  ollamaRoutes,
  part,
  type Received,
  serve,
  usage,
} from '../src/transcript/model/model.testing.ts';
import {
  allIn,
  environment,
  facts,
  failed,
  MAIN,
  place,
  plimsoll,
  printed,
  said,
  started,
  written,
} from './transcripts.ts';

interface Found {
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly line?: number;
  readonly quote: string;
}

const quoted = (subject: string, attribute: string, value: string, quote: string): Found => ({
  subject,
  attribute,
  value,
  line: 1,
  quote,
});

/** Whom a prompt tells of, as a model finds it: `Ada is the CTO`. */
function rolesIn({ body }: Received): Found[] {
  const { content } = body.messages.at(-1);
  return Array.from(content.matchAll(/(\w+) is the (\w+)/g), ([quote, who = '', role = '']) =>
    quoted(who, 'role', role, quote),
  );
}

const answer = (text: string, more: object = {}): Handle =>
  answered(NDJSON, [linesOf([part({ content: text }), last(more)])]);
const finds = (...found: Found[]): Handle => answer(JSON.stringify({ facts: found }));
const findsRoles: Handle = (received, response) => finds(...rolesIn(received))(received, response);

/** The prompts that came, without the request that loads the model. */
const promptsIn = (received: readonly Received[]) =>
  received
    .filter(({ body }) => body?.messages?.length > 0)
    .map(({ body }) => String(body.messages.at(-1).content));

const asks = (address: string, ...more: string[]) => ['--server', address, '--model', MODEL, ...more];

/** Digests `talk.jsonl` by a model. */
const digested = (address: string, ...more: string[]) =>
  printed('transcript', 'talk.jsonl', ...asks(address, ...more));

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'];
const ROLES = Object.fromEntries(NAMES.map((name) => [name.toLowerCase(), { role: `chief${name}` }]));
/** A window in which each of the turns below has a part of its own. */
const SMALL = ['--window', '4096'];

function longTalk(path = 'talk.jsonl'): void {
  written(
    path,
    ...NAMES.map((name, at) => said(`u${at}`, `${name} is the chief${name}.${' ship'.repeat(1000)}`)),
  );
}

describe('a model of Ollama', () => {
  test('finds facts, which are checked against the transcript', async () => {
    written(
      'talk.jsonl',
      said('u1', 'Maria is our CTO, and we sail on Fridays.'),
      said('a1', 'Noted.', { role: 'assistant' }),
    );
    const { address, received } = await serve(
      ollamaRoutes(
        finds(
          quoted('Maria', 'role', 'CTO', 'Maria is our CTO'),
          quoted('harbour', 'master', 'Otto', 'Otto is the harbour master here'),
        ),
      ),
    );
    const stdout = await digested(address);
    expect(stdout).toMatch(
      new RegExp(`: 2 turns read\nby model ${MODEL}, in 1 part, 20 tokens in, 2 out, \\d+\\.\\d s\n`),
    );
    expect(stdout).toContain(`
Added (1)
  maria.role: "CTO"
    line 1, person, 2026-03-02T09:00:00.000Z: "Maria is our CTO"

In doubt, and not stored (1)
  harbour.master: "Otto"
    its turn does not say so
    line 1, person, 2026-03-02T09:00:00.000Z: not said there: "Otto is the harbour master here"
    to store it: plimsoll memory set -- harbour.master Otto
`);
    expect(facts()).toEqual({ maria: { role: 'CTO' } });
    expect(promptsIn(received)).toHaveLength(1);
    expect(await printed('memory', 'why', 'maria.role')).toContain(`by model ${MODEL}\n`);
    expect(await digested(address)).toContain('Nothing is new');
    expect(promptsIn(received)).toHaveLength(1);
  });

  test('is asked once for a dry run and what follows it', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    const { address, received } = await serve(ollamaRoutes(findsRoles));
    const plan = await digested(address, '--dry-run');
    expect(facts()).toBeUndefined();
    const count = received.length;
    await printed('transcript', '--commit', /--commit (\w+)/.exec(plan)?.[1] ?? '');
    expect(facts()).toEqual({ ada: { role: 'CTO' } });
    expect(received).toHaveLength(count);
  });

  test('is the only one who is asked', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    const other = await serve({});
    const { address, received } = await serve(ollamaRoutes(findsRoles));
    const env = Object.fromEntries(
      ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'OLLAMA_HOST', 'GOPHER_OLLAMA_URL'].map((name) => [
        name,
        other.address,
      ]),
    );
    expect(await started(['transcript', 'talk.jsonl', ...asks(address)], env).outcome).toMatchObject({
      code: 0,
    });
    expect(promptsIn(received)).toHaveLength(1);
    expect(other.received).toEqual([]);
  });

  test('sees neither secrets nor what the client put in, and what it makes up of such is not stored', async () => {
    const token = `ghp_${random(36)}`;
    const made = `ghp_${random(36, undefined, 'other')}`;
    written(
      'talk.jsonl',
      said('u1', `Ada is the CTO. Our token is ${token}.`),
      said('u2', 'Ben is the spy.', { more: { isMeta: true } }),
      said('u3', '<system-reminder>Cleo is the mole.</system-reminder>Fine.'),
      said('u4', 'Dan is the ghost.', { more: { isCompactSummary: true } }),
    );
    const { address, received } = await serve(
      ollamaRoutes((one, response) =>
        finds(...rolesIn(one), quoted('Ada', 'token', made, 'Our token is'))(one, response),
      ),
    );
    const stdout = await digested(address);
    const sent = JSON.stringify(received.map(({ body }) => body));
    expect(sent).toContain('Ada is the CTO');
    for (const text of [token.slice(4, 16), 'spy', 'mole', 'ghost']) expect(sent).not.toContain(text);
    const kept = stdout + allIn(place.data);
    for (const secret of [token, made]) expect(kept).not.toContain(secret.slice(4, 16));
    expect(facts()).toEqual({ ada: { role: 'CTO' } });
    expect(stdout).toContain('Refused (1)\n  "ada.token": it holds a secret\n');
  });

  test('that finds what acts on a terminal has it shown, and not done', async () => {
    const role = 'C\x1b[2JT\u202eO\u009b';
    written('talk.jsonl', said('u1', `Maria is our ${role}.`));
    const { address } = await serve(
      ollamaRoutes(finds(quoted('Maria', 'role', role, `Maria is our ${role}`))),
    );
    const shown = [
      await digested(address),
      await printed('transcript', '--log'),
      await printed('memory', 'why', 'maria.role'),
    ];
    for (const text of shown) {
      expect(text).toContain('Maria is our C');
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  test.skipIf(!hasScript())('shows on a terminal how far it is', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    let answerIt = () => {};
    const { address } = await serve(
      ollamaRoutes((received, response) => {
        response.write(linesOf([part({ content: ' ' })]));
        answerIt = () =>
          response.end(linesOf([part({ content: JSON.stringify({ facts: rolesIn(received) }) }), last()]));
      }),
    );
    const command = [process.execPath, MAIN, 'transcript', 'talk.jsonl', ...asks(address)].join(' ');
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: place.here,
      env: environment({ TERM: 'xterm' }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let shown = '';
    for await (const chunk of child.stdout) {
      shown += chunk;
      if (shown.includes(`asking ${MODEL}, part 1 of 1`)) answerIt();
    }
    expect(shown).toContain('Change 1 in the global memory');
  });
});

function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}

test('a server of llama.cpp answers as well', async () => {
  written('talk.jsonl', said('u1', 'Ada is the CTO.'));
  const { address, received } = await serve(
    llamaCppRoutes((one, response) =>
      answered(EVENTS, [
        eventsOf([
          delta({ content: JSON.stringify({ facts: rolesIn(one) }) }),
          finish('stop'),
          usage(700, 30),
        ]),
      ])(one, response),
    ),
  );
  expect(await digested(address, '--api', 'openai')).toContain('in 1 part, 700 tokens in, 30 out');
  expect(facts()).toEqual({ ada: { role: 'CTO' } });
  expect(promptsIn(received)).toHaveLength(1);
});

describe('without what it takes', () => {
  const refused = (address: string, ...more: string[]) =>
    failed(1, 'transcript', 'talk.jsonl', ...asks(address, ...more));

  test.each([
    [
      'a model',
      { 'POST /api/show': json(404, { error: `model '${MODEL}' not found` }) },
      `'ollama pull ${MODEL}'`,
    ],
    [
      'memory',
      {
        'POST /api/chat': json(500, {
          error: 'model requires more system memory (9 GiB) than is available (3 GiB)',
        }),
      },
      'take a smaller model',
    ],
    ['Ollama', { 'GET /api/version': json(404, 'nothing here') }, 'does not answer as Ollama does'],
  ])('%s it fails in one line', async (_, routes, message) => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    const { address } = await serve(ollamaRoutes(findsRoles, routes));
    expect(await refused(address)).toContain(message);
    expect(facts()).toBeUndefined();
  });

  test('a server it fails in one line, which names the rules', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    expect(await refused('http://127.0.0.1:9')).toContain('do without a model (--extract rules)');
  });

  const elsewhere = ['http://192.0.2.7:11434', 'models.saltmarsh.dev'];

  test.each(elsewhere)('leave nothing is sent to %s', async (address) => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    expect(await refused(address)).toContain('is not on this machine, and transcripts stay here');
  });

  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  test.skipIf(!own)('leave a server at another address has no connection, and with it has', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    let connections = 0;
    const server = createServer((_, response) => response.writeHead(404).end());
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => {
      server.listen(0, own, resolve);
    });
    const address = `http://${own}:${(server.address() as AddressInfo).port}`;
    await refused(address);
    expect(connections).toBe(0);
    expect(await refused(address, '--allow-remote')).toContain('does not answer as Ollama does');
    expect(connections).toBeGreaterThan(0);
    server.close();
  });
});

describe('an answer', () => {
  const WRONG = 'I could not find any list in there.';

  test('to a prompt that was cut on the way is never taken', async () => {
    longTalk();
    const { address } = await serve(
      ollamaRoutes((received, response) =>
        answer(JSON.stringify({ facts: rolesIn(received) }), {
          prompt_eval_count: received.body.options.num_ctx / 2,
        })(received, response),
      ),
    );
    expect(await failed(1, 'transcript', 'talk.jsonl', ...asks(address, ...SMALL))).toContain(
      'No turn could be read by model small:4b: the prompt was too long.',
    );
    expect(facts()).toBeUndefined();
  });

  test('that is cut at its limit is asked for again in halves', async () => {
    written(
      'talk.jsonl',
      ...NAMES.slice(0, 4).map((name, at) => said(`u${at}`, `${name} is the chief${name}.`)),
    );
    const { address, received } = await serve(
      ollamaRoutes((one, response) => {
        const found = rolesIn(one);
        answer(JSON.stringify({ facts: found }), found.length > 1 ? { done_reason: 'length' } : {})(
          one,
          response,
        );
      }),
    );
    await digested(address);
    expect(promptsIn(received)).toHaveLength(7);
    expect(facts()).toEqual(Object.fromEntries(Object.entries(ROLES).slice(0, 4)));
  });

  /** Gives no list for two of the turns, unless it is good. */
  const findsAllButTwo =
    (isGood: () => boolean): Handle =>
    (one, response) => {
      const isBad = rolesIn(one).every(({ subject }) => subject === 'Cleo' || subject === 'Eve');
      (isBad && !isGood() ? answer(WRONG) : findsRoles)(one, response);
    };

  test('that is no list leaves its turns to a later run', async () => {
    longTalk();
    let isGood = false;
    const { address, received } = await serve(ollamaRoutes(findsAllButTwo(() => isGood)));
    const stdout = await digested(address, ...SMALL);
    expect(stdout).toContain('2 failed (the answer had no list of facts, first in line 3)');
    expect(stdout).toContain('Some turns could not be read: the same command again tries them.');
    expect(Object.keys(facts() as object)).toEqual(['ada', 'ben', 'dan']);
    isGood = true;
    const count = promptsIn(received).length;
    expect(await digested(address, ...SMALL)).toContain('2 turns read, 3 digested before');
    expect(promptsIn(received).slice(count).join('\n')).not.toMatch(/Ada is|Ben is|Dan is/);
    expect(facts()).toEqual(ROLES);
    expect(await digested(address, ...SMALL)).toContain('Nothing is new');
  });

  test('of which none is a list is a failure', async () => {
    written('talk.jsonl', said('u1', 'Ada is the CTO.'));
    const { address } = await serve(ollamaRoutes(answer(WRONG)));
    expect(await failed(1, 'transcript', 'talk.jsonl', ...asks(address))).toContain(
      'the answer had no list of facts. Take another model, or --extract rules.',
    );
    expect(facts()).toBeUndefined();
  });

  test('of which none is a list does not keep --all from the other transcripts', async () => {
    const session = (name: string, text: string, minutes: number) => {
      const path = written(join(place.home, '.claude', 'projects', 'p', name), said(name, text));
      const time = Date.now() / 1000 - minutes * 60;
      utimesSync(path, time, time);
    };
    session('s1.jsonl', 'Ben is the CFO.', 30);
    session('s2.jsonl', 'Eve is the COO.', 20);
    session('s3.jsonl', 'Ada is the CTO.', 10);
    const { address } = await serve(
      ollamaRoutes((one, response) => {
        const isBad = rolesIn(one).some(({ subject }) => subject === 'Eve');
        (isBad ? answer(WRONG) : findsRoles)(one, response);
      }),
    );
    const { code, stdout, stderr } = await plimsoll('transcript', '--all', ...asks(address));
    expect(code).toBe(1);
    expect(stderr).toContain('the answer had no list of facts. Take another model, or --extract rules.');
    expect(stderr).toMatch(/plimsoll: 1 of 3 transcripts could not be read\.\n$/);
    expect(stdout).toContain('s3.jsonl');
    expect(facts()).toEqual({ ben: { role: 'CFO' }, ada: { role: 'CTO' } });
    const list = await printed('transcript', '--discover');
    expect(list.match(/s\d\.jsonl {2}\(digested/g)).toEqual(['s3.jsonl  (digested', 's1.jsonl  (digested']);
  });

  test('that is no list for some turns leaves a transcript digested in part', async () => {
    const session = join(place.home, '.claude', 'projects', 'p', 's1.jsonl');
    longTalk(session);
    let isGood = false;
    const { address } = await serve(ollamaRoutes(findsAllButTwo(() => isGood)));
    const digest = () => printed('transcript', session, ...asks(address, ...SMALL));
    await digest();
    expect(await printed('transcript', '--discover')).toMatch(/ {2}\(digested \S+, not all of it\)\n/);
    expect(JSON.parse(await printed('transcript', '--discover', '--json'))).toMatchObject([
      { digested: { isWhole: false } },
    ]);
    isGood = true;
    await digest();
    expect(await printed('transcript', '--discover')).toMatch(/ {2}\(digested \d{4}-\d\d-\d\d\)\n/);
  });
});

describe('a run that is broken off', () => {
  /** A server that answers so many prompts, and then does as it is told; later it answers all. */
  async function stopping(after: number, then: (response: ServerResponse) => void) {
    let isDone = false;
    let left = after;
    const server = await serve(
      ollamaRoutes((received, response) => {
        if (isDone || left-- > 0) findsRoles(received, response);
        else then(response);
      }),
    );
    return {
      ...server,
      goOn: () => {
        isDone = true;
      },
    };
  }

  /** The rest is asked for, and nothing twice. */
  async function goesOn(address: string, received: readonly Received[]): Promise<void> {
    expect(facts()).toBeUndefined();
    const before = promptsIn(received);
    await digested(address, ...SMALL);
    const after = promptsIn(received).slice(before.length);
    expect(after).toEqual(expect.arrayContaining(before.slice(-1)));
    expect(after).toHaveLength(NAMES.length - before.length + 1);
    expect(facts()).toEqual(ROLES);
    expect(allIn(place.data)).not.toContain('kept/');
  }

  test.skipIf(process.platform === 'win32').each([
    ['SIGINT', 130, 'plimsoll: interrupted\n'],
    ['SIGTERM', 143, 'plimsoll: interrupted\n'],
    ['SIGKILL', null, ''],
  ] as const)('by %s leaves memory as it was, and the next run goes on', async (signal, code, stderr) => {
    longTalk();
    let stop = () => {};
    const { address, received, goOn } = await stopping(2, (response) => {
      response.write(linesOf([part({ content: '{"facts":' })]), stop);
    });
    const { child, outcome } = started(['transcript', 'talk.jsonl', ...asks(address, ...SMALL)]);
    stop = () => child.kill(signal);
    expect(await outcome).toEqual({ code, stdout: '', stderr });
    goOn();
    await goesOn(address, received);
  });

  test('by the server that dies within an answer is told so, and the next run goes on', async () => {
    longTalk();
    const { address, received, goOn } = await stopping(3, (response) => {
      response.write(linesOf([part({ content: '{"facts":' })]), () => response.destroy());
    });
    const { stderr, ...rest } = await plimsoll('transcript', 'talk.jsonl', ...asks(address, ...SMALL));
    expect(rest).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^plimsoll: [^\n]+ ended the connection within an answer: [^\n]+\n$/);
    goOn();
    await goesOn(address, received);
  });
});
