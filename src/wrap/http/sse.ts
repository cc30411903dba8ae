import { bufferOf } from './one-line.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const LINE_END = Buffer.from('\n');
const DATA = Buffer.from('data:');

/** What is held of a line that is no data (an id, a comment), in bytes. The rest of a longer one is not looked at. */
const MOST_OF_A_FIELD = 16_384;

/** An event of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerEvent {
  readonly type: string;
  /** In one piece if it came in one. A stream of pieces is there until the next event is asked for. */
  readonly data: Buffer | AsyncIterable<Buffer>;
}

/** The start of an event's data, a piece of it, or the end of an event with what is true from then on. */
type Token =
  | { readonly kind: 'data'; readonly type: string }
  | { readonly kind: 'piece'; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly id: string | undefined; readonly retry: number | undefined };

/** Reads the events of a stream of bytes, of any size, one after the other. Events without data are passed over. */
export class EventReader {
  /** The id of the last event that came whole, if the stream has ids. */
  lastId: string | undefined;
  /** How long to wait before connecting anew, in milliseconds, if the stream tells. */
  retry: number | undefined;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #parser = new EventParser();
  #tokens: Token[] = [];
  #at = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** The next event, or undefined at the end. What of the last event's data wasn't read is skipped. */
  async next(): Promise<ServerEvent | undefined> {
    for (let token = await this.#take(); token; token = await this.#take()) {
      if (token.kind === 'data') return { type: token.type, data: this.#whole() ?? this.#pieces() };
    }
    return undefined;
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** The event's data, if its end is here already. */
  #whole(): Buffer | undefined {
    let end = this.#at;
    while (end < this.#tokens.length && this.#tokens[end]?.kind !== 'end') end += 1;
    if (end === this.#tokens.length) return undefined;
    const pieces: Buffer[] = [];
    for (let token = this.#next(); token && token.kind !== 'end'; token = this.#next()) {
      if (token.kind === 'piece') pieces.push(token.bytes);
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    for (let token = await this.#take(); token; token = await this.#take()) {
      if (token.kind === 'end') return;
      if (token.kind === 'piece') yield token.bytes;
    }
    throw new Error('the stream ended within an event');
  }

  async #take(): Promise<Token | undefined> {
    while (this.#at >= this.#tokens.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#tokens = this.#parser.write(bufferOf(value));
      this.#at = 0;
    }
    return this.#next();
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#at++];
    if (token?.kind === 'end') {
      this.lastId = token.id ?? this.lastId;
      this.retry = token.retry ?? this.retry;
    }
    return token;
  }
}

/** Bytes in, tokens out. Holds nothing but the start of a line. */
class EventParser {
  #field = Buffer.alloc(0);
  #inData = false;
  #skipsSpace = false;
  #afterCr = false;
  #hasData = false;
  #type = '';
  #id: string | undefined;
  #retry: number | undefined;

  write(chunk: Buffer): Token[] {
    const tokens: Token[] = [];
    let at = this.#afterCr && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) this.#afterCr = false;
    let lf = chunk.indexOf(LF, at);
    let cr = chunk.indexOf(CR, at);
    while (at < chunk.length) {
      if (lf >= 0 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr >= 0 && cr < at) cr = chunk.indexOf(CR, at);
      const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
      this.#part(chunk.subarray(at, end < 0 ? chunk.length : end), tokens);
      if (end < 0) break;
      this.#endLine(tokens);
      at = end + 1;
      if (chunk[end] !== CR) continue;
      if (at === chunk.length) this.#afterCr = true;
      else if (chunk[at] === LF) at += 1;
    }
    return tokens;
  }

  /** A part of a line. */
  #part(part: Buffer, tokens: Token[]): void {
    if (part.length === 0) return;
    if (this.#inData) {
      this.#data(part, tokens);
      return;
    }
    const line = this.#field.length === 0 ? part : Buffer.concat([this.#field, part]);
    if (startsData(line)) {
      this.#field = Buffer.alloc(0);
      this.#startData(tokens);
      this.#data(line.subarray(DATA.length), tokens);
    } else {
      this.#field = Buffer.from(line.subarray(0, MOST_OF_A_FIELD));
    }
  }

  #startData(tokens: Token[]): void {
    this.#inData = true;
    this.#skipsSpace = true;
    if (this.#hasData) tokens.push({ kind: 'piece', bytes: Buffer.from(LINE_END) });
  }

  #data(part: Buffer, tokens: Token[]): void {
    const bytes = this.#skipsSpace && part[0] === SPACE ? part.subarray(1) : part;
    if (part.length > 0) this.#skipsSpace = false;
    if (bytes.length === 0) return;
    if (!this.#hasData) tokens.push({ kind: 'data', type: this.#type || 'message' });
    this.#hasData = true;
    tokens.push({ kind: 'piece', bytes });
  }

  #endLine(tokens: Token[]): void {
    if (this.#inData) this.#inData = false;
    else if (this.#field.length === 0) this.#endEvent(tokens);
    else this.#setField(this.#field.toString('utf8'));
    this.#field = Buffer.alloc(0);
  }

  #setField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retry = Number(value);
  }

  #endEvent(tokens: Token[]): void {
    tokens.push({ kind: 'end', id: this.#id, retry: this.#retry });
    this.#hasData = false;
    this.#type = '';
  }
}

function startsData(line: Buffer): boolean {
  return line.length >= DATA.length && line.subarray(0, DATA.length).equals(DATA);
}
