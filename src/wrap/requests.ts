import { cutHead } from '../text/cut.ts';
import type { Asked } from './answer.ts';
import type { BoundedMethod, TaskNotice } from './kinds.ts';
import type { Frame, Id, Outgoing } from './types.ts';

/** Who asks, as far as it has said. */
export interface Reader {
  /** The client's name. */
  readonly client: string | undefined;
  /** The protocol's version. */
  readonly version: string | undefined;
}

/** What a result is for, with what its request said itself of who asks. */
export interface Purpose extends Reader {
  /** What the result answers, if it is to be bounded. */
  readonly asked: Asked | undefined;
  /** What a further request for the same client has to say of it in its `_meta`, as from 2026-07-28 on. */
  readonly meta: object | undefined;
}

/** A request of the client that waits for its answer. */
export interface Request extends Purpose, Named {
  readonly method: string;
  readonly progressToken: unknown;
}

/** Tells a message by its id. */
export interface Named {
  readonly id: Id;
  /** How the id is written, if that can't be told from its value. */
  readonly idText?: string | undefined;
}

/** Arguments up to this size are remembered as they are, longer ones as a text of that many characters. */
const LONG_ARGUMENTS = 2000;

/** Of the arguments of a request larger than this nothing is remembered, in bytes: they are not held. */
const HUGE = 512 * 1024;

/** How many tasks are remembered. */
const MOST_TASKS = 1000;

/** How many requests are remembered that were cancelled or answered, to which an answer may come all the same. */
const MOST_OVER = 100;

const META = 'io.modelcontextprotocol/';

/** The client's requests that wait for their answers, and the tasks that came of some. */
export class Requests {
  readonly #bounded: ReadonlySet<string>;
  readonly #waiting = new Map<Id, Request>();
  readonly #over = new Map<Id, Request>();
  readonly #tasks = new Map<string, Asked>();
  readonly #progress = new Map<unknown, Id>();
  #reader: Reader = { client: undefined, version: undefined };

  /** `bounded` are the methods whose results are to be bounded. */
  constructor(bounded: readonly BoundedMethod[]) {
    this.#bounded = new Set(bounded);
  }

  /** Remembers what was said of a client for the whole of a session, as before 2026-07-28. */
  met(reader: Partial<Reader>): void {
    this.#reader = { ...this.#reader, ...reader };
  }

  /** Who asks, of one who may say so in the request itself. */
  readerOf({ client, version }: Reader): Reader {
    return { client: client ?? this.#reader.client, version: version ?? this.#reader.version };
  }

  /** The request with this id whose answer may still come. */
  find(id: Id): Request | undefined {
    return this.#waiting.get(id) ?? this.#over.get(id);
  }

  /** Remembers a request that is sent on. `size` is that of its frame, in bytes. */
  sent({ id, idText, method, params }: RequestMessage, size: number): void {
    const request = {
      id,
      idText,
      method,
      asked: this.#bounded.has(method) ? this.#askedOf(method as BoundedMethod, params, size) : undefined,
      progressToken: fieldOf(fieldOf(params, '_meta'), 'progressToken'),
      meta: metaIn(params),
      ...readerIn(params),
    };
    this.#forget(this.#waiting, id);
    this.#waiting.set(id, request);
    if (request.progressToken !== undefined) this.#progress.set(request.progressToken, id);
  }

  /** No answer is waited for any more; one that comes all the same is still known. */
  cancelled(id: Id): void {
    const request = this.#waiting.get(id);
    if (!request) return;
    this.#forget(this.#waiting, id);
    this.#forget(this.#over, id);
    this.#remember(id, request);
  }

  /**
   * The request that an answer is for, which doesn't wait any longer. It is still known for a while, since some servers
   * answer twice. A number may be answered as a string: clients take it.
   */
  answered(id: Id): Request | undefined {
    const asked = this.find(id) ? id : Number(id);
    const request = this.#forget(this.#waiting, asked) ?? this.#forget(this.#over, asked);
    if (request) this.#remember(asked, request);
    return request;
  }

  #remember(id: Id, request: Request): void {
    this.#over.set(id, request);
    const [oldest] = this.#over.keys();
    if (this.#over.size > MOST_OVER && oldest !== undefined) this.#forget(this.#over, oldest);
  }

  /** All that wait, which then don't any longer. */
  abandon(): readonly Named[] {
    const requests = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#progress.clear();
    return requests;
  }

  /** A task came of a request: its result will be what the request asked for. */
  becameTask(asked: Asked, task: string): void {
    this.#tasks.delete(task);
    this.#tasks.set(task, asked);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > MOST_TASKS && oldest !== undefined) this.#tasks.delete(oldest);
  }

  /** What is for whom that a notification tells of a task; it's bounded if what `tasks/get` tells is. */
  noticed(method: TaskNotice, params: unknown): Purpose {
    const about = this.about({ method, params });
    const request = about === undefined ? undefined : this.find(about);
    const asked = this.#bounded.has('tasks/get') ? this.#ofTask(method, params) : undefined;
    return { asked, client: request?.client, version: request?.version, meta: request?.meta };
  }

  /** The request that a message of the server is about, if that is known. */
  about({ id, method, params }: Message): Id | undefined {
    if (method === 'notifications/progress') return this.#progress.get(fieldOf(params, 'progressToken'));
    if (method === 'notifications/cancelled') return this.#subscription(fieldOf(params, 'requestId'));
    const subscription = fieldOf(fieldOf(params, '_meta'), `${META}subscriptionId`);
    if (isId(subscription)) return subscription;
    return id !== undefined || method === 'notifications/message' ? this.#only() : undefined;
  }

  /** A subscription, which is all that a server may cancel of the client's. */
  #subscription(id: unknown): Id | undefined {
    return isId(id) && this.#waiting.get(id)?.method === 'subscriptions/listen' ? id : undefined;
  }

  /** The one request that is at work, if there is one. */
  #only(): Id | undefined {
    let only: Id | undefined;
    for (const { id, method } of this.#waiting.values()) {
      if (method === 'subscriptions/listen') continue;
      if (only !== undefined) return undefined;
      only = id;
    }
    return only;
  }

  #forget(requests: Map<Id, Request>, id: Id): Request | undefined {
    const request = requests.get(id);
    if (!request) return undefined;
    requests.delete(id);
    if (this.#progress.get(request.progressToken) === id) this.#progress.delete(request.progressToken);
    return request;
  }

  /** What a task's result answers: what its request asked for. */
  #ofTask(method: BoundedMethod, params: unknown): Asked {
    return { ...this.#tasks.get(textOf(fieldOf(params, 'taskId')) ?? ''), method };
  }

  #askedOf(method: BoundedMethod, params: unknown, size: number): Asked {
    if (method.startsWith('tasks/')) return this.#ofTask(method, params);
    const name = textOf(fieldOf(params, method === 'resources/read' ? 'uri' : 'name'));
    const args = fieldOf(params, 'arguments');
    if (size <= LONG_ARGUMENTS || args === undefined) return { method, name, arguments: args };
    if (size > HUGE) return { method, name };
    return { method, name, arguments: startOf(args) };
  }
}

/** The start of the JSON of arguments; undefined for those nested too deep to be written. */
function startOf(args: unknown): string | undefined {
  try {
    return cutHead(JSON.stringify(args), LONG_ARGUMENTS);
  } catch {
    return undefined;
  }
}

/** What a request or a notification says at its top. */
export interface Message {
  readonly id?: unknown;
  readonly idText?: string | undefined;
  readonly method?: unknown;
  readonly params?: unknown;
}

export interface RequestMessage extends Named {
  readonly method: string;
  readonly params?: unknown;
}

export function isRequest(message: Message): message is RequestMessage {
  return isId(message.id) && typeof message.method === 'string';
}

/** What a request says of who asks, as from 2026-07-28 on. */
export function readerIn(params: unknown): Reader {
  const meta = fieldOf(params, '_meta');
  return {
    client: textOf(fieldOf(fieldOf(meta, `${META}clientInfo`), 'name')),
    version: textOf(fieldOf(meta, `${META}protocolVersion`)),
  };
}

/** Whether a message tells of a task, unasked: as in 2025-11-25, or as the tasks extension of 2026-07-28 has it. */
export function isTaskNotice<T extends Pick<Frame, 'method' | 'answers'>>(
  message: T,
): message is T & { readonly method: TaskNotice } {
  const { method, answers } = message;
  return (
    answers === undefined && (method === 'notifications/tasks' || method === 'notifications/tasks/status')
  );
}

/** An answer, with the id as the request has it. */
export function answerTo({ id, idText }: Named, answer: object): Outgoing & { readonly bytes: Buffer } {
  const json = `{"jsonrpc":"2.0","id":${idText ?? JSON.stringify(id)},${JSON.stringify(answer).slice(1)}`;
  return { bytes: Buffer.from(json), answers: id, message: { jsonrpc: '2.0', id, ...answer } };
}

/** What a request says of its client that holds for another request as well. */
function metaIn(params: unknown): object | undefined {
  if (readerIn(params).version === undefined) return undefined;
  const meta = fieldOf(params, '_meta');
  const keys = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => `${META}${key}`);
  return Object.fromEntries(keys.map((key) => [key, fieldOf(meta, key)]));
}

/** The message that a frame is, as far as it is held. */
export function messageOf({ message, id, idText, method }: Frame): Message {
  return { id: id ?? undefined, idText, method, params: fieldOf(message, 'params') };
}

/** A member of what may be an object. */
export function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
