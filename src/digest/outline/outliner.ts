import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { built } from './built.ts';
import { NAMES } from './names.ts';
import type { Outline, OutlineFailure } from './outline.ts';
import type { Answer, Job } from './worker.ts';

export type { OutlineFailure } from './outline.ts';

const MOST_WORKERS = 4;
/** A worker that hasn't answered by then is ended; its own time limit should have come first. */
const PATIENCE = 3_000;
/** A worker that holds so many bytes is ended after its answer: parsers keep what they once took. */
const MOST_MEMORY = 201_326_592;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 };

interface Waiting {
  readonly job: Job;
  readonly settle: (result: Outline | OutlineFailure) => void;
}

interface Hand {
  readonly worker: Worker;
  busy: { readonly waiting: Waiting; readonly timer: NodeJS.Timeout } | undefined;
}

/** Parses files in worker threads; workers start when first needed and end with close(). */
export class Outliner {
  readonly #script: URL;
  readonly #hands = new Set<Hand>();
  readonly #queue: Waiting[] = [];
  readonly #most = Math.min(availableParallelism(), MOST_WORKERS);
  #closed = false;

  /** @param script what the workers run */
  constructor(script: URL = built('outline/worker.js')) {
    this.#script = script;
  }

  /**
   * Whether there is a grammar for a language.
   *
   * @param language the name as Linguist has it
   */
  static canOutline(language: string): boolean {
    return NAMES.has(language);
  }

  /**
   * Outlines a file. Never rejects: a file that takes too long, is too large or makes its parser fail is told as such,
   * and others don't suffer from it.
   *
   * @param language the name as Linguist has it
   */
  outline(text: string, language: string): Promise<Outline | OutlineFailure> {
    return new Promise((settle) => {
      if (this.#closed || !Outliner.canOutline(language)) return settle({ failure: 'parser' });
      this.#queue.push({ job: { text, language }, settle });
      this.#assign();
    });
  }

  /** Ends the workers. What still waits is told to have failed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { settle } of this.#queue.splice(0)) settle({ failure: 'parser' });
    await Promise.all([...this.#hands].map((hand) => this.#end(hand, 'parser')));
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const hand = [...this.#hands].find(({ busy }) => !busy) ?? this.#hire();
      if (!hand) return;
      const waiting = this.#queue.shift() as Waiting;
      const timer = setTimeout(() => this.#end(hand, 'time'), PATIENCE);
      hand.busy = { waiting, timer };
      hand.worker.ref();
      hand.worker.postMessage(waiting.job);
    }
  }

  /** Starts a worker, if there may be one more. */
  #hire(): Hand | undefined {
    if (this.#hands.size >= this.#most) return undefined;
    const worker = new Worker(this.#script, { resourceLimits: RESOURCE_LIMITS, execArgv: [] });
    const hand: Hand = { worker, busy: undefined };
    this.#hands.add(hand);
    worker.on('message', (answer: Answer) => {
      this.#settle(hand, answer.result);
      if (answer.memory > MOST_MEMORY) this.#end(hand, 'parser');
      this.#assign();
    });
    worker.on('error', () => this.#end(hand, 'parser'));
    worker.on('exit', () => this.#end(hand, 'parser'));
    return hand;
  }

  #settle(hand: Hand, result: Outline | OutlineFailure): void {
    const { busy } = hand;
    hand.busy = undefined;
    hand.worker.unref();
    if (!busy) return;
    clearTimeout(busy.timer);
    busy.waiting.settle(result);
  }

  /** Ends a worker. The file that it was at has failed; the others get another worker. */
  async #end(hand: Hand, failure: OutlineFailure['failure']): Promise<void> {
    if (!this.#hands.delete(hand)) return;
    this.#settle(hand, { failure });
    const ended = hand.worker.terminate();
    this.#assign();
    await ended;
  }
}
