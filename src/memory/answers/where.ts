import type { Places } from '../memory.ts';
import { type AnswerOptions, answerOf, shortLine } from './frame.ts';

/** Where memory is, and what is not read. */
export function whereAnswer(
  { places, unwanted, inMainTree, around, removed, fault }: Places,
  options: AnswerOptions,
): string {
  const lines = places.map(({ scope, context, diary, isGone }) => [
    `${scope} facts: ${context}${isGone ? ' (gone; plimsoll memory repair brings back what was in it)' : ''}`,
    `${scope} diary: ${diary}`,
  ]);
  const others: [string, string | undefined][] = [
    ['not read, since plimsoll memory init --project was not run there', unwanted],
    ['not read, since each work tree of git has its own', inMainTree],
    ['not read, since it is of a project around this repository', around],
    ['gone, though it is the memory of this project', removed],
    ['not known whether a project has one', fault],
  ];
  const notRead = others.flatMap(([why, what]) => (what === undefined ? [] : [`${why}: ${what}`]));
  const all = [...lines.flat(), ...notRead];
  const head = places.length > 1 ? 'Where memory is, the nearest first:' : 'Where memory is:';
  const width = Math.floor((options.limit - head.length - 2) / all.length) - 1;
  return answerOf(head, all.map((line) => shortLine(line, width)).join('\n'), options);
}
