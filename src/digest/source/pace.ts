import { setImmediate as nextTurn } from 'node:timers/promises';
import { PlimsollError } from '../../errors.ts';

const STEPS_A_TURN = 4096;

/** Lets signals and timers have their turn in a long loop of synchronous work. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #steps = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** To be awaited where true: see `turn`. `steps` is the work done since the last call, in files. */
  isDue(steps: number): boolean {
    this.#steps += steps;
    return this.#steps >= STEPS_A_TURN;
  }

  /** Throws `ABORTED` where the user has stopped the run. */
  async turn(): Promise<void> {
    this.#steps = 0;
    await nextTurn();
    throwIfAborted(this.#signal);
  }
}

/** Throws a `PlimsollError` `ABORTED` where the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('ABORTED', 'Stopped before the digest was done.');
}
