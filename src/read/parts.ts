import { PlimsollError } from '../errors.ts';
import { ENVELOPE } from '../spool/envelope.ts';
import type { Kept, Part } from '../spool/types.ts';

/**
 * The part of that name; without a name, the one that is most likely meant: the first of `preferred`, or the first
 * that is not the whole result. Throws `NOT_IN_SPOOL` if there is none.
 */
export function partOf(
  kept: Kept,
  name: string | undefined,
  preferred: (part: Part) => boolean = () => false,
): Part {
  const parts = kept.parts.filter((part) => part.name !== ENVELOPE);
  const part =
    name === undefined
      ? (parts.find(preferred) ?? parts[0] ?? kept.parts[0])
      : kept.parts.find((other) => other.name === name);
  if (part) return part;
  const names = kept.parts.map((other) => other.name).join(', ');
  throw new PlimsollError(
    'NOT_IN_SPOOL',
    `There is no part '${shortened(name ?? '')}' of ${kept.handle}; there are: ${shortened(names)}.`,
  );
}

/** {@link partOf} a text. Throws `BAD_USAGE` for a medium, whose bytes are no text. */
export function textPartOf(kept: Kept, name: string | undefined, preferred?: (part: Part) => boolean): Part {
  const part = partOf(kept, name, preferred);
  if (part.kind !== 'media') return part;
  throw new PlimsollError('BAD_USAGE', mediaFacts(part));
}

/** The parts with files of their own, but for the whole result. */
export function ownParts(kept: Kept): Part[] {
  return kept.parts.filter(({ name, of }) => name !== ENVELOPE && of === undefined);
}

/** Whether a part is a string of the result, and not a value. */
export function standsAsText({ name, kind }: Part): boolean {
  return /^\d+$/.test(name) || kind === 'text';
}

/** What can be told of a medium in one sentence. */
export function mediaFacts(part: Part): string {
  return `Part ${part.name} is a file and no text: ${part.mimeType ?? 'of unknown type'}, ${part.bytes} bytes.`;
}

/** What is thrown where a part's file can't be read: `NOT_IN_SPOOL`. */
export function goneError(part: Part, error: unknown): PlimsollError {
  const code = (error as NodeJS.ErrnoException).code;
  const reason = code === 'ENOENT' ? 'it has been deleted' : `it can't be read (${code})`;
  return new PlimsollError('NOT_IN_SPOOL', `Part ${part.name} is no longer in the spool: ${reason}.`, {
    cause: error,
  });
}

/** At most 100 characters of what somebody gave, as {@link oneLine}, for a message. */
export function shortened(text: string, most = 100): string {
  return oneLine(text.length > most ? `${text.slice(0, most - 1)}…` : text);
}

/** A well-formed text in one line, a blank for each control character. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, ' ');
}
