import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { PlimsollError } from '../errors.ts';
import type { Memory } from '../memory/memory.ts';
import { within } from '../read/answer.ts';
import { mayBeFolder } from './tools/parameters.ts';
import { type Call, LEAST_ROOM } from './tools/tool.ts';

const CONTEXT = 'plimsoll://context/';
const DIGEST = 'plimsoll://digest/';
const DIARY = 'plimsoll://diary/latest';

/** How many entries of the diary are the latest ones. */
const LATEST = 10;

/** How many sections and facts at the top of memory are listed as resources. */
const MOST_LISTED = 100;

const TEXT = 'text/plain';

export const CONTEXT_TEMPLATE = `${CONTEXT}{key}`;
export const DIGEST_TEMPLATE = `${DIGEST}{repo}`;

/** The forms of addresses whose resources aren't all listed (RFC 6570). */
export const TEMPLATES = [
  {
    uriTemplate: CONTEXT_TEMPLATE,
    name: 'context',
    title: 'Facts in memory',
    description: 'A fact or a section of memory, such as people.maria.',
    mimeType: TEXT,
  },
  {
    uriTemplate: DIGEST_TEMPLATE,
    name: 'digest',
    title: 'Digest of a repository',
    description: 'A repository, such as owner/repo, as one document.',
    mimeType: 'text/markdown',
  },
];

/** The resources that there are: memory as a whole, what is at its top, the latest of the diary. */
export async function listResources(memory: Memory) {
  const keys = await topKeys(memory).catch(() => []);
  return [
    {
      uri: CONTEXT,
      name: 'context',
      title: 'Memory',
      description: 'All facts that are remembered, or their outline.',
      mimeType: TEXT,
    },
    {
      uri: DIARY,
      name: 'diary/latest',
      title: 'Diary',
      description: `The latest ${LATEST} entries of the diary.`,
      mimeType: TEXT,
    },
    ...keys.map((key) => ({
      uri: contextAddress(key),
      name: `context/${key}`,
      title: key,
      description: `What memory has at ${key}.`,
      mimeType: TEXT,
    })),
  ];
}

/**
 * A resource's text within a limit. Throws the errors of MCP: that there is no such resource, or that the file behind it
 * can't be read.
 */
export async function readResource(uri: string, call: Call) {
  const repo = decodedBehind(DIGEST, uri);
  if (repo) {
    const { digestText } = await import('./digests.ts');
    const text = await digestText(call, repo).catch(rethrown);
    return { contents: [{ uri, mimeType: 'text/markdown', text }] };
  }
  const { services, client, limit } = call;
  const answer = await answerFor(services.memory(client), uri).catch(rethrown);
  if (!answer) throw new ResourceNotFoundError(uri);
  return within(limit, (room) => ({
    contents: [{ uri, mimeType: TEXT, text: answer(Math.max(LEAST_ROOM, room)) }],
  }));
}

/** Whether an address may be that of the digest of a folder here, which the client's folders may hold. */
export function mayBeOfFolder(uri: string): boolean {
  return mayBeFolder({ repo: decodedBehind(DIGEST, uri) });
}

/** What a resource holds, as one text that is another one as soon as it changes; undefined if there is no such resource. */
export async function stateOf(memory: Memory, uri: string): Promise<string | undefined> {
  const key = keyOf(uri);
  if (uri === DIARY) return JSON.stringify(await memory.readDiary({ last: LATEST }));
  if (key === undefined) return undefined;
  return JSON.stringify(await memory.read(key === '' ? undefined : key));
}

/** The address of a fact or a section. */
function contextAddress(key: string): string {
  return CONTEXT + encodeURIComponent(key);
}

async function answerFor(memory: Memory, uri: string): Promise<((room: number) => string) | undefined> {
  const { diaryAnswer, readAnswer } = await import('../memory/answers/answers.ts');
  if (uri === DIARY) {
    const entries = await memory.readDiary({ last: LATEST });
    return (limit) => diaryAnswer(memory.where().places, entries, { limit });
  }
  const key = keyOf(uri);
  if (key === undefined || (key !== '' && !(await memory.get(key)))) return undefined;
  const sources = await memory.documents();
  return (limit) => readAnswer(sources, { prefix: key, limit });
}

/** The key in an address; undefined if it is none of a fact. */
function keyOf(uri: string): string | undefined {
  return decodedBehind(CONTEXT, uri);
}

/** What an address has behind its start, decoded; undefined if it starts otherwise or can't be decoded. */
function decodedBehind(start: string, uri: string): string | undefined {
  if (!uri.startsWith(start)) return undefined;
  try {
    return decodeURIComponent(uri.slice(start.length));
  } catch {
    return undefined;
  }
}

async function topKeys(memory: Memory): Promise<string[]> {
  const { writeKey } = await import('../memory/context/keys.ts');
  const keys = new Set<string>();
  for (const { document } of await memory.documents()) {
    for (const { path } of document.facts()) {
      if (keys.size < MOST_LISTED) keys.add(writeKey(path.slice(0, 1)));
    }
  }
  return [...keys];
}

function rethrown(error: unknown): never {
  if (error instanceof PlimsollError) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  throw error;
}
