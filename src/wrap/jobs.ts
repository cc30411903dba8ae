/** Work that holds nothing up, and of which there may be only so much at a time. */
export class Jobs {
  readonly #most: number;
  readonly #all = new Set<Promise<void>>();
  #busy = 0;
  #wakes: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a job, whether there is room for it or not; settles when it is done. */
  start(work: () => Promise<void>): Promise<void> {
    this.#busy++;
    const job = work().finally(() => {
      this.#all.delete(job);
      this.#rest();
    });
    this.#all.add(job);
    return job;
  }

  /** Settles when more work may begin. */
  async room(): Promise<void> {
    while (this.#busy >= this.#most) await new Promise<void>((resolve) => this.#wakes.push(resolve));
  }

  /** Within a job: waits for what may need others to work first, and takes up no room meanwhile. */
  async wait<T>(other: Promise<T>): Promise<T> {
    this.#rest();
    try {
      return await other;
    } finally {
      this.#busy++;
    }
  }

  /** Settles when all that has begun is done. */
  async done(): Promise<void> {
    await Promise.all(this.#all);
  }

  #rest(): void {
    this.#busy--;
    for (const wake of this.#wakes.splice(0)) wake();
  }
}
