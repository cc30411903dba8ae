/** A queue that drops its oldest. */
export class Newest<T> {
  #items: { readonly item: T; readonly size: number }[] = [];
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: T, size: number): void {
    this.#items.push({ item, size });
    this.#size += size;
  }

  /** Drops the oldest ones until the others have room, and gives them. */
  shrink(room: number): T[] {
    const from = this.#first;
    while (this.#size > room) this.#size -= this.#items[this.#first++]?.size ?? 0;
    const dropped = this.#items.slice(from, this.#first).map(({ item }) => item);
    if (this.#first > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return dropped;
  }

  /** The oldest first. */
  all(): T[] {
    return this.#items.slice(this.#first).map(({ item }) => item);
  }
}
