/** What editors and programs on Windows put before a text in UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** The byte order mark that a text starts with; empty if there is none. */
export function markOf(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
}

/** `JSON.parse` of a text that may start with a byte order mark. */
export function parseMarked(text: string): unknown {
  return JSON.parse(text.slice(markOf(text).length));
}
