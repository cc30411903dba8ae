import { lengthOutsideEscapes } from '../json/escapes.ts';
import type { IndentedLines } from '../json/indent.ts';
import { cutHead } from '../text/cut.ts';
import { decodeText, wholeLength } from '../text/wtf8.ts';
import { BytesOut } from './bytes-out.ts';

/** The most characters of a line in a view. */
export const LONGEST_LINE = 1000;

/** So many bytes have more characters than a line may have, and what a cut needs to see behind them. */
const WINDOW = 3 * (LONGEST_LINE + 200);

const LINE_BUFFER = 4 * WINDOW;

/** So few bytes are copied faster one by one. */
const FEW = 32;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** A control sequence (ECMA-48) that isn't finished at the end of a text. */
const UNFINISHED_SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$/;
/** How far back a cut moves to stay out of one, in characters. */
const REACH = 256;

/**
 * Lays a text out in lines of at most 1,000 characters, and tells of each which byte of the text it starts with. What
 * is ready waits to be taken.
 */
export class ViewLines implements IndentedLines {
  readonly #wholeLengthOf: (head: string) => number;
  /** The line that isn't finished: from `start` to `end`. */
  readonly #line = Buffer.alloc(LINE_BUFFER);
  #start = 0;
  #end = 0;
  /** Where runs of the text's bytes begin in the line, each followed by where it stands in the text. */
  #runs: number[] = [];
  /** Where the text goes on. */
  #next = 0;
  #count = 0;
  readonly #view = new BytesOut();
  readonly #map = new BytesOut();

  constructor(kind: 'text' | 'json') {
    this.#wholeLengthOf = kind === 'json' ? lengthOutsideEscapes : lengthOutsideSequences;
  }

  copy(bytes: Uint8Array, from: number, to: number, at: number): void {
    if (this.#runs.length === 0 || this.#next !== at) this.#runs.push(this.#end, at);
    for (let done = from; done < to; ) {
      const count = Math.min(to - done, LINE_BUFFER - this.#end);
      this.#append(bytes, done, count);
      done += count;
      if (this.#end === LINE_BUFFER) this.#makeRoom();
    }
    this.#next = at + to - from;
  }

  space(count: number): void {
    if (this.#end + count >= LINE_BUFFER) this.#makeRoom();
    for (let done = 0; done < count; done++) this.#line[this.#end++] = SPACE;
    // What comes next starts a run of its own.
    if (this.#runs.length > 0) this.#runs.push(this.#end, this.#next);
  }

  /** `newline` is how many bytes of the text itself the line's end takes. */
  end(newline = 0): void {
    this.#wrapAll();
    this.#put(this.#end);
    this.#view.byte(NEWLINE);
    this.#next += newline;
    this.#start = 0;
    this.#end = 0;
    this.#runs.length = 0;
  }

  /** Ends the last line, without a newline. */
  finish(): void {
    this.#wrapAll();
    if (this.#end > this.#start) this.#put(this.#end);
  }

  /** What of the view and of the map is ready, until more comes. */
  take(): { readonly view: Buffer; readonly map: Buffer } {
    return { view: this.#view.take(), map: this.#map.take() };
  }

  #wrapAll(): void {
    for (let at = this.#cut(); at < this.#end; at = this.#cut()) this.#wrap(at);
  }

  #makeRoom(): void {
    while (this.#end - this.#start > WINDOW) this.#wrap(this.#cut());
    this.#line.copyWithin(0, this.#start, this.#end);
    for (let run = 0; run < this.#runs.length; run += 2) this.#runs[run] = this.#runIn(run) - this.#start;
    this.#end -= this.#start;
    this.#start = 0;
  }

  #wrap(at: number): void {
    this.#put(at);
    this.#view.byte(NEWLINE);
    let run = 0;
    while (run + 2 < this.#runs.length && this.#runIn(run + 2) <= at) run += 2;
    this.#runs.splice(0, run + 2, at, (this.#runs[run + 1] as number) + at - this.#runIn(run));
    this.#start = at;
  }

  #runIn(run: number): number {
    return this.#runs[run] as number;
  }

  #append(bytes: Uint8Array, from: number, count: number): void {
    if (count > FEW) {
      this.#line.set(bytes.subarray(from, from + count), this.#end);
      this.#end += count;
    } else {
      for (let done = 0; done < count; done++) this.#line[this.#end++] = bytes[from + done] as number;
    }
  }

  /** Where the first line's worth of the line ends: at its end, if it isn't too long. */
  #cut(): number {
    const rest = this.#line.subarray(this.#start, this.#end);
    if (rest.length <= LONGEST_LINE) return this.#end;
    const window = rest.subarray(0, WINDOW);
    const whole = wholeLength(window);
    const text = decodeText(window.subarray(0, whole));
    const isAll = window.length === rest.length;
    if (isAll && text.length - (rest.at(-1) === RETURN ? 1 : 0) <= LONGEST_LINE) return this.#end;
    return this.#start + (Buffer.byteLength(text) === whole ? this.#headOf(text) : cutBytes(window));
  }

  /** The bytes of the longest head that damages nothing. */
  #headOf(text: string): number {
    const head = cutHead(text, LONGEST_LINE);
    return Buffer.byteLength(head.slice(0, this.#wholeLengthOf(head)));
  }

  /** Puts the line out up to `to`. */
  #put(to: number): void {
    this.#count += 1;
    this.#map.number(this.#count);
    this.#map.byte(TAB);
    this.#map.number(this.#runs[1] ?? this.#next);
    this.#map.byte(NEWLINE);
    this.#view.copy(this.#line, this.#start, to);
  }
}

/** Of bytes that aren't UTF-8: a character takes at least one. */
function cutBytes(bytes: Uint8Array): number {
  let at = LONGEST_LINE;
  while (at > LONGEST_LINE - 4 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** How much of a text there is without the control sequence that isn't finished at its end. */
function lengthOutsideSequences(head: string): number {
  const unfinished = UNFINISHED_SEQUENCE.exec(head.slice(-REACH));
  return head.length - (unfinished?.[0].length ?? 0) || head.length;
}
