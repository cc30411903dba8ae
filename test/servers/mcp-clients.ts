import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Json } from '../wrapped.ts';

/** A client of an official SDK, as tests use it. */
export interface Client {
  /** Gives the result, or what is said of the error: `{ error: { code, message, data } }`. */
  request(method: string, params?: Json, options?: RequestOptions): Promise<Json>;
  /** As `request`, but that the SDK looks into what comes: structured content must fit the tool's schema. */
  callTool(name: string, args?: Json): Promise<Json>;
  /** What the server has sent by itself: requests and notifications but progress, in order. */
  readonly events: readonly { method: string; params: Json }[];
  /** Settles when the server sends such a message, or has sent it. */
  event(method: string): Promise<Json>;
  capabilities(): Json;
  instructions(): string | undefined;
  setRoots(roots: readonly string[]): Promise<void>;
}

export interface RequestOptions {
  readonly onprogress?: (progress: Json) => void;
  readonly signal?: AbortSignal;
}

/** Where the server is. */
export type Server = Process | { readonly url: string };

export interface Process {
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
}

export interface Setting {
  /** Paths given as roots. */
  readonly roots?: readonly string[];
  readonly name?: string;
}

/** Connects with an SDK: its first version, its second, and that in the era of 2026-07-28. */
export type Connect = (server: Server, setting?: Setting) => Promise<Client>;

const SAMPLED = { role: 'assistant', content: { type: 'text', text: 'Sampled.' }, model: 'none' } as const;
const ELICITED = { action: 'accept', content: { name: 'Ada', check: true, ok: true, color: 'red' } } as const;
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: { listChanged: true } };

class Events {
  readonly all: { method: string; params: Json }[] = [];
  #wake: (() => void)[] = [];

  add(method: string, params: Json): void {
    this.all.push({ method, params });
    for (const wake of this.#wake.splice(0)) wake();
  }

  async find(method: string): Promise<Json> {
    for (;;) {
      const found = this.all.find((event) => event.method === method);
      if (found) return found.params;
      await new Promise<void>((wake) => this.#wake.push(wake));
    }
  }
}

/** What a client of either SDK has; their own types differ. */
interface SdkClient {
  callTool(params: Json): Promise<Json>;
  close(): Promise<void>;
  fallbackNotificationHandler?: Json;
  getInstructions(): string | undefined;
  getServerCapabilities(): Json;
  sendRootsListChanged(): Promise<void>;
}

const orError = (result: Promise<Json>): Promise<Json> =>
  result.catch(({ code, message, data }) => ({ error: { code, message, data } }));

/**
 * Makes a client of an SDK's: `handle` is how that SDK takes a handler of requests, `send` how it sends one.
 */
function clientOf(
  sdk: SdkClient,
  roots: readonly string[],
  handle: (method: string, handler: (request: Json) => Json) => void,
  send: (request: Json, options: RequestOptions) => Promise<Json>,
): Client {
  const events = new Events();
  let paths = roots;
  const answers: Record<string, () => Json> = {
    'sampling/createMessage': () => SAMPLED,
    'elicitation/create': () => ELICITED,
    'roots/list': () => ({ roots: paths.map((path) => ({ uri: `file://${path}`, name: 'root' })) }),
  };
  for (const [method, answer] of Object.entries(answers)) {
    handle(method, ({ params }) => {
      events.add(method, params);
      return answer();
    });
  }
  sdk.fallbackNotificationHandler = async ({ method, params }: Json) => events.add(method, params);
  onTestFinished(() => sdk.close());
  return {
    events: events.all,
    event: (method) => events.find(method),
    request: (method, params = {}, options = {}) => orError(send({ method, params }, options)),
    callTool: (name, args = {}) => orError(sdk.callTool({ name, arguments: args })),
    capabilities: () => sdk.getServerCapabilities(),
    instructions: () => sdk.getInstructions(),
    setRoots: async (given) => {
      paths = given;
      await sdk.sendRootsListChanged();
    },
  };
}

/** What a stdio transport of either SDK takes. */
const processOf = ({ command: [command = '', ...args], env }: Process): Json => ({
  command,
  args,
  env,
  stderr: 'ignore',
});

const SCHEMAS: Record<string, Json> = {
  'sampling/createMessage': CreateMessageRequestSchema,
  'elicitation/create': ElicitRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

export const connectV1: Connect = async (server, { roots = [], name = 'someone' } = {}) => {
  const sdk = new ClientV1({ name, version: '1' }, { capabilities: CAPABILITIES });
  const client = clientOf(
    sdk,
    roots,
    (method, handler) => sdk.setRequestHandler(SCHEMAS[method], handler),
    (request, options) => sdk.request(request, ResultSchema, options),
  );
  const transport = 'url' in server ? new HttpV1(new URL(server.url)) : new StdioV1(processOf(server));
  await sdk.connect(transport as Json);
  return client;
};

const connectV2As =
  (mode: VersionNegotiationMode): Connect =>
  async (server, { roots = [], name = 'someone' } = {}) => {
    const sdk = new ClientV2(
      { name, version: '1' },
      { capabilities: CAPABILITIES, versionNegotiation: { mode } },
    );
    const client = clientOf(
      sdk,
      roots,
      (method, handler) => sdk.setRequestHandler(method as Json, handler as Json),
      (request, options) => sdk.request(request, options),
    );
    const transport = 'url' in server ? new HttpV2(new URL(server.url)) : new StdioV2(processOf(server));
    await sdk.connect(transport as Json);
    return client;
  };

export const connectV2 = connectV2As('legacy');
export const connectModern = connectV2As({ pin: '2026-07-28' });
