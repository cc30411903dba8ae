import { fileWords } from '../bound/words.ts';
import { PlimsollError } from '../errors.ts';
import type { Limit } from '../measure/limit.ts';
import { ENVELOPE } from '../spool/envelope.ts';
import type { Spool } from '../spool/spool.ts';
import type { Kept, Part } from '../spool/types.ts';
import { failure, page, rangeText, type ToolResult, within } from './answer.ts';
import { type ArgumentsSchema, checkArguments } from './arguments.ts';
import { keptBy } from './kept.ts';
import { type ListAsked, listKept } from './list.ts';
import { nextPart } from './next-part.ts';
import { firstOf, type Page, type PageAsked, readPage } from './page.ts';
import { mediaFacts, ownParts, partOf, shortened } from './parts.ts';
import { MOST_CONTEXT, type SearchAsked, searchPart } from './search.ts';
import { type Rest, type SelectAsked, type Selected, selectIn } from './select.ts';

export { PAGE_KEY, type PageFacts, type ToolResult } from './answer.ts';
export { listResources, readResource, resourceTemplates } from './resources.ts';

export type ReaderName = 'plimsoll_read' | 'plimsoll_search' | 'plimsoll_select' | 'plimsoll_list';

/** A tool as MCP lists it. */
export interface ReaderTool {
  readonly name: ReaderName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
}

const HANDLE = { type: 'string', description: 'As the notice of a cut result names it.' } as const;
const PART = {
  type: 'string',
  description:
    'A part of the result, as the notice names it; the first one if left out. The part result is all of it, as JSON.',
} as const;
const FROM = { type: 'integer', minimum: 0 } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The tools that read what was cut out of results. */
export const READER_TOOLS: readonly ReaderTool[] = [
  {
    name: 'plimsoll_read',
    title: 'Read on in a cut result',
    description:
      'Reads what was left out of a tool result, a page at a time. Each page says where the next one starts. To find something in a large result, plimsoll_search takes fewer calls; in JSON, plimsoll_select.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: HANDLE,
        part: PART,
        unit: {
          type: 'string',
          enum: ['chars', 'bytes', 'lines'],
          description:
            'What from and count are in: chars (UTF-16, from 0) if left out, bytes (from 0), lines (from 1).',
        },
        from: { ...FROM, description: 'Where to start; the start if left out.' },
        count: { ...COUNT, description: 'At most so much; as much as fits if left out.' },
      },
      required: ['handle'],
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: 'plimsoll_search',
    title: 'Search a cut result',
    description:
      'Searches the whole of a tool result that was cut, and shows the matching lines with their line numbers, their character offsets (for plimsoll_read) and the lines around them.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: HANDLE,
        part: PART,
        pattern: {
          type: 'string',
          description:
            'Plain text, unless regex is true. JSON is searched as it reads, with its escapes resolved.',
        },
        regex: {
          type: 'boolean',
          description: "Whether the pattern is a regular expression in RE2's syntax.",
        },
        ignoreCase: { type: 'boolean' },
        context: {
          type: 'integer',
          minimum: 0,
          maximum: MOST_CONTEXT,
          description: 'Lines before and after; 2 if left out.',
        },
        from: { ...FROM, description: 'The character to start at.' },
        most: { ...COUNT, maximum: 1000, description: 'At most so many places; 100 if left out.' },
      },
      required: ['handle', 'pattern'],
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: 'plimsoll_select',
    title: 'Select from cut JSON',
    description:
      'Takes one value, items of a list or entries of an object out of JSON that was cut, however large it is. Lists, objects and long texts come in pages.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: HANDLE,
        path: {
          type: 'string',
          description:
            'A JSON pointer (/items/3/name) or a path: .items[3].name, .items[-1], .items[10:20], .items[].name, .items | length, .a | keys; "." is all.',
        },
        part: {
          type: 'string',
          description:
            'A part that is JSON. If left out, the first such part, or for paths that start with content or structuredContent, and for "." of several parts, the whole result.',
        },
        from: {
          ...FROM,
          description: 'The first item of a list, entry of an object, or character of a text, from 0.',
        },
        count: { ...COUNT, description: 'At most so many; as many as fit if left out.' },
      },
      required: ['handle', 'path'],
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: 'plimsoll_list',
    title: 'List cut results',
    description:
      'Lists the results of this session that were cut and are kept whole, newest first, with their handles.',
    inputSchema: {
      type: 'object',
      properties: { from: FROM, count: COUNT },
      additionalProperties: false,
    },
    annotations,
  },
];

/** A call that takes more characters, or more than such a share of the limit, is not written out. */
const LONGEST_CALL = 400;
const CALL_SHARE = 1 / 8;

/** How many parts are named beside the one that is shown. */
const MOST_NAMED = 8;

/** The most that is repeated of a path that was asked for, in characters. */
const LONGEST_PATH = 40;

/** How the tools are seen by the client. */
export interface ReaderView {
  /** What stands behind the names of the tools there. */
  readonly suffix?: string | undefined;
  /** Whether paths are told: to clients on this machine. */
  readonly paths?: boolean | undefined;
  /** Whether a client elsewhere reads what is kept as resources. */
  readonly resources?: boolean | undefined;
  /** Whether what is kept may be listed. */
  readonly lists?: boolean | undefined;
}

/**
 * Answers a call of one of the tools, within the limit; nothing of the answer is kept. Whatever is asked wrongly, and a
 * handle that has expired, is an answer with `isError`.
 */
export async function callReader(
  spool: Pick<Spool, 'find' | 'list'>,
  name: string,
  args: unknown,
  limit: Limit,
  { suffix = '', paths = true, resources = true, lists = true }: ReaderView = {},
): Promise<ToolResult> {
  const tool = READER_TOOLS.find((other) => other.name === name);
  try {
    if (!tool) throw new PlimsollError('BAD_USAGE', `There is no tool '${shortened(name)}'.`);
    const asked = checkArguments(`${tool.name}${suffix}`, tool.inputSchema, args);
    const reader = new Reader(spool, limit, { suffix, paths, resources, lists });
    return await reader.answer(tool.name, asked);
  } catch (error) {
    if (error instanceof PlimsollError) return failure(error.message, limit);
    throw error;
  }
}

/** Answers calls within a limit. */
class Reader {
  readonly #spool: Pick<Spool, 'find' | 'list'>;
  readonly #limit: Limit;
  readonly #view: Required<ReaderView>;

  constructor(spool: Pick<Spool, 'find' | 'list'>, limit: Limit, view: Required<ReaderView>) {
    this.#spool = spool;
    this.#limit = limit;
    this.#view = view;
  }

  async answer(name: ReaderName, asked: Record<string, unknown>): Promise<ToolResult> {
    if (name === 'plimsoll_list') return within(this.#limit, (room) => this.#list(asked, room));
    const hint = this.#view.lists
      ? `${this.#nameOf('plimsoll_list')} tells what there is.`
      : 'It may have been deleted.';
    const kept = await keptBy(this.#spool, String(asked.handle), hint);
    switch (name) {
      case 'plimsoll_read':
        return this.#read(kept, asked);
      case 'plimsoll_search':
        return within(this.#limit, (room) => this.#search(kept, asked as unknown as SearchAsked, room));
      case 'plimsoll_select':
        return within(this.#limit, (room) => this.#select(kept, asked as unknown as SelectAsked, room));
    }
  }

  async #list(asked: ListAsked, room: number): Promise<ToolResult> {
    const { text, ...range } = await listKept(this.#spool, asked, room);
    const { from, to, of, next } = range;
    const head =
      of === 0
        ? 'No result of this session is kept: none was cut, or those that were have expired or could not be kept.'
        : `Results ${rangeText(from, to)} of ${of}, the newest first.${this.#goOn('plimsoll_list', asked, next)}`;
    return page(head, text, { unit: 'results', ...range });
  }

  async #read(kept: Kept, asked: PageAsked): Promise<ToolResult> {
    const part = partOf(kept, asked.part);
    const following = await nextPart(kept, part);
    if (part.kind === 'media')
      return this.#tellOf(part, kept, this.#goToPart('plimsoll_read', asked, following));
    return within(this.#limit, async (room) => {
      const shown = await readPage(kept, asked, room);
      const { unit, from, to, of, next, nextChars } = shown;
      const on =
        nextChars === undefined
          ? this.#goOn('plimsoll_read', asked, next, following)
          : ` Line ${to - 1} goes on: ${this.#call('plimsoll_read', { ...asked, unit: 'chars', count: undefined }, { from: nextChars })}`;
      const head = `${rangeOf(shown, asked.from)} of part ${part.name}${othersOf(kept, part)}.${on}`;
      return page(head, shown.text, {
        handle: kept.handle,
        part: part.name,
        unit,
        from,
        to,
        of,
        next: next ?? nextChars,
      });
    });
  }

  #tellOf(part: Part, kept: Kept, on: string): ToolResult {
    const where = fileWords(part, kept, this.#view);
    const facts = { unit: 'bytes', from: 0, to: 0, of: part.bytes };
    return page(`${mediaFacts(part)} It is kept at ${where}${on && `.${on}`}`, '', {
      handle: kept.handle,
      part: part.name,
      ...facts,
    });
  }

  async #search(kept: Kept, asked: SearchAsked, room: number): Promise<ToolResult> {
    const found = await searchPart(kept, asked, room);
    const { part, matches, from, to, of, next, isOutOfTime } = found;
    const where = `in characters ${rangeText(from, to)} of ${of} of part ${part}`;
    const what =
      matches === 0
        ? `No match ${where}.`
        : `${matches} ${matches === 1 ? 'match' : 'matches'} ${where}, shown as LINE @CHARACTER: TEXT.`;
    const late = isOutOfTime ? ' The search took too long and is not finished.' : '';
    const following = await nextPart(kept, partOf(kept, part));
    const head = what + late + this.#goOn('plimsoll_search', asked, next, following);
    return page(head, found.text, { handle: kept.handle, part, unit: 'chars', from, to, of, next });
  }

  async #select(kept: Kept, asked: SelectAsked, room: number): Promise<ToolResult> {
    const selected = await selectIn(kept, asked, room);
    const { part, unit, from, to, of, next, rest } = selected;
    const more = rest ? ` Shortened to fit; the rest of it: ${this.#restCall(kept, rest)}.` : '';
    const on = unit === 'value' ? '' : this.#goOn('plimsoll_select', asked, next);
    const head = `${selectionOf(selected)}.${more}${on}`;
    return page(head, selected.text, { handle: kept.handle, part, unit, from, to, of, next });
  }

  #restCall({ handle }: Kept, { part, path, from, start }: Rest): string {
    const reading = `${this.#nameOf('plimsoll_read')} ${JSON.stringify({ handle, part, from: start })}`;
    if (path === undefined) return reading;
    const call = `${this.#nameOf('plimsoll_select')} ${JSON.stringify({ handle, part, path, from })}`;
    return call.length <= this.#longestCall ? call : reading;
  }

  /** How to go on in the same part, or with the part that follows. */
  #goOn(name: ReaderName, asked: object, next: number | undefined, following?: string): string {
    if (next !== undefined) return ` Go on: ${this.#call(name, asked, { from: next })}`;
    return this.#goToPart(name, asked, following) || ' There is no more.';
  }

  #goToPart(name: ReaderName, asked: PageAsked, following: string | undefined): string {
    if (following === undefined) return '';
    const what = following === ENVELOPE ? 'the whole result, as JSON' : `part ${following}`;
    const start = { part: following, from: firstOf(asked.unit ?? 'chars') };
    return ` There is no more of it. Next is ${what}: ${this.#call(name, asked, start)}`;
  }

  /** The call with some changes; only these where there is much of it. */
  #call(name: ReaderName, asked: object, changes: object): string {
    const call = `${this.#nameOf(name)} ${JSON.stringify({ ...asked, ...changes })}`;
    return call.length <= this.#longestCall
      ? call
      : `the same call with ${JSON.stringify(changes).slice(1, -1)}`;
  }

  get #longestCall(): number {
    const { chars, bytes = chars, tokens = chars } = this.#limit;
    return Math.min(LONGEST_CALL, Math.floor(Math.min(chars, bytes, tokens) * CALL_SHARE));
  }

  #nameOf(name: ReaderName): string {
    return `${name}${this.#view.suffix}`;
  }
}

function rangeOf({ unit, from, to, of }: Page, asked = firstOf(unit)): string {
  const moved = from === asked ? '' : `, moved to where a ${unit === 'lines' ? 'line' : 'character'} starts`;
  return `${NOUNS[unit]} ${rangeText(from, to)} of ${of}${moved}`;
}

/** The names of all parts, if there are several. */
function othersOf(kept: Kept, { name }: Part): string {
  const names = ownParts(kept).map((part) => part.name);
  if (names.length < 2 || name === ENVELOPE) return '';
  const more = names.length > MOST_NAMED ? `, … ${names.at(-1)}` : '';
  return ` (of the parts ${names.slice(0, MOST_NAMED).join(', ')}${more})`;
}

const NOUNS = {
  chars: 'Characters',
  bytes: 'Bytes',
  lines: 'Lines',
  items: 'Items',
  entries: 'Entries',
} as const;

function selectionOf({ part, path, unit, from, to, of }: Selected): string {
  const where = `${shortened(path, LONGEST_PATH)} of part ${part}`;
  return unit === 'value'
    ? `The value ${where}`
    : `${NOUNS[unit]} ${rangeText(from, to)} of ${of} of ${where}`;
}
