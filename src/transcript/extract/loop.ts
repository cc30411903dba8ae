/** What is looked at of an answer's end, in UTF-16 code units. */
const LOOKED_AT = 1200;

/** So often something is there in a row that goes on without end. */
const LEAST_TIMES = 3;

/** What is sought to find out how long a round is; in UTF-16 code units. */
const SOUGHT = 40;

const LINE = /"line"\s*:\s*\d+/g;

/** Whether an answer goes round in circles: all of its end is one thing again and again, but for numbers of lines. */
export function isLooping(answer: string): boolean {
  if (answer.length < LOOKED_AT) return false;
  const end = answer.slice(-LOOKED_AT).replace(LINE, '');
  const last = end.length - SOUGHT;
  const before = end.lastIndexOf(end.slice(last), last - 1);
  const round = last - before;
  return before >= 0 && round * LEAST_TIMES <= end.length && end.slice(round) === end.slice(0, -round);
}
