import type { HeldObject } from '../../json/held.ts';
import { parseMarked } from '../../json/mark.ts';
import { noticeKey } from '../data/notice-key.ts';
import { csvWithNotice } from '../text/csv.ts';
import { jsonLinesWithNotice } from '../text/json-lines.ts';

/**
 * A text that is whole with a notice in it, for readers who get nothing but this text: at its start, or, where the
 * text is JSON, JSON Lines or CSV, in a field, an item or a record of its own or within its string, so that it still parses.
 */
export function withNotice(text: string, notice: string): string {
  if (text === '') return notice;
  const json = parsed(text);
  if (json === undefined) {
    return jsonLinesWithNotice(text, notice) ?? csvWithNotice(text, notice) ?? `${notice}\n${text}`;
  }
  const quoted = JSON.stringify(notice);
  if (typeof json === 'string') return text.replace('"', () => `${quoted.slice(0, -1)}\\n`);
  if (Array.isArray(json)) {
    const end = text.lastIndexOf(']');
    return `${text.slice(0, end)}${json.length > 0 ? ',' : ''}${quoted}${text.slice(end)}`;
  }
  const start = text.indexOf('{') + 1;
  const comma = Object.keys(json).length > 0 ? ',' : '';
  return `${text.slice(0, start)}${JSON.stringify(noticeKey(Object.keys(json)))}:${quoted}${comma}${text.slice(start)}`;
}

/** An object with a notice as its first field. */
export function objectWithNotice(object: HeldObject, notice: string): HeldObject {
  return Object.assign(Object.create(null), { [noticeKey(Object.keys(object))]: notice }, object);
}

function parsed(text: string): object | string | undefined {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return parseMarked(text) as object | string;
  } catch {
    return undefined;
  }
}
