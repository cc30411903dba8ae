import { cutAround } from './around.ts';
import { cutCsv } from './csv.ts';
import { cutDiff } from './diff.ts';
import { type CutText, fits, type Job, jobOf, type TextToCut } from './job.ts';
import { cutJson, jsonOf } from './json.ts';
import { cutJsonLines } from './json-lines.ts';
import { cutLines, cutShort, cutWhole } from './lines.ts';

export type { CutText, TextToCut } from './job.ts';

/**
 * Cuts a text to its room, words and all: a head and a tail, and what was left out told at the very start and where it
 * is missing. JSON and JSON Lines stay what they are, CSV keeps its header and whole records, a diff whole hunks, a log the lines that tell
 * of errors; what is base64 is left out whole. What is shown is well-formed: half a surrogate pair is U+FFFD.
 * A text that fits comes back as it is. Undefined if not even the shortest words fit.
 */
export function cutText(what: TextToCut): CutText | undefined {
  const job = jobOf(what);
  const { isWhole, head } = job.source;
  if (isWhole && fits(job, head)) return { text: head, kind: 'plain', gaps: [] };
  const cut = cutAs(job);
  return cut && { ...cut, text: cut.text.toWellFormed() };
}

function cutAs(job: Job): CutText | undefined {
  const json = jsonOf(job);
  if (json !== undefined) return cutJson(job, json) ?? cutWhole(job);
  return cutJsonLines(job) ?? cutDiff(job) ?? cutCsv(job) ?? cutPlain(job) ?? cutShort(job);
}

/** Where base64 is left out of its own, no lines that tell of errors are looked for beyond what is shown. */
function cutPlain(job: Job): CutText | undefined {
  const lines = cutLines(job);
  return lines?.kind === 'log' ? lines : (cutAround(job, lines?.gaps ?? []) ?? lines);
}
