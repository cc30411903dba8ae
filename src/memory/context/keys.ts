import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { hasUnseen, withUnseen } from './unseen.ts';

/** In UTF-16 code units, without the backslashes of escapes. */
const LONGEST_SEGMENT = 256;
const LONGEST_KEY = 1024;
const DEEPEST = 32;

/** How much of a key is shown that is refused, in UTF-16 code units. */
const SHOWN = 80;

/** What would reach an object's prototype in a program that reads the file without care. */
const POISON: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/**
 * The segments of a key as a user writes it: a path whose segments have dots between them. In it `\.` is a dot of a
 * segment and `\\` a backslash; a backslash before anything else is itself.
 *
 * Throws `BAD_KEY` for what may not be a key: one with an empty segment or one of white space alone, with characters
 * that can't be seen, with a name that leads to prototypes, with more than 256 characters in a segment, 1,024 in all
 * or 32 segments.
 */
export function parseKey(text: string): string[] {
  const segments = parseExistingKey(text);
  const reason = reasonAgainst(segments);
  if (reason !== undefined) throw refused(text, reason);
  return segments;
}

/**
 * As `parseKey`, for what reads and deletes: people and other programs may have written other keys into the file.
 * Throws `BAD_KEY` for what is no text, and for more than 1,024 characters, not counting the backslashes that stand before
 * dots and backslashes.
 */
export function parseExistingKey(text: string): string[] {
  if (typeof text !== 'string') throw refused(String(text), 'it is no text');
  const reason = reasonTooLong(text.replace(/\\([\\.])/g, '$1').length);
  if (reason !== undefined) throw refused(text, reason);
  return splitKey(text);
}

/** The segments of a key that this program wrote itself, such as one of the journal, however long it is. */
export function splitKey(text: string): string[] {
  const segments = [''];
  for (const [token] of text.matchAll(/\\[\\.]|./gs)) {
    if (token === '.') segments.push('');
    else segments[segments.length - 1] += token.length > 1 ? token.slice(1) : token;
  }
  return segments;
}

/** The key of the segments, from which `parseKey` makes the same ones. */
export function writeKey(segments: readonly string[]): string {
  return segments.map(writeSegment).join('.');
}

/** A segment as it stands in a key. */
export function writeSegment(segment: string): string {
  return segment.replace(/[\\.]/g, '\\$&');
}

/** A key for people to read: nothing in it deceives, and an empty one can be seen. */
export function shownKey(key: string): string {
  return key === '' ? '""' : visibleName(key);
}

/** Why the segments can't be a new key, if they can't. */
export function reasonAgainst(segments: readonly string[]): string | undefined {
  const tooLong = reasonTooLong(segments.join('.').length);
  if (tooLong !== undefined) return tooLong;
  if (segments.length > DEEPEST) {
    return `it has ${segments.length} segments, and a key may have ${DEEPEST}`;
  }
  for (const segment of segments) {
    if (segment.trim() === '') {
      return segments.length === 1
        ? 'a key must not be empty'
        : 'no segment between two dots may be empty; a dot that is part of a name is written "\\."';
    }
    if (segment.length > LONGEST_SEGMENT) {
      return `one of its segments has ${segment.length} characters, and a segment may have ${LONGEST_SEGMENT}`;
    }
    if (hasUnseen(segment)) return 'it has characters that nobody can see';
    if (POISON.has(segment)) return `"${segment}" is a name that programs may take for something else`;
  }
  return undefined;
}

function reasonTooLong(length: number): string | undefined {
  return length > LONGEST_KEY ? `it has ${length} characters, and a key may have ${LONGEST_KEY}` : undefined;
}

function refused(text: string, reason: string): PlimsollError {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new PlimsollError('BAD_KEY', `"${withUnseen(shown)}" can't be a key: ${reason}.`);
}
