import type { Place, Places } from '../memory.ts';
import { type AnswerOptions, answerOf, shortLine } from './frame.ts';

/** Where memory is, and what is not read. */
export function whereAnswer(
  { places, unwanted, inMainTree, around, removed, fault }: Places,
  options: AnswerOptions,
): string {
  const lines = places.map((place) => [
    `${place.scope} facts: ${place.context}${factsNote(place)}`,
    `${place.scope} diary: ${place.diary}${place.isDiaryGone ? ' (gone)' : ''}`,
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

function factsNote({ isGone, copy }: Place): string {
  const gone = isGone ? 'gone; ' : '';
  if (copy === 'not a file')
    return ` (${gone}last-good.json beside it, which is to be a copy, is not a file)`;
  if (!isGone) return '';
  const way =
    copy === 'kept' ? 'plimsoll memory repair brings back what was in it' : 'there is no copy of it';
  return ` (${gone}${way})`;
}
