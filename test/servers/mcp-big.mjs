// A server on stdio whose results are as large as the call asks for; it makes them while it writes them, so that it
// stays small itself. Tools, each with `bytes`:
//   lines       a text of lines of 100 characters
//   line        the same, all of it one line
//   base64      an image; `bytes` are those of the file
//   structured  structured content, a list of records, and a word about it
//   small       a short text
// `sha256` tells the hash and the size of what was last sent: of the text, the file, or the structured content.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const CHUNK = 48_000;
const STRUCTURED_SCHEMA = {
  type: 'object',
  properties: { records: { type: 'array', items: { type: 'object' } } },
  required: ['records'],
};

let last = { sha256: '', bytes: 0 };

const write = async (text) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
};

/** Writes the pieces that `next` makes, escaped by `escaped`, and remembers the hash of what they say. */
async function stream(bytes, next, escaped = (piece) => piece) {
  const hash = createHash('sha256');
  for (let done = 0; done < bytes; ) {
    const piece = next(done, Math.min(CHUNK, bytes - done));
    hash.update(piece);
    done += Buffer.byteLength(piece);
    await write(escaped(piece));
  }
  last = { sha256: hash.digest('hex'), bytes };
}

const lineAt = (end) => (at, size) => {
  let text = '';
  for (let i = Math.floor(at / 100); text.length < size; i++) text += `${`line ${i} `.padEnd(99, '.')}${end}`;
  return text.slice(0, size);
};

const KINDS = {
  lines: (bytes) => ['{"type":"text","text":"', () => stream(bytes, lineAt('\n'), escapeNewlines), '"}'],
  line: (bytes) => ['{"type":"text","text":"', () => stream(bytes, lineAt(' ')), '"}'],
  base64: (bytes) => [
    '{"type":"image","mimeType":"image/png","data":"',
    () => stream(bytes, fileAt, (piece) => piece.toString('base64')),
    '"}',
  ],
};

const escapeNewlines = (text) => text.replaceAll('\n', '\\n');

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** A file that starts as a PNG does, of bytes that don't repeat soon. */
function fileAt(at, size) {
  const piece = Buffer.alloc(size);
  for (let i = 0; i < size; i++) piece[i] = Math.imul(at + i + 1, 2654435761) >>> 24;
  if (at === 0) PNG.copy(piece);
  return piece;
}

async function answer(id, method, params) {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const whole = (result) => write(`${start}${JSON.stringify(result)}}\n`);
  if (method === 'initialize') {
    return whole({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'big', version: '1' },
    });
  }
  if (method === 'tools/list') {
    const names = ['small', 'sha256', 'structured', ...Object.keys(KINDS)];
    const tools = names.map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(name === 'structured' && { outputSchema: STRUCTURED_SCHEMA }),
    }));
    return whole({ tools });
  }
  const { name, arguments: { bytes = 0 } = {} } = params ?? {};
  if (name === 'small') return whole({ content: [{ type: 'text', text: 'small' }] });
  if (name === 'sha256') return whole({ content: [{ type: 'text', text: JSON.stringify(last) }] });
  if (name === 'structured') return structured(start, bytes);
  const [before, body, after] = KINDS[name](bytes);
  await write(`${start}{"content":[${before}`);
  await body();
  await write(`${after}]}}\n`);
}

async function structured(start, bytes) {
  const word = JSON.stringify([{ type: 'text', text: 'Records are in the structured content.' }]);
  await write(`${start}{"content":${word},"structuredContent":`);
  const hash = createHash('sha256');
  const add = (text) => {
    hash.update(text);
    return write(text);
  };
  await add('{"records":[');
  let size = 14;
  for (let i = 0; size < bytes; ) {
    let piece = '';
    for (; piece.length < CHUNK && size + piece.length < bytes; i++) {
      const record = { id: i, name: `record ${i}`, tags: ['a', 'b'], note: 'n'.repeat(60), value: i / 8 };
      piece += `${i === 0 ? '' : ','}${JSON.stringify(record)}`;
    }
    size += piece.length;
    await add(piece);
  }
  await add(']}');
  last = { sha256: hash.digest('hex'), bytes: size };
  await write('}}\n');
}

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method !== undefined) await answer(id, method, params);
}
