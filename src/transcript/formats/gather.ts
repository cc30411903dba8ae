import { linesOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';

/** Longer turns are passed over, in UTF-16 units. */
const LONGEST_TURN = 64 * 1024 * 1024;

/** A thematic break of Markdown: writers of transcripts put one between turns. */
const LAST_BREAK = /(?:^|\n)[ \t]*(?:-{3,}|\*{3,}|_{3,})\s*$/;

export interface TextLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a source that is text. */
export async function* textLinesOf(source: Source, tally: Tally): AsyncGenerator<TextLine> {
  for await (const { number, bytes } of linesOf(source, tally))
    yield { line: number, text: bytes.toString() };
}

/** Makes turns of the lines that they stretch over. */
export class Gatherer {
  readonly #tally: Tally;
  readonly #separator: string;
  #opening: Omit<Turn, 'text'> | undefined;
  #lines: string[] = [];
  #length = 0;

  /** `separator` takes the place of line ends within a turn. */
  constructor(tally: Tally, separator = '\n') {
    this.#tally = tally;
    this.#separator = separator;
  }

  /** What is known of the turn that is being gathered. */
  get opening(): Omit<Turn, 'text'> | undefined {
    return this.#opening;
  }

  /** Begins a turn, and gives back the one before, if something was said in it. */
  begin(opening: Omit<Turn, 'text'>): Turn[] {
    const complete = this.end();
    this.#opening = opening;
    return complete;
  }

  /** Adds a line to the turn. Before the first turn it is counted. */
  add({ line, text }: TextLine): void {
    if (!this.#opening) {
      if (text.trim() !== '') this.#tally.add('other', 'text outside of turns', line);
      return;
    }
    this.#length += text.length;
    if (this.#length <= LONGEST_TURN) this.#lines.push(text);
    else this.#lines = [];
  }

  /** Ends the turn, and gives it back, if something was said in it. */
  end(): Turn[] {
    const opening = this.#opening;
    const isTooLong = this.#length > LONGEST_TURN;
    const text = this.#lines.join(this.#separator).replace(LAST_BREAK, '').trim();
    this.#opening = undefined;
    this.#lines = [];
    this.#length = 0;
    if (!opening) return [];
    if (text !== '') return [{ ...opening, text }];
    this.#tally.add(isTooLong ? 'too long' : 'empty', opening.role, opening.line);
    return [];
  }
}
