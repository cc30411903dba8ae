import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  inputRequired,
  inputResponse,
  type Tool as ListedTool,
  type ListRootsResult,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PlimsollError } from '../errors.ts';
import { failure } from '../read/answer.ts';
import { checkArguments } from '../read/arguments.ts';
import { cutHead, cutTail } from '../text/cut.ts';
import { visibleName } from '../text/visible.ts';
import { version } from '../version.ts';
import { complete } from './completion.ts';
import { progressOf } from './progress.ts';
import { PROMPTS, promptOf } from './prompts.ts';
import { listResources, mayBeOfFolder, readResource, TEMPLATES } from './resources.ts';
import type { Services } from './services.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Call, Tool } from './tools/tool.ts';
import { TOOLS } from './tools/tools.ts';

const INSTRUCTIONS =
  'Digests of repositories within a budget, and memory that outlives a conversation. Answers fit your limit; each says what it leaves out and which call reads on.';

const NAME = 'plimsoll';

/** The load line: a circle with a bar. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#08c" stroke-width="2"><circle cx="12" cy="12" r="7"/><path d="M1 12h22"/></svg>';
const ICONS = [{ src: `data:image/svg+xml;base64,${btoa(SVG)}`, mimeType: 'image/svg+xml', sizes: ['any'] }];
const ROOTS = 'roots';

/** How long a client may take to tell its folders, in milliseconds; then a call goes on without them. */
const ROOTS_TIMEOUT = 10_000;

/** Any result: a schema of roots would refuse all of them for one that is no file. */
const ANYTHING = {
  '~standard': { version: 1, vendor: NAME, validate: (value: unknown) => ({ value }) },
} as const;

/** The most of a failure that a model is told, in UTF-16 code units. */
const LONGEST_MESSAGE = 2000;

/** A server, and what its client wants to be told of. */
export interface OwnServer {
  readonly server: Server;
  readonly subscriptions: Subscriptions;
}

/** A server for one connection. Nothing of a job is loaded before a tool needs it. */
export function makeServer(services: Services): OwnServer {
  const server = new Server(
    { name: NAME, title: 'Plimsoll', version, icons: ICONS },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      instructions: INSTRUCTIONS,
    },
  );

  const callOf = (
    tool: string | undefined,
    context: ServerContext,
    roots: readonly string[] | undefined,
  ): Call => {
    const { name: client } = clientOf(server, context);
    return {
      limit: services.limitFor({ tool, client }),
      client,
      services,
      signal: context.mcpReq.signal,
      roots,
      progress: progressOf(context),
      warn: (message) => void context.mcpReq.log('warning', message, NAME).catch(() => {}),
    };
  };

  /** The client's folders; or, since 2026-07-28, that it has to tell them first. */
  const rootsFor = async (context: ServerContext, areWanted: boolean) => {
    const { inputResponses, envelope } = context.mcpReq;
    const asks = areWanted && inputResponses === undefined && clientOf(server, context).hasRoots;
    if (!asks) return { roots: rootsIn(context) };
    if (envelope === undefined) return { roots: await askedRoots(context) };
    return { required: inputRequired({ inputRequests: { [ROOTS]: { method: 'roots/list' } } }) };
  };

  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.map(({ run: _, asksForRoots: __, ...listed }) => listed as object as ListedTool),
  }));

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    const { roots, required } = await rootsFor(context, wantsRoots(tool, params.arguments));
    if (required) return required;
    const call = callOf(params.name, context, roots);
    return named(context, await answer(tool, params, call)) as CallToolResult;
  });

  server.setRequestHandler('resources/list', async () => ({
    resources: await listResources(services.memory(undefined)),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const { roots, required } = await rootsFor(context, mayBeOfFolder(uri));
    return required ?? named(context, await readResource(uri, callOf(undefined, context, roots)));
  });

  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
  server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments));
  server.setRequestHandler('completion/complete', ({ params }) => complete(services, params));

  const subscriptions = new Subscriptions(services, (uri) => {
    server.sendResourceUpdated({ uri }).catch(() => {});
  });
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await subscriptions.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.remove(uri);
    return {};
  });
  server.onclose = () => subscriptions.close();
  return { server, subscriptions };
}

/** A result with the server's name, which since 2026-07-28 is in every one; what is bounded has no room for icons. */
function named<Result extends object>({ mcpReq: { envelope } }: ServerContext, result: Result): Result {
  if (envelope === undefined) return result;
  const { _meta } = result as { readonly _meta?: object };
  return { ...result, _meta: { ..._meta, [SERVER_INFO_META_KEY]: { name: NAME, version } } };
}

function wantsRoots(tool: Tool | undefined, args: unknown): boolean {
  const asks = tool?.asksForRoots ?? false;
  return typeof asks === 'function' ? asks((args ?? {}) as Readonly<Record<string, unknown>>) : asks;
}

async function answer(
  tool: Tool | undefined,
  { name, arguments: given }: { readonly name: string; readonly arguments?: unknown },
  call: Call,
) {
  try {
    if (!tool) {
      const known = TOOLS.map((one) => one.name).join(', ');
      throw new PlimsollError('BAD_USAGE', `There is no tool '${visibleName(name)}'. There are ${known}.`);
    }
    return await tool.run(checkArguments(name, tool.inputSchema, given), call);
  } catch (error) {
    return failure(withoutMiddle(messageOf(error, call)), call.limit);
  }
}

/** A message may name what was asked for, however long that is: its start says what is wrong, its end what to do. */
function withoutMiddle(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const half = LONGEST_MESSAGE / 2 - 1;
  return `${cutHead(message, half)}…${cutTail(message, half)}`;
}

/** What a model is told of a failure; of one that is our fault the user is told where it is. */
function messageOf(error: unknown, { services }: Call): string {
  if (error instanceof PlimsollError) return error.message;
  const { message, stack = '' } = error as Error;
  services.settings.log(`a tool failed: ${stack.replaceAll('\n', ' ')}`);
  return `This failed for a reason that Plimsoll doesn't know: ${visibleName(message)}`;
}

/** What a client says of itself: in its handshake, or since 2026-07-28 with every request. */
function clientOf(server: Server, { mcpReq: { envelope } }: ServerContext) {
  const told = envelope as Record<string, unknown> | undefined;
  const info = (told?.[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  const capabilities =
    (told?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities();
  return { name: info?.name, hasRoots: capabilities?.roots !== undefined };
}

/** The client's folders on this machine, as far as it told them. */
function rootsIn({ mcpReq: { inputResponses } }: ServerContext): readonly string[] | undefined {
  const response = inputResponse(inputResponses, ROOTS);
  return response.kind === 'roots' ? foldersIn(response.roots) : undefined;
}

/** As {@link rootsIn}, of a client of before 2026-07-28, which is asked while the call goes on; it may fail to answer. */
async function askedRoots({ mcpReq }: ServerContext): Promise<readonly string[] | undefined> {
  try {
    const { signal } = mcpReq;
    const asked = mcpReq.send({ method: 'roots/list' }, ANYTHING, { signal, timeout: ROOTS_TIMEOUT });
    return foldersIn(((await asked) as ListRootsResult).roots);
  } catch {
    return undefined;
  }
}

function foldersIn(roots: ListRootsResult['roots']): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return [];
    }
  });
}
