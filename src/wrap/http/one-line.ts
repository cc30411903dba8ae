const LF = 0x0a;
const CR = 0x0d;

/**
 * JSON with its line ends as spaces: a line end in JSON is white space wherever it stands, and a message has to fit
 * one line of stdio and one line of an event stream. The bytes given are changed where there is something to change.
 */
export function oneLine(bytes: Buffer): Buffer {
  blank(bytes, LF);
  blank(bytes, CR);
  return bytes;
}

/** The same for bytes as they come. */
export async function* oneLineOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield oneLine(bufferOf(chunk));
}

/** A view of the same bytes. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function blank(bytes: Buffer, byte: number): void {
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) bytes[at] = 0x20;
}
