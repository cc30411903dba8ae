import { setTimeout as delay } from 'node:timers/promises';
import { visibleName } from '../text/visible.ts';
import { Changes, type ChangesOptions, LARGEST_LIST } from './changes.ts';
import type { Desk } from './desk.ts';
import { frameOf } from './frame.ts';
import { Inquiry } from './inquiry.ts';
import { Jobs } from './jobs.ts';
import { paramsOf } from './params.ts';
import { bytesOf, placesIn } from './places.ts';
import {
  answerTo,
  fieldOf,
  isId,
  isRequest,
  isTaskNotice,
  type Message,
  messageOf,
  type Named,
  readerIn,
  textOf,
} from './requests.ts';
import type { Frame, Id, Outgoing, Peer } from './types.ts';

export interface RelayOptions extends ChangesOptions {
  readonly desk: Desk;
  /** What the server is called where it is said that it's gone. */
  readonly server: string;
}

/** Which side went first, and why. */
export interface Ending {
  readonly by: 'client' | 'server';
  readonly reason: string;
}

/** How many answers may be at work before no more are read. */
const MOST_JOBS = 16;

/** How long a server that never ran waits for the request that will be told so, in milliseconds. */
const LAST_WORDS = 10_000;

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
  readonly #jobs = new Jobs(MOST_JOBS);
  readonly #inquiry: Inquiry;
  readonly #changes: Changes;
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
    this.#changes = new Changes(options, this.#inquiry, this.#jobs);
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
    if (frame.message === undefined && isTaskNotice(frame)) frame.about ??= await this.#aboutLarge(frame);
    const out = this.#unchanged(frame);
    const change = this.#changes.changeOf(frame);
    const isBatch = Array.isArray(out.message);
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
        await this.#client.send(bytes ? { ...out, bytes, message: isBatch ? out.message : undefined } : out);
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
    const message = isHeld ? frame.message : JSON.parse((await bytesOf(frame)).toString());
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

  /** What is no message would break a client. */
  async #leaveOut(frame: Frame): Promise<void> {
    const { log } = this.#options;
    this.#noise++;
    if (frame.torn) log(`the server's last message broke off after ${frame.size} bytes`);
    else if (this.#noise <= MOST_NOISE) {
      const text = visibleName((await bytesOf(frame, 0, Math.min(NOISE, frame.size))).toString());
      log(`the server wrote a line that is no JSON (${frame.size} bytes), left out: ${text}`);
      if (this.#noise === MOST_NOISE) log('further such lines are left out without a word');
    }
    await letGo(frame);
  }
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
  return { bytes: frame.bytes(), message: frame.message ?? rest[0]?.message, answers };
}

function jsonOf(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** A result of ours as 2026-07-28 wants it. */
function modern(method: string, result: object): object {
  const cache = method === 'tools/call' ? {} : { ttlMs: 0, cacheScope: 'private' };
  return { resultType: 'complete', ...cache, ...result };
}

/** Small frames hold nothing. */
async function letGo(frame: Frame): Promise<void> {
  if (frame.message === undefined) await frame.release();
}
