import type { NewValue } from '../memory.ts';

/** The values in a file, as JSON by their keys; of a key that stands there twice the last. */
export class Values {
  readonly #jsons = new Map<string, string>();
  readonly #repeated = new Set<string>();

  set(key: string, json: string): void {
    const before = this.#jsons.get(key);
    if (before !== undefined && before !== json) this.#repeated.add(key);
    this.#jsons.set(key, json);
  }

  /** Each key once. */
  get all(): NewValue[] {
    return Array.from(this.#jsons, ([key, json]) => ({ key, json }));
  }

  /** The keys that stood there with another value as well, which doesn't count. */
  get repeated(): string[] {
    return [...this.#repeated];
  }
}
