import { LongText } from '../../json/held.ts';

/** What is known of a text that is to be cut: a string is known whole, of a long text its ends and its size. */
export interface Source {
  readonly chars: number;
  readonly bytes: number;
  readonly lines: number;
  /** The text from its start and to its end, as far as it is held. */
  readonly head: string;
  readonly tail: string;
  readonly isWhole: boolean;
}

export function sourceOf(text: string | LongText): Source {
  if (text instanceof LongText && text.head.length + text.tail.length < text.chars) {
    const { chars, bytes, lines, head, tail } = text;
    return { chars, bytes, lines, head, tail, isWhole: false };
  }
  const whole = text instanceof LongText ? text.head + text.tail : text;
  return {
    chars: whole.length,
    bytes: Buffer.byteLength(whole),
    lines: linesIn(whole),
    head: whole,
    tail: whole,
    isWhole: true,
  };
}

/** The characters from `from` to `to` of a text; undefined where they aren't held. */
export function sliceOf(source: Source, from: number, to: number): string | undefined {
  const tailFrom = source.chars - source.tail.length;
  if (to <= source.head.length) return source.head.slice(from, to);
  return from >= tailFrom ? source.tail.slice(from - tailFrom, to - tailFrom) : undefined;
}

/** Lines of a text: newlines, and one more if it doesn't end in one. */
export function linesIn(text: string): number {
  return newlinesIn(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Where the first `count` lines of a text end. */
export function endOfLines(text: string, count: number): number {
  let end = 0;
  for (let lines = 0; lines < count && end < text.length; lines++) {
    end = text.indexOf('\n', end) + 1 || text.length;
  }
  return end;
}

/** Where the last `count` lines of a text start. */
export function startOfLines(text: string, count: number): number {
  let start = text.length;
  for (let lines = 0; lines < count && start > 0; lines++) {
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  }
  return start;
}
