/** The order in which members of a list or an object are chosen: the first, the last, and on from both ends. */
export class Picks {
  readonly #taken: ReadonlySet<number>;
  readonly #share: number;
  #first = 0;
  #last: number;
  #heads = 0;
  #tails = 0;
  readonly #headEnd: number;
  readonly #tailStart: number;

  constructor(
    taken: ReadonlySet<number>,
    { members, firsts }: { readonly members: readonly unknown[]; readonly firsts: number },
    tailShare: number,
  ) {
    this.#taken = taken;
    this.#share = tailShare;
    this.#last = members.length - 1;
    this.#headEnd = firsts;
    this.#tailStart = firsts < members.length ? firsts : 0;
  }

  /** The next one that fits, from the end whose turn it is, or else from the other; undefined if there is none. */
  next(fits: (index: number) => boolean): number | undefined {
    while (this.#first < this.#headEnd && this.#taken.has(this.#first)) this.#first++;
    while (this.#last >= this.#tailStart && this.#taken.has(this.#last)) this.#last--;
    const head = this.#first < this.#headEnd && fits(this.#first) ? this.#first : undefined;
    const tail = this.#last >= this.#tailStart && fits(this.#last) ? this.#last : undefined;
    const isTail = head === undefined || (tail !== undefined && this.#isTailsTurn());
    if (isTail && tail !== undefined) this.#tails++;
    if (!isTail) this.#heads++;
    return isTail ? tail : head;
  }

  #isTailsTurn(): boolean {
    return (
      this.#heads > 0 && (this.#tails === 0 || this.#tails < this.#share * (this.#heads + this.#tails + 1))
    );
  }
}
