/** What leads from one text to another: other text in place of one span of bytes. */
export interface Splice {
  /** Where the span begins, in bytes from 0, and how many it has. */
  readonly at: number;
  readonly length: number;
  /** What is to stand there. */
  readonly text: string;
}

/** How many bytes are compared at a time. */
const BLOCK = 4096;

/** What leads from one text in UTF-8 to another one. */
export function spliceBetween(one: Buffer, other: Buffer): Splice {
  const start = characterStart(one, commonStart(one, other));
  const most = Math.min(one.length, other.length) - start;
  let end = 0;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  while (end > 0 && isInsideCharacter(one[one.length - end])) end--;
  return {
    at: start,
    length: one.length - end - start,
    text: other.toString('utf8', start, other.length - end),
  };
}

/** The text that a splice leads to. */
export function spliced(bytes: Buffer, { at, length, text }: Splice): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + length)]);
}

export function isSplice(value: unknown): value is Splice {
  const { at, length, text } = (value ?? {}) as Partial<Splice>;
  return Number.isSafeInteger(at) && Number.isSafeInteger(length) && typeof text === 'string';
}

function commonStart(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start + BLOCK <= most && one.compare(other, start, start + BLOCK, start, start + BLOCK) === 0) {
    start += BLOCK;
  }
  while (start < most && one[start] === other[start]) start++;
  return start;
}

/** The start of the character that a byte, or the end, belongs to. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && isInsideCharacter(bytes[start])) start--;
  return start;
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
