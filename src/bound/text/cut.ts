import { LongText } from '../../json/held.ts';
import { markOf } from '../../json/mark.ts';
import type { Gap, Words } from '../types.ts';
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
 * is missing. JSON, a single string too, and JSON Lines stay what they are, CSV keeps its header and whole records, a diff whole hunks, a log the lines that tell
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
  if (typeof json === 'string' || json instanceof LongText) return cutString(job, json) ?? cutWhole(job);
  if (json !== undefined) return cutJson(job, json) ?? cutWhole(job);
  return cutJsonLines(job) ?? cutDiff(job) ?? cutCsv(job) ?? cutPlain(job) ?? cutShort(job);
}

/** Cuts a text that is one JSON string: what the string says is cut as plain text is, and quoted again. */
function cutString(job: Job, value: string | LongText): CutText | undefined {
  const mark = markOf(job.source.head);
  const said = jobOf({
    ...job,
    text: value,
    room: job.room - job.cost(`${mark}""`),
    cost: (text) => job.cost(JSON.stringify(text).slice(1, -1)),
    words: aboutString(job.words),
    maxLines: undefined,
  });
  const { isWhole, head } = said.source;
  const isShort = isWhole && fits(said, head);
  const cut = isShort ? { text: head, gaps: [] } : (cutPlain(said) ?? cutShort(said));
  const json = cut && mark + JSON.stringify(cut.text.toWellFormed());
  return json === undefined ? undefined : { text: json, kind: 'json', gaps: cut?.gaps.map(inString) ?? [] };
}

/** Words about gaps of a text that is a JSON string. */
function aboutString(words: Words): Words {
  return {
    ...words,
    notice: (gaps) => words.notice(gaps.map(inString)),
    marker: (gap) => words.marker(inString(gap)),
    further: (gap) => words.further(inString(gap)),
  };
}

/** A gap in the characters of a JSON string, whose lines are no lines of the text. */
function inString({ lines: _, ...gap }: Gap): Gap {
  return { ...gap, at: '' };
}

/** Where base64 is left out of its own, no lines that tell of errors are looked for beyond what is shown. */
function cutPlain(job: Job): CutText | undefined {
  const lines = cutLines(job);
  return lines?.kind === 'log' ? lines : (cutAround(job, lines?.gaps ?? []) ?? lines);
}
