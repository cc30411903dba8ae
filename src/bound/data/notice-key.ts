/** The field in which a notice stands in JSON data, with more underscores before it where the data has such a field. */
export const NOTICE_KEY = '_plimsoll';

/** The name of the field that a notice takes among these. */
export function noticeKey(keys: Iterable<string>): string {
  const taken = new Set(keys);
  let key: string = NOTICE_KEY;
  while (taken.has(key)) key = `_${key}`;
  return key;
}
