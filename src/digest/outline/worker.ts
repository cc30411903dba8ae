import { parentPort } from 'node:worker_threads';
import { keepStdoutClean } from '../../stdout.ts';
import { memoryTaken } from './grammars.ts';
import type { Outline, OutlineFailure } from './outline.ts';
import { parse } from './parse.ts';

/** A file to outline. */
export interface Job {
  readonly text: string;
  readonly language: string;
}

/** What became of it, and the memory that the worker holds now. */
export interface Answer {
  readonly result: Outline | OutlineFailure;
  readonly memory: number;
}

/** What is nested too deep to walk through makes no outline; any other error ends the worker. */
async function outline({ text, language }: Job): Promise<Outline | OutlineFailure> {
  try {
    return await parse(text, language);
  } catch (error) {
    if (error instanceof RangeError) return { failure: 'parser' };
    throw error;
  }
}

keepStdoutClean();
parentPort?.on('message', async (job: Job) => {
  const result = await outline(job);
  parentPort?.postMessage({ result, memory: memoryTaken() } satisfies Answer);
});
