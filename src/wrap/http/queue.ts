/** How many wait at most before those that put more in are held back. */
const MOST_WAITING = 32;

/** A queue between those that put in and one that takes out. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #isClosed = false;
  #taker: (() => void) | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  /** Puts one in; after the queue has been closed, nothing. Settles when there is room for more. */
  put(item: T): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#items.push(item);
    this.#wake();
    if (this.#items.length < MOST_WAITING) return Promise.resolve();
    this.#room ??= makeDoor();
    return this.#room.promise;
  }

  /** No more comes: what is in it can still be taken out. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#openRoom();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        if (this.#items.length < MOST_WAITING) this.#openRoom();
        yield item;
      } else if (this.#isClosed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#taker = resolve;
        });
      }
    }
  }

  #wake(): void {
    this.#taker?.();
    this.#taker = undefined;
  }

  #openRoom(): void {
    this.#room?.open();
    this.#room = undefined;
  }
}

function makeDoor(): { promise: Promise<void>; open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
