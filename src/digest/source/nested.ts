/** Values that folders hold and that count for all that is below: rules of ignore files, for example. */
export class Nested<T> {
  readonly #own = new Map<string, T>();
  readonly #chains = new Map<string, readonly T[]>();

  /** Sets what a folder holds. The root is `''`; other folders have no slash at the end. */
  set(folder: string, value: T): void {
    this.#own.set(folder, value);
    this.#chains.clear();
  }

  get isEmpty(): boolean {
    return this.#own.size === 0;
  }

  /** What a folder and the folders around it hold, nearest first. */
  around(folder: string): readonly T[] {
    const known = this.#chains.get(folder);
    if (known) return known;
    const outer = folder === '' ? [] : this.around(parentOf(folder));
    const own = this.#own.get(folder);
    const chain = own === undefined ? outer : [own, ...outer];
    this.#chains.set(folder, chain);
    return chain;
  }
}

/** The folder that holds a path; `''` for what stands at the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
