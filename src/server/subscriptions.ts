import { unwatchFile, watchFile } from 'node:fs';
import { stateOf } from './resources.ts';
import type { Services } from './services.ts';

/** How often files are looked at while somebody wants to know of changes, in milliseconds: others change them, too. */
const PACE = 500;

/** So many addresses are watched; of more, those that were asked for last. */
const MOST = 1000;

/** What a client wants to be told of: resources whose text has changed, by whoever. */
export class Subscriptions {
  readonly #services: Services;
  readonly #tell: (uri: string) => void;
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
  async add(uri: string): Promise<void> {
    this.#states.set(uri, await this.#stateOf(uri));
    const [oldest] = this.#states.keys();
    if (this.#states.size > MOST && oldest !== undefined) this.#states.delete(oldest);
    if (this.#files.length > 0) return;
    const { places } = this.#services.memory(undefined).where();
    this.#files = places.flatMap(({ context, diary }) => [context, diary]);
    for (const file of this.#files) watchFile(file, { interval: PACE, persistent: false }, this.#look);
  }

  remove(uri: string): void {
    this.#states.delete(uri);
    if (this.#states.size === 0) this.close();
  }

  close(): void {
    this.#states.clear();
    for (const file of this.#files) unwatchFile(file, this.#look);
    this.#files = [];
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
