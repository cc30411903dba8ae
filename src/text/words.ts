import { cutHead } from './cut.ts';

/** `1234567` as `1,234,567`, the same in every locale. */
export function group(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 file`, `1,234 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${group(count)} ${count === 1 ? one : many}`;
}

/** At most `max` characters, an ellipsis where some are missing. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${cutHead(text, max - 1)}…`;
}
