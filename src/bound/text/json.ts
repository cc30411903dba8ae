import { type Held, LongList } from '../../json/held.ts';
import { textOf } from '../../json/long-text.ts';
import { markOf } from '../../json/mark.ts';
import { stringify } from '../../json/stringify.ts';
import { shrink } from '../data/shrink.ts';
import { type CutText, fits, type Job } from './job.ts';

/** What of a text in memory is held of its JSON: all that could stand in the room, and much more. */
const limitsFor = (room: number) => ({ textChars: room, listBytes: 8 * room });

/** What a text says as JSON, if it is an object, an array or a string; undefined if it isn't. */
export function jsonOf({ text, room }: Job): Held | undefined {
  if (typeof text !== 'string') return text.json;
  const mayBe = /^\s*["{[]/.test(text) && /["}\]]/.test(text.trimEnd().slice(-1));
  return mayBe ? textOf(text, limitsFor(room)).json : undefined;
}

/**
 * Shrinks JSON, so that it stays JSON, in the form it was written in: indented or not, with its byte order mark. Undefined if there is too little
 * room for that.
 */
export function cutJson(job: Job, value: Held): CutText | undefined {
  const { words, part, tailShare, cost } = job;
  const mark = markOf(job.source.head);
  const room = job.room - cost(mark);
  for (const indent of new Set([indentOf(job.source.head), ''])) {
    const indentDepth = depthOf(value);
    const shrunk = shrink(value, room, { words, part, tailShare, cost, indent, indentDepth });
    const text = shrunk && mark + stringify(shrunk.value, indent, indentDepth);
    if (shrunk && text !== undefined && fits(job, text)) return { text, kind: 'json', gaps: shrunk.gaps };
  }
  return undefined;
}

/** The JSON of a value in the form of another JSON text, which starts so. */
export function jsonLike(head: string, value: Held): string {
  return markOf(head) + stringify(value, indentOf(head), depthOf(value));
}

/** What the first line within the outermost object or array is indented by; empty if all stands in one line. */
function indentOf(head: string): string {
  return /^\s*[{[]\r?\n(\t| {1,10})\S/.exec(head)?.[1] ?? '';
}

/**
 * How deep JSON that is cut is indented: its items, or the items and fields of its fields, stand in a line each. Deeper
 * indentation takes room that its values need.
 */
function depthOf(value: Held): number {
  return Array.isArray(value) || value instanceof LongList ? 1 : 2;
}
