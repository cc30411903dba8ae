import { parentPort } from 'node:worker_threads';
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

parentPort?.on('message', async ({ text, language }: Job) => {
  const result = await parse(text, language);
  parentPort?.postMessage({ result, memory: memoryTaken() } satisfies Answer);
});
