import { lineStarts } from '../../text/lines.ts';
import type { Content } from '../content/content.ts';
import type { Outline } from '../outline/outline.ts';

/** Some lines of a file, each with its number. */
export interface Excerpt {
  /** `12: the twelfth line`, each with its line end. */
  readonly text: string;
  /** Characters of the decoded file that the lines stand for. */
  readonly chars: number;
  /** How many lines are shown, and how many the file has. */
  readonly shown: number;
  readonly lines: number;
  /** Whether something stands at a place of the text, by UTF-16 code unit. */
  readonly holds: (at: number) => boolean;
}

/** What a line, which has a number in its file, has to do with what the reader asks for; 0 for nothing. */
export type LineScore = (line: string, number: number) => number;

/** A signature that is longer is shown by so many of its lines. */
const SIGNATURE_LINES = 8;
/** A line that is longer is not worth its room while others wait. */
const LONG_LINE = 400;
/** A line is worth showing for what it has of the question if it has this share of what the best line has. */
const WANTED_SHARE = 0.4;
/** What the lines beside one that is wanted have of its worth. */
const BESIDE_SHARE = 0.5;
/** A signature comes just before the lines that are wanted of what it begins. */
const ABOVE_WANTED = 1.01;
/** So many lines are passed over, at most, that are too long for what is left. */
const PASSED_OVER = 20;

/** What of a file is worth showing first, second and so on. */
const RANKS = {
  exported: 0,
  exportedMember: 1,
  doc: 2,
  own: 3,
  import: 4,
  rest: 5,
  outside: 6,
  body: 7,
  blank: 8,
} as const;
type Rank = (typeof RANKS)[keyof typeof RANKS];

/** A file's lines in the order in which they are worth showing: any number of the first make an excerpt. */
export class Excerpts {
  readonly #content: Content;
  /** Where each line starts, and the text's end. */
  readonly #starts: readonly number[];
  readonly #order: readonly number[];
  /** Characters of the lines that an outline is made of. */
  readonly outlineChars: number;
  /** Characters of the lines that stand in no function's body. */
  readonly skeletonChars: number;

  /** @param outline of `content.text` */
  constructor(content: Content, outline: Outline, lineScore?: LineScore) {
    this.#content = content;
    this.#starts = [...lineStarts(content.text), content.text.length];
    const ranks = this.#ranksOf(outline);
    const counts = new Float64Array(RANKS.blank + 1);
    const scores = lineScore ? this.#wantedLines(outline, lineScore) : NO_SCORES;
    const byRank: number[][] = Array.from(counts, () => []);
    for (let line = 0; line < ranks.length; line++) {
      const kind = ranks[line] as Rank;
      counts[kind] = (counts[kind] as number) + this.#length(line);
      if (!scores.has(line)) byRank[kind]?.push(line);
    }
    this.outlineChars = counts.subarray(0, RANKS.outside).reduce((a, b) => a + b, 0);
    this.skeletonChars = this.outlineChars + (counts[RANKS.outside] as number);
    const wanted = [...scores].sort(
      ([a, score], [b, other]) => other - score || (ranks[a] as number) - (ranks[b] as number) || a - b,
    );
    this.#order = [...wanted.map(([line]) => line), ...byRank.flat()];
  }

  /** As many of the lines worth showing first as have at most `room` characters with their numbers; nothing where none has. */
  within(room: number): Excerpt | undefined {
    const taken: number[] = [];
    let left = room;
    let passed = 0;
    for (const line of this.#order) {
      if (passed > 0 && this.#saying(line) === 'nothing') break;
      const cost = String(this.#numberOf(line)).length + NUMBER_END.length + this.#length(line);
      if (cost <= left) {
        taken.push(line);
        left -= cost;
      } else if (++passed > PASSED_OVER || left < NUMBER_END.length) break;
    }
    return taken.length === 0 ? undefined : this.#excerptOf(taken.sort((a, b) => a - b));
  }

  #excerptOf(lines: readonly number[]): Excerpt {
    const { text, sourceChars } = this.#content;
    const parts: string[] = [];
    const spans: [number, number][] = [];
    for (const line of lines) {
      const start = this.#starts[line] as number;
      const end = this.#starts[line + 1] as number;
      const shown = text.slice(start, end);
      parts.push(`${this.#numberOf(line)}${NUMBER_END}${shown}${shown.endsWith('\n') ? '' : '\n'}`);
      const last = spans.at(-1);
      if (last && last[1] === start) last[1] = end;
      else spans.push([start, end]);
    }
    return {
      text: parts.join(''),
      chars: spans.reduce((sum, [start, end]) => sum + sourceChars(end) - sourceChars(start), 0),
      shown: lines.length,
      lines: this.#numberOf(this.#starts.length - 2),
      holds: (at) => spans.some(([start, end]) => start <= at && at < end),
    };
  }

  /** From 1, as the file itself has it: what was replaced by less lines counts with all it had. */
  #numberOf(line: number): number {
    const start = this.#starts[line] as number;
    let number = line + 1;
    for (const { at, lines } of this.#content.secrets) if (at < start) number += lines;
    return number;
  }

  #length(line: number): number {
    return (this.#starts[line + 1] as number) - (this.#starts[line] as number);
  }

  /** Whether a line has words, or just signs such as brackets and rules of dashes. */
  #saying(line: number): 'words' | 'signs' | 'nothing' {
    const { text } = this.#content;
    let hasSigns = false;
    for (let at = this.#starts[line] as number; at < (this.#starts[line + 1] as number); at++) {
      const code = text.charCodeAt(at);
      if (code > LAST_ASCII) {
        const rest = text.slice(at, this.#starts[line + 1]);
        if (WORD.test(rest)) return 'words';
        return hasSigns || rest.trim() !== '' ? 'signs' : 'nothing';
      }
      if (isLetterOrDigit(code)) return 'words';
      hasSigns ||= code > SPACE;
    }
    return hasSigns ? 'signs' : 'nothing';
  }

  #line(line: number): string {
    return this.#content.text.slice(this.#starts[line], this.#starts[line + 1]);
  }

  /** Lines that have to do with what the reader asks for, with those beside them and the signatures they stand in. */
  #wantedLines({ definitions }: Outline, lineScore: LineScore): Map<number, number> {
    const scores = new Map<number, number>();
    const raise = (line: number, score: number): void => {
      if (score > (scores.get(line) ?? 0)) scores.set(line, score);
    };
    const own: [number, number][] = [];
    let best = 0;
    for (let line = 0; line < this.#starts.length - 1; line++) {
      if (this.#length(line) > LONG_LINE) continue;
      const score = lineScore(this.#line(line), this.#numberOf(line));
      if (score > 0) own.push([line, score]);
      if (score > best) best = score;
    }
    for (const [line, score] of own) {
      if (score < best * WANTED_SHARE) continue;
      raise(line, score);
      for (const beside of [line - 1, line + 1])
        if (beside >= 0 && beside < this.#starts.length - 1) raise(beside, score * BESIDE_SHARE);
    }
    const matched = new Map(scores);
    for (const { signature, whole } of definitions) {
      let most = 0;
      for (let line = whole.start; line < whole.end; line++) most = Math.max(most, matched.get(line) ?? 0);
      if (most > 0) raise(signature.start, most * ABOVE_WANTED);
    }
    return scores;
  }

  #ranksOf({ imports, definitions }: Outline): Uint8Array {
    const count = this.#starts.length - 1;
    const ranks = new Uint8Array(count).fill(RANKS.outside);
    const put = (line: number, kind: Rank): void => {
      if (line < count && kind < (ranks[line] as Rank)) ranks[line] = kind;
    };
    for (const { body } of definitions) {
      if (body) ranks.fill(RANKS.body, body.start, Math.min(body.end, count));
    }
    for (const { start, end } of imports) for (let line = start; line < end; line++) put(line, RANKS.import);
    const isProse = this.#content.language?.type === 'prose';
    for (const [index, { signature, doc, exported, depth }] of definitions.entries()) {
      const kind = exported
        ? depth === 0
          ? RANKS.exported
          : RANKS.exportedMember
        : depth === 0
          ? RANKS.own
          : RANKS.rest;
      const end = Math.min(signature.end, signature.start + SIGNATURE_LINES);
      for (let line = signature.start; line < end; line++) put(line, kind);
      if (doc !== undefined)
        put(doc, index === 0 && isProse ? RANKS.exported : exported ? RANKS.doc : RANKS.rest);
    }
    for (let line = 0; line < count; line++) {
      const kind = ranks[line] as Rank;
      const saying = this.#saying(line);
      if (saying === 'nothing') ranks[line] = RANKS.blank;
      else if (kind >= RANKS.outside && saying === 'signs') ranks[line] = RANKS.body;
      else if (kind < RANKS.body && this.#length(line) > LONG_LINE) ranks[line] = RANKS.body;
    }
    return ranks;
  }
}

const NUMBER_END = ': ';
const NO_SCORES: ReadonlyMap<number, number> = new Map();
const WORD = /[\p{L}\p{N}]/u;
const LAST_ASCII = 0x7f;
const SPACE = 0x20;

/** Of ASCII. */
function isLetterOrDigit(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
