import { unwatchFile, watchFile } from 'node:fs';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { stateOf } from './resources.ts';
import type { Services } from './services.ts';

/** How often files are looked at while somebody wants to know of changes, in milliseconds: others change them, too. */
const PACE = 500;

/** So many addresses are watched; of more, those that were asked for last. */
const MOST = 1000;

/** Who wants to be told, where it is the connection, and no listener in it. */
const CONNECTION = '';

/** What a client wants to be told of: resources whose text has changed, by whoever. */
export class Subscriptions {
  readonly #services: Services;
  readonly #tell: (uri: string) => void;
  /** Who wants to be told of an address. */
  readonly #holders = new Map<string, Set<string>>();
  /** The states that were told last, by address. */
  readonly #states = new Map<string, string | undefined>();
  #files: readonly string[] = [];
  /** Looks are taken one after another. */
  #looking: Promise<void> = Promise.resolve();

  constructor(services: Services, tell: (uri: string) => void) {
    this.#services = services;
    this.#tell = tell;
  }

  /** Settles when changes from now on are told. */
  async add(uri: string, holder: string = CONNECTION): Promise<void> {
    this.#holders.set(uri, (this.#holders.get(uri) ?? new Set()).add(holder));
    const [oldest] = this.#holders.keys();
    if (this.#holders.size > MOST && oldest !== undefined) this.#forget(oldest);
    this.#watch();
    if (this.#states.has(uri)) return;
    const state = await this.#stateOf(uri);
    if (this.#holders.has(uri)) this.#states.set(uri, state);
  }

  remove(uri: string, holder: string = CONNECTION): void {
    const holders = this.#holders.get(uri);
    if (holders?.delete(holder) && holders.size === 0) this.#forget(uri);
  }

  /** Takes notice of a client that begins to listen, or ends it (MCP 2026-07-28, subscriptions); settles as `add` does. */
  async heed(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return;
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
      const holder = holderOf(message.id);
      await Promise.all(listenedIn(message.params).map((uri) => this.add(uri, holder)));
    }
    if (message.method === 'notifications/cancelled') {
      const holder = holderOf(message.params?.requestId);
      for (const uri of [...this.#holders.keys()]) this.remove(uri, holder);
    }
  }

  close(): void {
    this.#holders.clear();
    this.#states.clear();
    for (const file of this.#files) unwatchFile(file, this.#look);
    this.#files = [];
  }

  #forget(uri: string): void {
    this.#holders.delete(uri);
    this.#states.delete(uri);
    if (this.#holders.size === 0) this.close();
  }

  #watch(): void {
    if (this.#files.length > 0) return;
    const { places } = this.#services.memory(undefined).where();
    this.#files = places.flatMap(({ context, diary }) => [context, diary]);
    for (const file of this.#files) watchFile(file, { interval: PACE, persistent: false }, this.#look);
  }

  readonly #look = (): void => {
    this.#looking = this.#looking.then(async () => {
      for (const [uri, before] of this.#states) {
        const now = await this.#stateOf(uri);
        if (now === before || !this.#states.has(uri)) continue;
        this.#states.set(uri, now);
        this.#tell(uri);
      }
    });
  };

  /** A file that can't be read is a state as well. */
  #stateOf(uri: string): Promise<string | undefined> {
    return stateOf(this.#services.memory(undefined), uri).catch(({ message }: Error) => message);
  }
}

function holderOf(id: unknown): string {
  return JSON.stringify(id) ?? CONNECTION;
}

/** The resources whose changes a request asks for. */
function listenedIn(params: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const asked = params?.notifications as { resourceSubscriptions?: unknown } | undefined;
  const uris = asked?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
