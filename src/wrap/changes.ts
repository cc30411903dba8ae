import type { Held } from '../json/held.ts';
import { LEAST_LIMIT } from '../measure/limit.ts';
import { type Asked, boundAnswer, type How } from './answer.ts';
import { leastOf } from './bounding.ts';
import type { Audience, Catalog } from './catalog.ts';
import { frameOf } from './frame.ts';
import type { Inquiry } from './inquiry.ts';
import type { Jobs } from './jobs.ts';
import { isComplete, memberOf, pathToTask, type TaskNotice, taskMadeBy } from './kinds.ts';
import { paramsOf } from './params.ts';
import { bytesOf, type Edit, edited, type Place, placesIn } from './places.ts';
import type { Terms } from './policy.ts';
import { answerTo, fieldOf, isId, isTaskNotice, type Purpose, type Requests, textOf } from './requests.ts';
import { Slots } from './slots.ts';
import type { Recorder } from './stats/record.ts';
import type { Frame } from './types.ts';

/** Gives the whole message as it is to be sent instead; undefined if it may pass as it came. */
export type Change = () => Promise<Buffer | undefined>;

export interface ChangesOptions {
  readonly requests: Requests;
  readonly catalog: Catalog;
  readonly terms: Terms;
  /** Where calls are written down, if they are. */
  readonly recorder?: Pick<Recorder, 'answered' | 'met' | 'read'> | undefined;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** How many large results are worked on at a time. */
const LARGE_AT_A_TIME = 2;

/** A list or a handshake larger than this passes as it is, in bytes. */
export const LARGEST_LIST = 16 * 1024 * 1024;

/** A result of no request that is known is bounded as a tool's: a client may show it all the same. */
const STRAY: Purpose = {
  asked: { method: 'tools/call' },
  client: undefined,
  version: undefined,
  meta: undefined,
};

/** Longer texts of what can't be bounded are left out, in characters. */
const LONG = 200;

/**
 * Knows how messages of the server are changed before the client gets them: what a model reads is bounded, and lists
 * and handshakes tell of what the proxy adds.
 */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #inquiry: Inquiry;
  readonly #jobs: Jobs;
  readonly #large = new Slots(LARGE_AT_A_TIME);

  /** Changes are made within `jobs`; `inquiry` asks the server for tools that the client hasn't listed. */
  constructor(options: ChangesOptions, inquiry: Inquiry, jobs: Jobs) {
    this.#options = options;
    this.#inquiry = inquiry;
    this.#jobs = jobs;
  }

  /** How a message is changed, if it may have to be. Of an answer, the request doesn't wait any longer. */
  changeOf(frame: Frame): Change | undefined {
    if (Array.isArray(frame.message)) return this.#changeOfBatch(frame);
    if (isTaskNotice(frame)) return this.#changeOfNotice(frame);
    return this.#changeOfAnswer(frame);
  }

  /** A batch, as in 2025-03-26: each answer in it is changed as it would be alone. */
  #changeOfBatch(frame: Frame): Change | undefined {
    const json = frame.bytes() as Buffer;
    const changes: { place: Place; change: Change }[] = [];
    for (const place of placesIn(json, (path) => path.length === 1)) {
      const change = this.#changeOfAnswer(frameOf(json.subarray(place.from, place.to)));
      if (change) changes.push({ place, change });
    }
    if (changes.length === 0) return undefined;
    return async () => {
      const edits: Edit[] = [];
      for (const change of changes) edits.push(await editOf(change));
      return edited(json, edits);
    };
  }

  /** What is told of a task may have its result within. */
  #changeOfNotice(frame: Frame & { readonly method: TaskNotice }): Change | undefined {
    const { requests } = this.#options;
    const params = fieldOf(frame.message, 'params');
    const isLarge = frame.message === undefined;
    if (!isLarge && frame.size <= LEAST_LIMIT && fieldOf(params, 'result') === undefined) return undefined;
    return async () => {
      const told = isLarge ? await paramsOf(frame).catch(() => undefined) : params;
      return await this.#bound(frame, requests.noticed(frame.method, told));
    };
  }

  #changeOfAnswer(frame: Frame): Change | undefined {
    const { catalog, requests, terms, recorder } = this.#options;
    const { id, answers } = frame;
    if (answers === undefined) return undefined;
    const request = isId(id) ? requests.answered(id) : undefined;
    if (!request) {
      const isLarge = answers === 'result' && frame.size > LEAST_LIMIT;
      return isLarge ? () => this.#bound(frame, STRAY) : undefined;
    }
    const { method, asked } = request;
    const result = fieldOf(frame.message, 'result') as Held | undefined;
    if (method === 'initialize') requests.met({ version: textOf(memberOf(result, 'protocolVersion')) });
    if (method === 'initialize' || method === 'server/discover') {
      recorder?.met(memberOf(memberOf(result, 'serverInfo'), 'name'));
    }
    if (answers === 'result' && catalog.edits(method)) {
      return () => this.#edit(frame, method, terms.audience(requests.readerOf(request)));
    }
    if (!asked || this.#passesAtOnce(frame, asked, result)) return undefined;
    return () => this.#bound(frame, request);
  }

  /** Whether an answer passes, as can be seen at once: it has no complete result, and else nothing that is long. */
  #passesAtOnce(frame: Frame, asked: Asked, result: Held | undefined): boolean {
    if (frame.message === undefined) return false;
    const task = asked.method === 'tools/call' ? taskMadeBy(result) : undefined;
    if (task !== undefined) this.#options.requests.becameTask(asked, task);
    const isShort = frame.size <= LEAST_LIMIT;
    if (frame.answers === 'error' || task !== undefined) return isShort;
    if (pathToTask(asked.method)) return isShort && memberOf(result, 'result') === undefined;
    return !isComplete(result);
  }

  async #bound(frame: Frame, purpose: Purpose): Promise<Buffer | undefined> {
    const { requests, terms, recorder } = this.#options;
    const { asked } = purpose;
    if (!asked) return undefined;
    const how = terms.how(asked, requests.readerOf(purpose));
    const work = () =>
      boundAnswer(frame, asked, how, {
        findSchema: () => this.#schemaOf(asked.name, purpose),
        becameTask: (task) => requests.becameTask(asked, task),
      }).catch((error: Error) => this.#unbounded(frame, how, error));
    const bounded = await (frame.message === undefined ? this.#large.use(work) : work());
    if (bounded || frame.answers !== 'error') recorder?.answered(asked, frame.size, bounded);
    return bounded;
  }

  /** The schema that the client has for a tool's results: the server is asked, if the client may have it from before. */
  async #schemaOf(tool: string | undefined, purpose: Purpose): Promise<unknown> {
    const { catalog, requests, terms } = this.#options;
    if (tool !== undefined && !catalog.isTold(tool)) {
      const audience = terms.audience(requests.readerOf(purpose));
      await this.#jobs.wait(this.#inquiry.ask(purpose.meta, (result) => catalog.learn(result, audience)));
    }
    return catalog.outputSchemaOf(tool);
  }

  /** What stands for what couldn't be bounded: itself if it's small, else an error. */
  async #unbounded(frame: Frame, how: How, error: Error): Promise<Buffer | undefined> {
    this.#options.log(`a result could not be bounded: ${error.message}`);
    if (frame.size <= leastOf(how.limit)) return undefined;
    const message = `Plimsoll could not bound the result: ${error.message}`;
    if (isTaskNotice(frame)) return await noticeOf(frame, message);
    return refusalOf(frame, message);
  }

  async #edit(frame: Frame, method: string, audience: Audience): Promise<Buffer | undefined> {
    if (frame.size > LARGEST_LIST) return undefined;
    const json = await bytesOf(frame);
    const message = frame.message ?? JSON.parse(json.toString());
    try {
      return (await this.#options.catalog.edit(method, json, message, audience)) ?? json;
    } catch (error) {
      this.#options.log(`what ${method} told passes as it is: ${(error as Error).message}`);
      return json;
    }
  }
}

async function editOf({ place, change }: { place: Place; change: Change }): Promise<Edit> {
  const { from, to } = place;
  const bytes = await change();
  return bytes ? { from, to, text: bytes.toString() } : { from, to: from, text: '' };
}

/** What stands for an answer. Without an id that can be told it has the id null, as JSON-RPC 2.0 has it. */
function refusalOf({ id, idText }: Frame, message: string): Buffer {
  const named = isId(id) ? { id, idText } : { id: '', idText: 'null' };
  return answerTo(named, { error: { code: -32603, message } }).bytes;
}

/** What stands for what is told of a task that can't be: all that is short in it, and an error as of the tool. */
async function noticeOf(frame: Frame, text: string): Promise<Buffer> {
  const params = await paramsOf(frame).catch(() => undefined);
  const _meta = shortIn(fieldOf(params, '_meta'));
  const result = { content: [{ type: 'text', text }], isError: true };
  const told = { ...shortIn(params), _meta, result };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: frame.method, params: told }));
}

function shortIn(value: unknown): object {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(
      ([, item]) => item === null || (typeof item !== 'object' && String(item).length <= LONG),
    ),
  );
}
