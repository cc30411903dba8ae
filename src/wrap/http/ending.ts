/** Something that ends once, with a reason. */
export class Ending {
  readonly reason: Promise<string>;
  #isOver = false;
  #settle: (reason: string) => void = () => {};

  constructor() {
    this.reason = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends it. Whether this was the first time. */
  end(reason: string): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#settle(reason);
    return true;
  }
}
