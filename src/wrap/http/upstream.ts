import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { frameOf } from '../frame.ts';
import type { Frame, Id, Outgoing, Peer } from '../types.ts';
import { bodyOf, wholeOf } from './body.ts';
import { type Answer, HttpClient, NoAnswer } from './client.ts';
import { Ending } from './ending.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import { standardHeaders, ToolHeaders } from './headers.ts';
import { answeredIds, CODES, errorAnswer, fieldOf, objectOf, parsed } from './messages.ts';
import { oneLine } from './one-line.ts';
import { cancelledBy, Post } from './post.ts';
import { Queue } from './queue.ts';
import { EventReader } from './sse.ts';
import { SseServer } from './sse-server.ts';
import { isEventStream, Streams } from './streams.ts';

/** How long a server is given to hear that its session is over, in milliseconds. */
const GOODBYE = 1000;

/** How long nothing else is sent until the standing stream is open: what the server has to say would be lost. */
const OPENING = 500;

/** The most that is read of an answer that refuses, in bytes, and of a list of tools that we ask for ourselves. */
const LARGEST_REFUSAL = 1024 * 1024;
const LARGEST_LIST = 16 * 1024 * 1024;
const MOST_PAGES = 100;

const ACCEPT = 'application/json, text/event-stream';

/** With these statuses, an `initialize` may have come to a server of 2024-11-05. */
const MAYBE_OLD = new Set([400, 404, 405]);

export interface ConnectOptions {
  /** The user's own, such as `Authorization`. They stand in no message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly read: ReadFrame;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** What `initialize` began. */
interface Session {
  readonly initialize: Buffer;
  id: string | undefined;
  version: string | undefined;
}

/**
 * A server at an address, over Streamable HTTP in all its revisions, or over HTTP with SSE (2024-11-05). Nothing is
 * asked before there is something to send. A request that the server can't be asked is answered with an error that
 * says why; the server itself is never gone.
 *
 * A session that the server has ended (404) is begun anew with the client's own `initialize`, and what wasn't taken
 * is sent again: nothing of it has been done. What the server had remembered of the old session is lost, which is
 * logged. Throws a `PlimsollError` for what is no address, or no header.
 */
export function connectServer(address: string, options: ConnectOptions): Peer {
  return new Upstream(new HttpClient(address, options.headers), options);
}

class Upstream implements Peer {
  readonly frames = new Queue<Frame>();
  readonly #http: HttpClient;
  readonly #read: ReadFrame;
  readonly #log: (line: string) => void;
  readonly #ending = new Ending();
  readonly #stop = new AbortController();
  readonly #tools = new ToolHeaders();
  readonly #streams: Streams;
  /** What is being sent, or answered. */
  readonly #active = new Set<Post>();
  /** What was sent and waits for an answer. */
  readonly #posts = new Map<Id, Post>();
  #turn: Promise<void> = Promise.resolve();
  #session: Session | undefined;
  #renewal: Promise<void> | undefined;
  #listening = new AbortController();
  /** Settles when the standing stream is open, or when it has taken too long. */
  #heard: Promise<unknown> = Promise.resolve();
  #old: SseServer | undefined;

  constructor(http: HttpClient, { read, log }: ConnectOptions) {
    this.#http = http;
    this.#read = read;
    this.#log = log;
    this.#streams = new Streams(
      http,
      read,
      () => this.#sessionHeaders(),
      (frame, post) => this.#push(frame, post),
    );
  }

  get gone(): Promise<string> {
    return this.#ending.reason;
  }

  /** Settles when the next message may be sent: after a handshake's messages when they are answered. */
  send(out: Outgoing): Promise<void> {
    this.#turn = this.#turn.then(() => this.#send(out)).catch(({ message }) => this.#log(message));
    return this.#turn;
  }

  async close(): Promise<void> {
    if (!this.#ending.end('closed')) return;
    this.#listening.abort();
    await this.#sayGoodbye();
    this.#stop.abort();
    for (const post of this.#active) post.cancel();
    this.frames.close();
    this.#http.close();
  }

  async #send(out: Outgoing): Promise<void> {
    if (this.#ending.isOver) return;
    const post = await this.#postOf(out);
    const cancelled = cancelledBy(post.message).map((id) => this.#posts.get(id));
    if (cancelled.some((one) => one?.isStateless)) {
      for (const one of cancelled) this.#cancel(one);
      return;
    }
    for (const id of post.unanswered) this.#posts.set(id, post);
    const exchanged = this.#exchange(post).then(() => {
      for (const one of cancelled) this.#cancel(one);
    });
    await (isHandshake(post) ? post.begun : Promise.race([post.read, exchanged]));
    if (post.method === 'notifications/initialized') await this.#heard;
  }

  /** What begins a session is remembered: it has to be held whole. */
  async #postOf({ bytes, message }: Outgoing): Promise<Post> {
    if (!Buffer.isBuffer(bytes) && fieldOf(message, 'method') !== 'initialize')
      return new Post(bytes, message);
    const body = (await wholeOf(bytes, Number.POSITIVE_INFINITY)) as Buffer;
    return new Post(body, message ?? parsed(body));
  }

  #cancel(post: Post | undefined): void {
    for (const id of post?.unanswered ?? []) this.#posts.delete(id);
    post?.cancel();
  }

  /** Sends a message and takes in all that comes of it. */
  async #exchange(post: Post): Promise<void> {
    this.#active.add(post);
    try {
      if (this.#old) return await this.#old.post(post.body);
      const answer = await this.#ask(post);
      if (await this.#isOld(post, answer)) return;
      this.#begun(post, answer);
      await this.#take(post, answer);
      await this.#fail(post, brokenOff('it ended'));
    } catch (error) {
      const { message } = error as Error;
      const reason = error instanceof NoAnswer ? message : brokenOff(message);
      if (!post.signal.aborted) await this.#fail(post, reason);
    } finally {
      post.begin();
      this.#active.delete(post);
      if (!this.#old) for (const id of post.unanswered) this.#posts.delete(id);
    }
  }

  /**
   * Sends a message; again if it wasn't taken for a reason that can be mended. What comes in pieces can be sent only
   * once: what has to be known for it is asked for before.
   */
  async #ask(post: Post): Promise<Answer> {
    const id = this.#session?.id;
    const isWhole = Buffer.isBuffer(post.body);
    if (!isWhole && post.isStateless && !this.#tools.knows(post.message)) await this.#learnTools(post);
    const headers = this.#headersFor(post);
    const answer = await this.#post(post, headers);
    if (answer.status === 404 && id !== undefined && headers['mcp-session-id'] === id) {
      answer.body.resume();
      await this.#renew(id);
      if (isWhole) return await this.#post(post, this.#headersFor(post));
      throw new NoAnswer(`${this.#http.name} had ended the session: call again`);
    }
    if (answer.status === 400 && isWhole && post.isStateless && post.method === 'tools/call') {
      return await this.#mended(post, headers, answer);
    }
    return answer;
  }

  #post({ body, signal }: Pick<Post, 'body' | 'signal'>, headers: Record<string, string>): Promise<Answer> {
    return this.#http.ask({ method: 'POST', headers, body, signal });
  }

  #headersFor(post: Post): Record<string, string> {
    const common = { 'content-type': 'application/json', accept: ACCEPT };
    const message = objectOf(post.message);
    if (message && post.isStateless) {
      return { ...common, ...standardHeaders(message), ...this.#tools.of(message) };
    }
    return post.method === 'initialize' ? common : { ...common, ...this.#sessionHeaders() };
  }

  #sessionHeaders(): Record<string, string> {
    const { id, version } = this.#session ?? {};
    return {
      ...(id !== undefined && { 'mcp-session-id': id }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    };
  }

  /**
   * The headers that a tool wants are known from lists that passed. If the server misses some, it is asked for its
   * list, and the call is sent again (2026-07-28, "Client Behavior").
   */
  async #mended(post: Post, headers: Record<string, string>, answer: Answer): Promise<Answer> {
    const body = (await wholeOf(await bodyOf(answer.body), LARGEST_REFUSAL)) ?? Buffer.alloc(0);
    const refused = { ...answer, body: Readable.from([body]) };
    if (fieldOf(fieldOf(parsed(body), 'error'), 'code') !== CODES.headerMismatch) return refused;
    await this.#learnTools(post);
    const better = this.#headersFor(post);
    return JSON.stringify(better) === JSON.stringify(headers) ? refused : await this.#post(post, better);
  }

  async #learnTools({ message, signal }: Post): Promise<void> {
    const _meta = fieldOf(fieldOf(message, 'params'), '_meta');
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? { _meta } : { _meta, cursor };
      const list = { jsonrpc: '2.0', id: `plimsoll-${page}`, method: 'tools/list', params };
      const body = Buffer.from(JSON.stringify(list));
      const headers = { 'content-type': 'application/json', accept: ACCEPT, ...standardHeaders(list) };
      const result = fieldOf(await answerIn(await this.#post({ body, signal }, headers)), 'result');
      this.#tools.learn(result);
      cursor = fieldOf(result, 'nextCursor');
      if (typeof cursor !== 'string') return;
    }
  }

  /** Whether an `initialize` came to a server of the old kind, which is then the one that everything is sent to. */
  async #isOld(post: Post, answer: Answer): Promise<boolean> {
    if (post.method !== 'initialize' || !MAYBE_OLD.has(answer.status)) return false;
    const old = await SseServer.open(this.#http, this.#stop.signal);
    if (!old) return false;
    answer.body.resume();
    this.#old = old;
    void this.#listenTo(old);
    await old.post(post.body);
    return true;
  }

  async #listenTo(old: SseServer): Promise<void> {
    for await (const frame of old.frames(this.#read)) await this.#push(frame, undefined);
    for (const post of new Set(this.#posts.values())) await this.#fail(post, 'the connection ended');
    if (this.#ending.end('ended the connection')) this.frames.close();
  }

  /** Takes note of what the start of an answer tells. */
  #begun(post: Post, { status, headers }: Answer): void {
    const isTaken = status >= 200 && status < 300;
    if (isTaken && post.method === 'initialize' && Buffer.isBuffer(post.body)) {
      const id = headers['mcp-session-id'];
      this.#session = {
        initialize: post.body,
        id: typeof id === 'string' ? id : undefined,
        version: undefined,
      };
    }
    if (isTaken && post.method === 'notifications/initialized') this.#listen();
    post.begin();
  }

  async #take(post: Post, answer: Answer): Promise<void> {
    const { status, headers, body } = answer;
    if (status < 200 || status >= 300) {
      await this.#refused(post, answer);
    } else if (!post.isAsking) {
      body.resume();
    } else if (isEventStream(answer)) {
      await this.#streams.follow(answer, post, post.signal);
    } else if (/json/i.test(headers['content-type'] ?? '')) {
      await this.#push(await frameFrom(body, this.#read), post);
    } else {
      body.resume();
      await this.#fail(post, `${this.#http.name} answered with neither JSON nor events (HTTP ${status})`);
    }
  }

  /** Hands on a message of the server. */
  async #push(frame: Frame, post: Post | undefined): Promise<void> {
    const ids = frame.answers === undefined ? answeredIds(frame.message) : [frame.id];
    for (const id of ids) if (id !== null && id !== undefined) this.#answered(id, frame);
    if (frame.answers === undefined && post?.about !== undefined) frame.about = post.about;
    await this.frames.put(frame);
  }

  #answered(id: Id, { message }: Frame): void {
    const post = this.#posts.get(id);
    if (!post) return;
    this.#posts.delete(id);
    post.answered(id);
    const result = fieldOf(message, 'result');
    if (post.method === 'tools/list') this.#tools.learn(result);
    const version = fieldOf(result, 'protocolVersion');
    if (post.method === 'initialize' && this.#session && typeof version === 'string') {
      this.#session.version = version;
    }
  }

  /** Answers what the server refused to take: as the server says itself, or as its status says. */
  async #refused(post: Post, answer: Answer): Promise<void> {
    const body = oneLine((await wholeOf(await bodyOf(answer.body), LARGEST_REFUSAL)) ?? Buffer.alloc(0));
    const message = parsed(body);
    const error = fieldOf(message, 'error');
    const { code, message: words, data } = objectOf(error) ?? {};
    if (post.unanswered.length === 0) {
      this.#log(this.#refusal(answer));
    } else if (typeof code !== 'number' || typeof words !== 'string') {
      await this.#fail(post, this.#refusal(answer));
    } else if (post.unanswered.length === 1 && fieldOf(message, 'id') === post.unanswered[0]) {
      await this.#push(frameOf(body), post);
    } else {
      for (const id of post.unanswered) await this.#push(frameOf(errorAnswer(id, code, words, data)), post);
    }
  }

  #refusal({ status }: Answer): string {
    const { name, isAuthorized } = this.#http;
    const give = 'with --header-env Authorization=VARIABLE, the variable holding "Bearer " and the token';
    if (status === 401 && isAuthorized)
      return `${name} refuses the login that it got (HTTP 401): give another ${give}`;
    if (status === 401) return `${name} asks for a login (HTTP 401): give a token ${give}`;
    if (status === 404 || status === 405) return `${name} is no MCP endpoint (HTTP ${status}): correct --url`;
    if (status >= 500) return `${name} failed (HTTP ${status})`;
    return `${name} refused (HTTP ${status})`;
  }

  async #fail(post: Post, reason: string): Promise<void> {
    for (const id of post.unanswered) {
      const message = `No answer from the MCP server: ${reason}`;
      await this.#push(frameOf(errorAnswer(id, CODES.failed, message, { reason })), post);
    }
  }

  /** Begins a session anew that the server has ended; once, however many find it ended. */
  async #renew(ended: string): Promise<void> {
    if (this.#session?.id !== ended) return;
    this.#renewal ??= this.#beginAnew(this.#session).finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  async #beginAnew(session: Session): Promise<void> {
    this.#listening.abort();
    const { signal } = this.#stop;
    const common = { 'content-type': 'application/json', accept: ACCEPT };
    const answer = await this.#post({ body: session.initialize, signal }, common);
    const result = fieldOf(await answerIn(answer), 'result');
    const version = fieldOf(result, 'protocolVersion');
    if (answer.status !== 200 || version !== session.version) {
      throw new NoAnswer(
        `${this.#http.name} has ended the session and begins no other (HTTP ${answer.status})`,
      );
    }
    const id = answer.headers['mcp-session-id'];
    session.id = typeof id === 'string' ? id : undefined;
    const body = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    (await this.#post({ body, signal }, { ...common, ...this.#sessionHeaders() })).body.resume();
    this.#listen();
    this.#log(
      `${this.#http.name} had ended the session: a new one was begun, without the old one's subscriptions`,
    );
  }

  /** Hears what belongs to no request, where the server says such things. */
  #listen(): void {
    this.#listening.abort();
    this.#listening = new AbortController();
    const signal = AbortSignal.any([this.#listening.signal, this.#stop.signal]);
    const opened = this.#streams.open(undefined, signal);
    this.#heard = Promise.race([opened.catch(() => {}), delay(OPENING, undefined, { ref: false })]);
    opened
      .then((answer) => this.#streams.follow(answer, undefined, signal))
      .catch(({ message }) => signal.aborted || this.#log(message));
  }

  async #sayGoodbye(): Promise<void> {
    const headers = this.#sessionHeaders();
    if (headers['mcp-session-id'] === undefined) return;
    const signal = AbortSignal.timeout(GOODBYE);
    await this.#http.ask({ method: 'DELETE', headers, signal }).then(
      ({ body }) => body.resume(),
      () => {},
    );
  }
}

function brokenOff(how: string): string {
  return `the connection broke off before the answer (${how}); whether the call took effect is not known`;
}

function isHandshake({ method }: Post): boolean {
  return method === 'initialize' || method === 'notifications/initialized';
}

/** The one answer in what came for one request of our own. */
async function answerIn(answer: Answer): Promise<unknown> {
  if (!isEventStream(answer)) {
    return parsed((await wholeOf(await bodyOf(answer.body), LARGEST_LIST)) ?? Buffer.alloc(0));
  }
  const reader = new EventReader(answer.body);
  for (let event = await reader.next(); event; event = await reader.next()) {
    const data = Buffer.isBuffer(event.data) ? event.data : await wholeOf(event.data, LARGEST_LIST);
    const message = data && parsed(data);
    if (answeredIds(message).length === 0) continue;
    answer.body.destroy();
    return message;
  }
  return undefined;
}
