#!/usr/bin/env node
// An MCP server without an SDK, over its standard streams. Its tools do what servers do, good and bad.
//
// Options: --no-tools, --no-capabilities, --stubborn (ends neither when stdin does nor at SIGTERM),
// --collide (has tools of the names that others may add), --pages (lists its tools on two pages), --exit N,
// --schemas (tells the schema of structured results).
import { createInterface } from 'node:readline';

const options = new Set(process.argv.slice(2));
const asked = new Map();
let questions = 0;

const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
const send = (message) => write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
const answer = (id, result) => send({ jsonrpc: '2.0', id, result });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const ask = (method, params) =>
  new Promise((resolve) => {
    questions += 1;
    // The other side's ids are its own: the first ones are likely to be the same.
    asked.set(questions, resolve);
    send({ jsonrpc: '2.0', id: questions, method, params });
  });

const item = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
  additionalProperties: false,
};
const schemas = {
  structured: {
    type: 'object',
    properties: { items: { type: 'array', items: item } },
    required: ['items'],
  },
  numbers: {
    type: 'object',
    properties: { values: { type: 'array', items: { type: 'number' } } },
    required: ['values'],
    additionalProperties: false,
  },
};

const tools = {
  echo: ({ text: value = '' }) => text(value),
  big: ({ chars, line = '' }) => {
    const unit = line === '' ? 'x' : `${line}\n`;
    return text(unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars));
  },
  environment: ({ name }) => text(process.env[name] ?? 'unset'),
  structured: ({ items }) => {
    const data = { items: Array.from({ length: items }, (_, id) => ({ id, name: `item ${id}` })) };
    return { ...text(JSON.stringify(data)), structuredContent: data };
  },
  progress: async ({ steps, pause = 0 }, { _meta }) => {
    for (let step = 1; step <= steps; step++) {
      const params = { progressToken: _meta?.progressToken, progress: step, total: steps };
      await send({ jsonrpc: '2.0', method: 'notifications/progress', params });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return text(`${steps} steps`);
  },
  ask: async ({ method, params }) => text(JSON.stringify(await ask(method, params))),
  change: async () => {
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    return text('changed');
  },
  slow: async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return text('slow');
  },
  exit: ({ code }) => process.exit(code),
  'kill-self': () => process.kill(process.pid, 'SIGKILL'),
  'die-mid-frame': async () => {
    await write('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"half of');
    process.exit(7);
  },
  flood: async ({ bytes }) => {
    const piece = `${'e'.repeat(1023)}\n`;
    for (let sent = 0; sent < bytes; sent += piece.length) process.stderr.write(piece);
    await new Promise((resolve) => process.stderr.write('', resolve));
    return text('flooded');
  },
  never: () => undefined,
  noise: async () => {
    await write('Listening on port 3000…\n\u001b[31mred\u001b[0m {"jsonrpc":\n');
    return text('noise');
  },
  numbers: ({ items }) => {
    const data = { values: Array.from({ length: items }, (_, id) => id) };
    return { ...text('The numbers are in the structured content.'), structuredContent: data };
  },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: options.has('--no-capabilities')
      ? {}
      : { ...(!options.has('--no-tools') && { tools: { listChanged: true } }), resources: {}, prompts: {} },
    serverInfo: { name: 'plain', version: '1.0.0' },
    instructions: 'Call the tools.',
  }),
  ping: () => ({}),
  'tools/list': ({ cursor }) => {
    const names = [...Object.keys(tools), ...(options.has('--collide') ? ['plimsoll_read'] : [])];
    const all = names.map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(options.has('--schemas') && schemas[name] && { outputSchema: schemas[name] }),
    }));
    if (!options.has('--pages')) return { tools: all };
    return cursor === 'two' ? { tools: all.slice(5) } : { tools: all.slice(0, 5), nextCursor: 'two' };
  },
  'tools/call': (params) => {
    const tool =
      tools[params.name] ?? ((args) => text(`server's own ${params.name} ${JSON.stringify(args)}`));
    return tool(params.arguments ?? {}, params);
  },
  'resources/list': () => ({ resources: [{ uri: 'mem://a', name: 'a' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'y'.repeat(300_000) }] }),
  'prompts/get': () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'z'.repeat(300_000) } }],
  }),
  'x/custom': (params) => ({ params, huge: 'w'.repeat(params?.chars ?? 0) }),
};

async function take(message) {
  if (Array.isArray(message)) {
    await send(
      await Promise.all(
        message.map(async ({ id, method, params }) => {
          return { jsonrpc: '2.0', id, result: await methods[method](params ?? {}) };
        }),
      ),
    );
    return;
  }
  const { id, method, params = {}, result } = message;
  if (method === undefined) return asked.get(id)?.(result ?? message.error);
  if (id === undefined) {
    process.stderr.write(`notified: ${method} ${JSON.stringify(params)}\n`);
    return;
  }
  const handler = methods[method];
  if (!handler) {
    return send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No such method', data: { method } } });
  }
  const outcome = await handler(params);
  if (outcome === undefined) return;
  await answer(id, outcome);
  if (params._meta?.twice) await answer(id, outcome);
}

const exit = process.argv.indexOf('--exit');
if (exit > 0) process.exit(Number(process.argv[exit + 1]));

if (options.has('--stubborn')) {
  process.on('SIGTERM', () => process.stderr.write('not at SIGTERM\n'));
  setInterval(() => {}, 1000);
}
for (const name of ['SIGINT', 'SIGHUP']) {
  process.on(name, () => {
    process.stderr.write(`got ${name}\n`);
    process.exit(0);
  });
}
process.stderr.write('plain server is ready\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  try {
    take(JSON.parse(line));
  } catch {
    send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
  }
});
