import { visibleName } from '../../text/visible.ts';
import type { Turn } from '../turn.ts';

const LONGEST_SPEAKER = 60;

/** What ends a line for some reader or other. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

/** What templates of models mark the turns of their prompt with: servers take them for marks wherever they stand. */
const TEMPLATE_MARK =
  /<(?=[|｜]|\/?(?:start_of_turn|end_of_turn|start_of_image|think|tool_call|tool_response|bos|eos|pad|unk|s)>|<\/?SYS>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/gi;

/** A text without marks that would end the prompt it stands in. */
export function withoutMarks(text: string): string {
  return text.replace(TEMPLATE_MARK, '$& ');
}

/**
 * A turn as a model reads it: `[3] 2026-11-30 person (Mara): text`. Further lines of the text are indented, so that none of
 * them can look like the start of another turn.
 *
 * @param date Its day, where it isn't that of the turn before.
 */
export function rendered({ role, speaker }: Turn, text: string, number: number, date: string): string {
  const name = (speaker ?? '')
    .replace(/[()[\]:]/g, ' ')
    .slice(0, LONGEST_SPEAKER)
    .toWellFormed();
  const who = name.trim() === '' ? role : `${role} (${visibleName(withoutMarks(name)).trim()})`;
  const said = withoutMarks(text).replace(LINE_END, '\n').trim().replace(/\n+/g, '\n  ');
  return `[${number}] ${date === '' ? '' : `${date} `}${who}: ${said}\n`;
}

/** The day of a turn, in UTC; empty if its time isn't known. */
export function dayOf({ time }: Turn): string {
  return /^\d{4}-\d\d-\d\d/.exec(time ?? '')?.[0] ?? '';
}
