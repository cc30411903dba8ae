import { setTimeout as delay } from 'node:timers/promises';
import type { TakenIn } from '../bound/intake.ts';
import { type Entry, type Held, LongObject } from '../json/held.ts';
import type { Limit } from '../measure/limit.ts';
import { visibleName } from '../text/visible.ts';
import { type Asked, boundAnswer, type How } from './answer.ts';
import type { Audience, Catalog } from './catalog.ts';
import type { Desk } from './desk.ts';
import { frameOf } from './frame.ts';
import { Inquiry } from './inquiry.ts';
import { Jobs } from './jobs.ts';
import { paramsOf } from './params.ts';
import { type Edit, edited, type Place, placesIn } from './places.ts';
import {
  fieldOf,
  isId,
  isRequest,
  isTaskNotice,
  type Message,
  messageOf,
  type Named,
  type Purpose,
  type Reader,
  type Request,
  type Requests,
  readerIn,
  TASK_NOTICE,
  textOf,
} from './requests.ts';
import { Slots } from './slots.ts';
import type { Recorder } from './stats/record.ts';
import type { Frame, Id, Outgoing, Peer } from './types.ts';

/** What holds for whom. */
export interface Terms {
  how(asked: Asked, reader: Reader): How;
  audience(reader: Reader): Audience;
  /** What an answer of our own may take, of a tool of ours or of a resource. */
  ownLimit(tool: string | undefined, reader: Reader): Limit;
}

export interface RelayOptions {
  readonly requests: Requests;
  readonly catalog: Catalog;
  readonly desk: Desk;
  readonly terms: Terms;
  /** Where calls are written down, if they are. */
  readonly recorder?: Pick<Recorder, 'answered' | 'met' | 'read'> | undefined;
  /** What the server is called where it is said that it's gone. */
  readonly server: string;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** Which side went first, and why. */
export interface Ending {
  readonly by: 'client' | 'server';
  readonly reason: string;
}

/** How many large results are worked on at a time. */
const LARGE_AT_A_TIME = 2;

/** How many answers may be at work before no more are read. */
const MOST_JOBS = 16;

/** How long a server that never ran waits for the request that will be told so, in milliseconds. */
const LAST_WORDS = 10_000;

/** A list or a handshake larger than this passes as it is, in bytes. */
const LARGEST_LIST = 16 * 1024 * 1024;

/** How many lines of a server that are no JSON are shown, and how much of each. */
const MOST_NOISE = 20;
const NOISE = 200;

/**
 * Carries frames between a client and a server until either is gone. Everything passes as it came, in its order, but
 * for the results that are bounded, the lists that tell of what the proxy adds, and the requests that are for the
 * proxy itself. What is worked on holds nothing up: other frames pass meanwhile, so that answers to different requests
 * may change places; what is about one request keeps its order.
 *
 * When the server goes, all that waits is answered with an error (-32000) that says why; when the client goes, the
 * server is closed.
 */
export function relay(client: Peer, server: Peer, options: RelayOptions): Promise<Ending> {
  return new Relay(client, server, options).run();
}

class Relay {
  readonly #client: Peer;
  readonly #server: Peer;
  readonly #options: RelayOptions;
  readonly #large = new Slots(LARGE_AT_A_TIME);
  readonly #jobs = new Jobs(MOST_JOBS);
  readonly #inquiry: Inquiry;
  /** Notifications that are worked on, by the request that they are about: what follows about it waits for them. */
  readonly #late = new Map<Id, Promise<void>>();
  /** Requests that we answer ourselves, until they are cancelled. */
  readonly #own = new Set<Id>();
  #isAsked = false;
  #noise = 0;
  /** Why the server is gone. */
  #reason: string | undefined;
  #told: () => void = () => {};

  constructor(client: Peer, server: Peer, options: RelayOptions) {
    this.#client = client;
    this.#server = server;
    this.#options = options;
    this.#inquiry = new Inquiry((message) => void server.send({ bytes: jsonOf(message), message }));
  }

  async run(): Promise<Ending> {
    const fromClient = this.#relayClient();
    const fromServer = this.#relayServer();
    const by = await Promise.race([
      fromClient.then(() => 'client' as const),
      fromServer.then(() => 'server' as const),
    ]);
    if (by === 'server') await this.#endWithoutServer(fromClient);
    await this.#server.close();
    await fromServer;
    if (by === 'client') await this.#tellReason();
    await this.#jobs.done();
    await this.#client.close();
    await fromClient;
    return { by, reason: await (by === 'client' ? this.#client : this.#server).gone };
  }

  /** Tells who waits that the server is gone; if nobody has asked anything yet, the first who does. */
  async #endWithoutServer(fromClient: Promise<void>): Promise<void> {
    const told = new Promise<void>((resolve) => {
      this.#told = resolve;
    });
    await this.#tellReason();
    if (!this.#isAsked) await Promise.race([told, fromClient, delay(LAST_WORDS, undefined, { ref: false })]);
  }

  async #tellReason(): Promise<void> {
    this.#reason = await this.#server.gone;
    await this.#refuse(this.#options.requests.abandon());
  }

  async #relayClient(): Promise<void> {
    for await (const frame of this.#client.frames) {
      if (frame.torn) this.#options.log(`the client's last message broke off after ${frame.size} bytes`);
      else await this.#fromClient(frame);
      await letGo(frame);
    }
  }

  async #relayServer(): Promise<void> {
    for await (const frame of this.#server.frames) {
      if (frame.isJson) await this.#fromServer(frame);
      else await this.#leaveOut(frame);
    }
    this.#inquiry.end();
    await this.#jobs.done();
  }

  async #fromClient(frame: Frame): Promise<void> {
    const isLarge = frame.message === undefined && frame.method !== undefined;
    const parts = isLarge
      ? [{ frame, message: { ...messageOf(frame), params: await paramsOf(frame) } }]
      : partsOf(frame);
    const rest = parts.filter(({ message }) => !this.#answerOurselves(message));
    if (rest.length < parts.length) await this.#jobs.room();
    const messages = rest.map(({ message }) => message);
    for (const message of messages) this.#note(message, frame.size);
    if (this.#reason !== undefined) return await this.#refuse(messages.filter(isRequest));
    if (rest.length > 0 || parts.length === 0) await this.#server.send(outgoing(frame, parts, rest));
  }

  /** Answers a request that is for us; gives false for all else. */
  #answerOurselves(message: Message): boolean {
    if (!isRequest(message)) return false;
    const { id, idText, method } = message;
    const told = readerIn(message.params);
    const { desk, requests, terms, recorder } = this.#options;
    const own = desk.answer(message, (tool) => terms.ownLimit(tool, requests.readerOf(told)));
    if (!own) return false;
    this.#own.add(id);
    this.#jobs.start(async () => {
      const answer = await own.result.then(
        (result) => ({ result: told.version === undefined ? result : modern(method, result) }),
        (error: Error) => ({ error: { code: -32603, message: error.message } }),
      );
      if (!this.#own.delete(id)) return;
      const out = answerTo({ id, idText }, answer);
      if (own.reader !== undefined) recorder?.read(own.reader, own.handle, out.bytes.length);
      await this.#client.send(out);
    });
    return true;
  }

  /** Remembers what a message of the client means for what follows. */
  #note(message: Message, size: number): void {
    const { method, params } = message;
    if (method === 'notifications/cancelled') this.#cancelled(fieldOf(params, 'requestId'));
    if (!isRequest(message)) return;
    this.#isAsked = true;
    if (method === 'initialize') {
      this.#options.requests.met({ client: textOf(fieldOf(fieldOf(params, 'clientInfo'), 'name')) });
    }
    if (this.#reason === undefined) this.#options.requests.sent(message, size);
  }

  #cancelled(id: unknown): void {
    if (!isId(id)) return;
    this.#own.delete(id);
    this.#options.requests.cancelled(id);
  }

  /** Says to those who asked that the server is gone. */
  async #refuse(requests: readonly Named[]): Promise<void> {
    const reason = this.#reason;
    const message = `The MCP server (${this.#options.server}) ${reason}`;
    for (const request of requests) {
      await this.#client.send(answerTo(request, { error: { code: -32000, message, data: { reason } } }));
    }
    if (requests.length > 0) this.#told();
  }

  async #fromServer(frame: Frame): Promise<void> {
    if (this.#inquiry.isAnswered(frame)) return await this.#hear(frame);
    if (frame.method === 'notifications/tools/list_changed') this.#inquiry.forget();
    if (frame.takeIn && isTaskNotice(frame)) frame.about ??= await this.#aboutLarge(frame);
    const out = this.#unchanged(frame);
    const change = this.#changeOf(frame);
    const topic = out.answers ?? out.about;
    const before = topic === undefined ? undefined : this.#late.get(topic);
    if (!change && !before) {
      await this.#client.send(out);
      return await letGo(frame);
    }
    const job = this.#jobs.start(async () => {
      try {
        const bytes = await change?.();
        await before;
        await this.#client.send(bytes ? { ...out, bytes, message: undefined } : out);
      } catch (error) {
        await this.#failed(frame, error as Error);
      } finally {
        await letGo(frame);
      }
    });
    if (topic !== undefined && !frame.answers) this.#keepOrder(topic, job);
    await this.#jobs.room();
  }

  /** Says that a message of the server can't be passed on: to people, and to whoever waits for it. */
  async #failed({ id, idText, answers }: Frame, { message }: Error): Promise<void> {
    this.#options.log(`a message of the server could not be passed on: ${message}`);
    if (!answers || !isId(id)) return;
    const error = { code: -32603, message: `Plimsoll could not pass on the answer: ${message}` };
    await this.#client.send(answerTo({ id, idText }, { error }));
  }

  #keepOrder(topic: Id, job: Promise<void>): void {
    this.#late.set(topic, job);
    void job.finally(() => {
      if (this.#late.get(topic) === job) this.#late.delete(topic);
    });
  }

  /** Takes the answer to a request of our own. */
  async #hear(frame: Frame): Promise<void> {
    const isHeld = frame.message !== undefined || frame.size > LARGEST_LIST;
    const message = isHeld ? frame.message : JSON.parse((await wholeOf(frame.bytes())).toString());
    this.#inquiry.answer(frame.id, message);
    await letGo(frame);
  }

  #unchanged(frame: Frame): Outgoing {
    const { message } = frame;
    const answers = frame.answers && (frame.id ?? undefined);
    if (frame.answers || Array.isArray(message)) return { bytes: frame.bytes(), message, answers };
    const about = frame.about ?? this.#options.requests.about(messageOf(frame));
    return { bytes: frame.bytes(), message, about };
  }

  /** The request that a large message of the server is about, if that is known. */
  async #aboutLarge(frame: Frame): Promise<Id | undefined> {
    const params = await paramsOf(frame).catch(() => undefined);
    return this.#options.requests.about({ ...messageOf(frame), params });
  }

  /** How the frame is changed, if it may have to be. */
  #changeOf(frame: Frame): Change | undefined {
    if (Array.isArray(frame.message)) return this.#changeOfBatch(frame);
    if (isTaskNotice(frame)) return this.#changeOfNotice(frame);
    const request = this.#answeredBy(frame);
    return request && this.#changeOfResult(frame, request);
  }

  /** A task that is told of when it's done has its result within. */
  #changeOfNotice(frame: Frame): Change | undefined {
    const { requests } = this.#options;
    const { takeIn } = frame;
    if (takeIn) {
      return () =>
        this.#large.use(async () =>
          this.#boundLarge(frame, takeIn, requests.noticed(await paramsOf(frame).catch(() => undefined))),
        );
    }
    const params = fieldOf(frame.message, 'params');
    const purpose = requests.noticed(params);
    if (!purpose.asked || fieldOf(params, 'result') === undefined) return undefined;
    return () => this.#bound(frame, purpose);
  }

  /** The request that a frame answers with a result. */
  #answeredBy({ id, answers }: Pick<Frame, 'id' | 'answers'>): Request | undefined {
    if (answers === undefined || !isId(id)) return undefined;
    const request = this.#options.requests.answered(id);
    return answers === 'result' ? request : undefined;
  }

  #changeOfResult(frame: Frame, request: Request): Change | undefined {
    const { catalog, requests, terms, recorder } = this.#options;
    const { method, asked } = request;
    const { takeIn } = frame;
    if (takeIn && asked) {
      const isToBound = (taken: TakenIn) => this.#isToBound(taken.held, request);
      return () => this.#large.use(() => this.#boundLarge(frame, takeIn, request, isToBound));
    }
    const result = fieldOf(frame.message, 'result') as Held | undefined;
    if (method === 'initialize') requests.met({ version: textOf(memberOf(result, 'protocolVersion')) });
    if (method === 'initialize' || method === 'server/discover') {
      recorder?.met(memberOf(memberOf(result, 'serverInfo'), 'name'));
    }
    const reader = requests.readerOf(request);
    if (catalog.edits(method)) return () => this.#edit(frame, method, terms.audience(reader));
    if (asked && this.#isToBound(result, request)) return () => this.#bound(frame, request);
    return undefined;
  }

  /** Bounds the result of a large frame, which can't be looked at before it is taken in. */
  async #boundLarge(
    frame: Frame,
    takeIn: NonNullable<Frame['takeIn']>,
    purpose: Purpose,
    isToBound: (taken: TakenIn) => boolean = () => true,
  ): Promise<Buffer | undefined> {
    const taken = await takeIn().catch((error: Error) => error);
    if (taken instanceof Error) return this.#unbounded(frame, purpose, taken);
    return taken && isToBound(taken) ? this.#bound(frame, purpose, taken) : undefined;
  }

  /** Whether a result is bounded: one that is complete, and no task that will have a result. */
  #isToBound(result: Held | undefined, request: Request): boolean {
    const task = request.method === 'tools/call' ? taskIn(result) : undefined;
    if (task !== undefined) this.#options.requests.becameTask(request, task);
    return task === undefined && isComplete(result);
  }

  async #bound(frame: Frame, purpose: Purpose, taken?: TakenIn): Promise<Buffer | undefined> {
    const { requests, terms, recorder } = this.#options;
    const { asked } = purpose;
    if (!asked) return undefined;
    const how = terms.how(asked, requests.readerOf(purpose));
    const findSchema = () => this.#schemaOf(asked.name, purpose);
    const bounded = await boundAnswer(frame, asked, how, findSchema, taken).catch((error: Error) =>
      this.#unbounded(frame, purpose, error),
    );
    recorder?.answered(asked, frame.size, bounded);
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

  /** What stands for a result that couldn't be bounded: itself if it's small, else an error. */
  async #unbounded(frame: Frame, purpose: Purpose, error: Error): Promise<Buffer | undefined> {
    const { log, requests, terms } = this.#options;
    const { asked } = purpose;
    log(`a result could not be bounded: ${error.message}`);
    if (asked && frame.size <= terms.how(asked, requests.readerOf(purpose)).limit.chars) return undefined;
    const message = `Plimsoll could not bound the result: ${error.message}`;
    if (asked?.method === TASK_NOTICE) return await noticeOf(frame, message);
    return answerTo({ id: frame.id ?? '', idText: frame.idText }, { error: { code: -32603, message } }).bytes;
  }

  async #edit(frame: Frame, method: string, audience: Audience): Promise<Buffer | undefined> {
    if (frame.size > LARGEST_LIST) return undefined;
    const json = await wholeOf(frame.bytes());
    const message = frame.message ?? JSON.parse(json.toString());
    try {
      return (await this.#options.catalog.edit(method, json, message, audience)) ?? json;
    } catch (error) {
      this.#options.log(`what ${method} told passes as it is: ${(error as Error).message}`);
      return json;
    }
  }

  /** A batch, as in 2025-03-26: each answer in it is changed as it would be alone. */
  #changeOfBatch(frame: Frame): Change | undefined {
    const json = frame.bytes() as Buffer;
    const changes: { place: Place; change: Change }[] = [];
    for (const place of placesIn(json, (path) => path.length === 1)) {
      const item = frameOf(json.subarray(place.from, place.to));
      const request = this.#answeredBy(item);
      const change = request && this.#changeOfResult(item, request);
      if (change) changes.push({ place, change });
    }
    if (changes.length === 0) return undefined;
    return async () => edited(json, await Promise.all(changes.map(editOf)));
  }

  /** What is no message would break a client. */
  async #leaveOut(frame: Frame): Promise<void> {
    const { log } = this.#options;
    this.#noise++;
    if (frame.torn) log(`the server's last message broke off after ${frame.size} bytes`);
    else if (this.#noise <= MOST_NOISE) {
      const text = visibleName((await startOf(frame.bytes(), NOISE)).toString());
      log(`the server wrote a line that is no JSON (${frame.size} bytes), left out: ${text}`);
      if (this.#noise === MOST_NOISE) log('further such lines are left out without a word');
    }
    await letGo(frame);
  }
}

/** Gives the whole frame as it is to be sent instead; undefined if it may pass as it came. */
type Change = () => Promise<Buffer | undefined>;

async function editOf({ place, change }: { place: Place; change: Change }): Promise<Edit> {
  const { from, to } = place;
  const bytes = await change();
  return bytes ? { from, to, text: bytes.toString() } : { from, to: from, text: '' };
}

/** A message, and the frame that it is: one of a batch is as if it had come alone. */
interface Part {
  readonly frame: Frame;
  readonly message: Message;
}

function partsOf(frame: Frame): readonly Part[] {
  if (!Array.isArray(frame.message)) return [partOf(frame)];
  const json = frame.bytes() as Buffer;
  const items = placesIn(json, (path) => path.length === 1);
  return items.map(({ from, to }) => partOf(frameOf(json.subarray(from, to))));
}

function partOf(frame: Frame): Part {
  return { frame, message: messageOf(frame) };
}

/** What is sent on of a client's frame, of which some messages may have been for us. */
function outgoing(frame: Frame, parts: readonly Part[], rest: readonly Part[]): Outgoing {
  if (rest.length < parts.length) {
    const bytes = Buffer.from(`[${rest.map((part) => String(part.frame.bytes())).join()}]`);
    return { bytes, message: rest.map((part) => part.frame.message) };
  }
  const answers = frame.answers && (frame.id ?? undefined);
  return { bytes: frame.bytes(), message: frame.message, answers };
}

/** An answer, with the id as the request has it. */
function answerTo({ id, idText }: Named, answer: object): Outgoing & { readonly bytes: Buffer } {
  const json = `{"jsonrpc":"2.0","id":${idText ?? JSON.stringify(id)},${JSON.stringify(answer).slice(1)}`;
  return { bytes: Buffer.from(json), answers: id, message: { jsonrpc: '2.0', id, ...answer } };
}

/** What stands for a task's notification whose result can't: all that is short in it, and an error as of the tool. */
async function noticeOf(frame: Frame, text: string): Promise<Buffer> {
  const params = await paramsOf(frame).catch(() => undefined);
  const _meta = scalarsIn(fieldOf(params, '_meta'));
  const result = { content: [{ type: 'text', text }], isError: true };
  return jsonOf({ jsonrpc: '2.0', method: TASK_NOTICE, params: { ...scalarsIn(params), _meta, result } });
}

function scalarsIn(value: unknown): object {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, item]) => item === null || typeof item !== 'object'),
  );
}

function jsonOf(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** A result of ours as 2026-07-28 wants it. */
function modern(method: string, result: object): object {
  const cache = method === 'tools/call' ? {} : { ttlMs: 0, cacheScope: 'private' };
  return { resultType: 'complete', ...cache, ...result };
}

/** Whether a result is the final one: results before 2026-07-28 don't say. */
function isComplete(result: Held | undefined): boolean {
  const type = memberOf(result, 'resultType');
  return type === undefined || type === 'complete';
}

/** The id of the task that a result tells of: as in 2025-11-25, or as the tasks extension has it. */
function taskIn(result: Held | undefined): string | undefined {
  const inTask = textOf(memberOf(memberOf(result, 'task'), 'taskId'));
  return (
    inTask ?? (memberOf(result, 'resultType') === 'task' ? textOf(memberOf(result, 'taskId')) : undefined)
  );
}

function memberOf(value: Held | undefined, key: string): Held | undefined {
  if (!(value instanceof LongObject)) return fieldOf(value, key) as Held | undefined;
  return [...value.first, ...value.last].find(([name]: Entry) => name === key)?.[1];
}

async function wholeOf(bytes: Buffer | AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.isBuffer(bytes) ? bytes : await startOf(bytes, Number.POSITIVE_INFINITY);
}

/** The first bytes, `most` or somewhat more. */
async function startOf(bytes: Buffer | AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes.subarray(0, most);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size >= most) break;
  }
  return Buffer.concat(pieces).subarray(0, most);
}

/** Small frames hold nothing. */
async function letGo(frame: Frame): Promise<void> {
  if (frame.message === undefined) await frame.release();
}
