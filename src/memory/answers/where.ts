import type { Memory } from '../memory.ts';
import { type AnswerOptions, answerOf, shortLine } from './frame.ts';

/** Where memory is. */
export function whereAnswer(
  { places, unwanted }: ReturnType<Memory['where']>,
  options: AnswerOptions,
): string {
  const lines = places.map(({ scope, context, diary }) => [
    `${scope} facts: ${context}`,
    `${scope} diary: ${diary}`,
  ]);
  const notRead =
    unwanted === undefined
      ? []
      : [`not read, since plimsoll memory init --project was not run there: ${unwanted}`];
  const all = [...lines.flat(), ...notRead];
  const head = places.length > 1 ? 'Where memory is, the nearest first:' : 'Where memory is:';
  const width = Math.floor((options.limit - head.length - 2) / all.length) - 1;
  return answerOf(head, all.map((line) => shortLine(line, width)).join('\n'), options);
}
