import { readFile } from 'node:fs/promises';
import { addressOf } from '../bound/words.ts';
import { PlimsollError } from '../errors.ts';
import type { Limit } from '../measure/limit.ts';
import { ENVELOPE } from '../spool/envelope.ts';
import type { Spool } from '../spool/spool.ts';
import type { Kept, Part } from '../spool/types.ts';
import { PAGE_KEY, type PageFacts, rangeText, within } from './answer.ts';
import { keptBy } from './kept.ts';
import { readPage } from './page.ts';
import { goneError, mediaFacts, partOf, shortened } from './parts.ts';

/** How many results are listed as resources. */
const MOST_LISTED = 50;

const ADDRESS = /^plimsoll:\/\/spool\/([a-z2-7]+)\/([\w%-]+)(?:\?(.*))?$/;

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface ResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: { readonly [PAGE_KEY]: PageFacts };
}

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** In bytes; not known of a whole result that has other parts. */
  readonly size?: number;
}

/** The form of the addresses, as MCP lists it (RFC 6570). */
export function resourceTemplates() {
  return [
    {
      uriTemplate: 'plimsoll://spool/{handle}/{part}{?from,count}',
      name: 'plimsoll-spool',
      title: 'Cut results',
      description:
        'The whole of a result that was cut, or `count` of its characters from the character `from` on.',
    },
  ];
}

/** The parts of the newest results of the session. */
export async function listResources(spool: Pick<Spool, 'list'>): Promise<ResourceEntry[]> {
  const listed = await spool.list('session');
  return listed.slice(0, MOST_LISTED).flatMap(({ kept, origin }) =>
    kept.parts.map((part) => ({
      uri: addressOf(kept, part.name),
      name: `${kept.handle}/${part.name}`,
      description: `Part ${part.name} of a result of ${shortened(origin.name ?? origin.kind)}`,
      mimeType: typeOf(part),
      ...((part.name !== ENVELOPE || kept.parts.length === 1) && { size: part.bytes }),
    })),
  );
}

/**
 * Reads an address of the spool, with `?from=` and `count=` in characters, within the limit. Where less is given than
 * was asked for, a first line says so and has the address that reads on. A medium is given whole, or told of in words.
 * Throws `NOT_IN_SPOOL`, and `BAD_USAGE` for what is no such address.
 */
export async function readResource(
  spool: Pick<Spool, 'find'>,
  uri: string,
  limit: Limit,
): Promise<ResourceResult> {
  const { handle, part: name, from, count } = parseAddress(uri);
  const kept = await keptBy(spool, handle, 'It may have been deleted.');
  const part = partOf(kept, name);
  if (part.kind === 'media') return readMedium(uri, part, limit);
  return within(limit, (room) => readText(kept, part, { uri, from, count }, room));
}

interface Address {
  readonly handle: string;
  readonly part: string;
  readonly from: number | undefined;
  readonly count: number | undefined;
}

function parseAddress(uri: string): Address {
  const [, handle, part, query = ''] = ADDRESS.exec(uri) ?? [];
  const asked = new URLSearchParams(query);
  const [from, count] = ['from', 'count'].map((key) => asked.get(key) ?? undefined);
  const isNumber = (text: string | undefined) => text === undefined || /^\d{1,15}$/.test(text);
  if (handle === undefined || part === undefined || !isNumber(from) || !isNumber(count) || count === '0') {
    throw new PlimsollError(
      'BAD_USAGE',
      `Not an address of the spool: '${shortened(uri)}'. It looks like plimsoll://spool/HANDLE/PART?from=0&count=1000.`,
    );
  }
  return {
    handle,
    part,
    from: from === undefined ? from : Number(from),
    count: count === undefined ? count : Number(count),
  };
}

async function readText(
  kept: Kept,
  part: Part,
  { uri, from, count }: { uri: string; from: number | undefined; count: number | undefined },
  room: number,
): Promise<ResourceResult> {
  const page = await readPage(kept, { part: part.name, from, count }, room);
  const { text, unit, to, of, next, isCut } = page;
  const rest = count === undefined ? '' : `&count=${count - (to - page.from)}`;
  const address = `${addressOf(kept, part.name)}?from=${next}${rest}`;
  const head = isCut
    ? `[Plimsoll: characters ${rangeText(page.from, to)} of ${of}. Read on: ${address}]\n`
    : '';
  return {
    contents: [{ uri, mimeType: isCut ? 'text/plain' : typeOf(part), text: head + text }],
    _meta: { [PAGE_KEY]: { handle: kept.handle, part: part.name, unit, from: page.from, to, of, next } },
  };
}

async function readMedium(uri: string, part: Part, limit: Limit): Promise<ResourceResult> {
  const words = {
    contents: [{ uri, mimeType: 'text/plain', text: `${mediaFacts(part)} It has no room here.` }],
  };
  if ((part.bytes / 3) * 4 > limit.chars) return words;
  const blob = await readFile(part.path, 'base64').catch((error) => {
    throw goneError(part, error);
  });
  const whole = { contents: [{ uri, mimeType: typeOf(part), blob }] };
  return JSON.stringify(whole).length <= limit.chars ? whole : words;
}

function typeOf({ kind, mimeType }: Part): string {
  return (
    mimeType ?? { text: 'text/plain', json: 'application/json', media: 'application/octet-stream' }[kind]
  );
}
