import { visibleName } from '../text/visible.ts';
import { JsonError, type JsonEvents, JsonWalk } from './walk.ts';

/** A place in a text as a person counts. */
export interface Position {
  /** From 1. A line ends with LF, CRLF or CR. */
  readonly line: number;
  /** From 1, in UTF-16 code units. A byte order mark doesn't count. */
  readonly column: number;
}

/** Where a text stops being JSON, and why. */
export interface JsonProblem extends Position {
  /** What is wrong there: a phrase. */
  readonly problem: string;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACES: readonly number[] = [0x20, 0x09, LF, CR];

const DEAF: JsonEvents = {
  openObject() {},
  closeObject() {},
  openArray() {},
  closeArray() {},
  key() {},
  value() {},
  openText: (at) => at.skip(),
  text() {},
  closeText() {},
};

/** What is wrong with `bytes` as JSON (RFC 8259) in UTF-8 without a byte order mark; `undefined` if nothing is. */
export function jsonProblem(bytes: Uint8Array): JsonProblem | undefined {
  try {
    const walk = new JsonWalk(DEAF);
    walk.write(bytes);
    walk.finish();
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { ...positionAt(bytes, error.offset), problem: phraseOf(bytes, error) };
  }
}

/** The position of the byte at `offset`, counted from 0, in a text in UTF-8. */
export function positionAt(bytes: Uint8Array, offset: number): Position {
  let line = 1;
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let at = from; at < offset; at++) {
    const byte = bytes[at];
    if (byte !== LF && (byte !== CR || bytes[at + 1] === LF)) continue;
    line++;
    from = at + 1;
  }
  const { length } = Buffer.from(bytes.subarray(from, offset)).toString('utf8');
  return { line, column: length + 1 };
}

/** What a walk over `bytes` stumbled over: a phrase, and how it may have come about where that is likely. */
export function phraseOf(bytes: Uint8Array, { offset, problem }: JsonError): string {
  const byte = bytes[offset];
  if (byte === undefined) return 'it ends in the middle';
  if (!problem.startsWith('Unexpected')) return problem.charAt(0).toLowerCase() + problem.slice(1);
  if (byte === LF || byte === CR) return 'a line ends within a string: a quote is missing';
  if (byte === 0) return 'a NUL byte';
  const char = charAt(bytes, offset);
  if (bytes[offset - 1] === 0x5c) return `"\\${char}" is no escape: a backslash itself is written "\\\\"`;
  const hint = hintOf(char, previous(bytes, offset));
  const name = char === '"' ? 'quote' : `"${char}"`;
  return `unexpected ${name}${hint && `: ${hint}`}`;
}

function hintOf(char: string, before: string): string {
  if (char === '/' || char === '#') return 'JSON has no comments';
  if (before === '"' && /^\w$/.test(char)) return 'a quote within a string is written \\"';
  if (/^[a-z'‘’“”]$/i.test(char)) return 'keys and strings stand in straight double quotes';
  if ('}]'.includes(char) && before === ',') return 'the comma before it is one too many';
  if (char === '"' && !'{[,:'.includes(before)) return 'a comma or a colon is missing before it';
  return '';
}

function charAt(bytes: Uint8Array, offset: number): string {
  const [char = ''] = Buffer.from(bytes.subarray(offset, offset + 4)).toString('utf8');
  return visibleName(char);
}

/** What stands before the white space before a place. */
function previous(bytes: Uint8Array, offset: number): string {
  let at = offset - 1;
  while (SPACES.includes(bytes[at] as number)) at--;
  return String.fromCharCode(bytes[at] ?? 0);
}
