/** How many steps may be taken for one result: ten times what 100,000 characters of records with alternatives take. */
const MOST_STEPS = 10_000_000;

/** Thrown where a schema asks for more steps than there are. */
export class OutOfSteps extends Error {}

/**
 * The steps that may still be taken to follow a schema. Schemas come from servers nobody vouches for, and a small one can
 * ask for a number of steps that is exponential in its size or in a value's depth.
 */
export class Steps {
  #left: number;

  constructor(most = MOST_STEPS) {
    this.#left = most;
  }

  /** Takes a step. Throws `OutOfSteps` if there is none left. */
  take(): void {
    if (this.#left === 0) throw new OutOfSteps();
    this.#left--;
  }
}

/** Whether an error says that a schema asks for more than can be done: for too many steps, or for too deep a recursion. */
export function isEndless(error: unknown): boolean {
  return error instanceof OutOfSteps || error instanceof RangeError;
}
