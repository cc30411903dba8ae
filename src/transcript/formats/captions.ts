import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { Gatherer, type TextLine, textLinesOf } from './gather.ts';
import { isPersonsName, type Named, namedIn, namesIn } from './named.ts';

const TIME = String.raw`(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}`;
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(?:\s|$)`);
const SUBRIP = new RegExp(String.raw`^(?:\d+[ \t]*\r?\n[ \t]*)?${TIME}[ \t]*-->`);
const NO_CUE = /^(NOTE|STYLE|REGION)(?=\s|$)/;
const WEBVTT = 'WEBVTT';
const SAMPLE = 64 * 1024;
const MOST_LINES = 1000;

/**
 * Captions of a recording, in WebVTT (W3C) or SubRip: cues, each a time and lines of text below it, with empty lines
 * between. All who speak are persons. Cues that follow each other are one turn while the speaker stays the same.
 *
 * Speakers are written in several ways: `<v Mara>…</v>` in WebVTT, `Mara: …`, `(Mara)` in a line of its own, and a dash
 * where somebody else begins. Times say how long after the start something was said, and no date, so turns have none.
 */
export const captions: Format = {
  name: 'captions',

  recognises: ({ text }) => /^WEBVTT(?:\s|$)/.test(text) || SUBRIP.test(text.trimStart()),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const speech = new Speech(tally, await areMostlyNamed(source));
    for await (const cue of cuesOf(source, tally)) yield* speech.add(cue);
    yield* speech.end();
  },
};

interface Cue {
  /** Where its time is. */
  readonly line: number;
  readonly lines: TextLine[];
}

/** The cues of a file, however damaged: one without a time is counted, and one needs no empty line before it. */
async function* cuesOf(source: Source, tally: Tally): AsyncGenerator<Cue> {
  let cue: Cue | undefined;
  /** Where a cue's name was, which its time has to follow. */
  let named: number | undefined;
  /** Whether the lines up to the next empty one are of no cue. */
  let isPassed = false;
  for await (const { line, text } of textLinesOf(source, tally)) {
    const isTiming = TIMING.test(text);
    if (cue && (isTiming || text === '')) {
      if (isTiming && /^\s*\d+\s*$/.test(cue.lines.at(-1)?.text ?? '')) cue.lines.pop();
      yield cue;
      cue = undefined;
    }
    if (named !== undefined && !isTiming) {
      tally.add('unreadable', 'cue', named);
      isPassed = true;
    }
    named = undefined;
    if (isTiming) cue = { line, lines: [] };
    else if (text === '') isPassed = false;
    else if (cue) cue.lines.push({ line, text });
    else if (!isPassed) {
      const other = NO_CUE.exec(text)?.[1];
      if (other) tally.add('other', other, line);
      isPassed = other !== undefined || (line === 1 && text.startsWith(WEBVTT));
      if (!isPassed) named = line;
    }
    if (cue && cue.lines.length > MOST_LINES) {
      tally.add('too long', 'cue', cue.line);
      cue = undefined;
      isPassed = true;
    }
  }
  if (cue) yield cue;
  if (named !== undefined) tally.add('unreadable', 'cue', named);
}

/** Makes turns of cues. */
class Speech {
  readonly #tally: Tally;
  readonly #turns: Gatherer;
  readonly #areMostNamed: boolean;
  /** Whether cues tell their speakers by tags: without one nobody knows who speaks. */
  #hasVoices = false;
  #last = '';

  constructor(tally: Tally, areMostNamed: boolean) {
    this.#tally = tally;
    this.#turns = new Gatherer(tally, ' ');
    this.#areMostNamed = areMostNamed;
  }

  *add({ line: start, lines }: Cue): Generator<Turn> {
    const text = plain(lines.map(({ text }) => text).join(' '));
    if (text === '') this.#tally.add('empty', 'cue', start);
    else if (SOUND.test(text)) this.#tally.add('other', 'sound', start);
    else {
      const hasVoice = lines.some(({ text }) => VOICE.test(text));
      if (this.#hasVoices && !hasVoice) yield* this.#speak(undefined, lines[0]?.line ?? start);
      this.#hasVoices ||= hasVoice;
      for (const line of lines) yield* this.#addLine(line, line === lines.at(-1));
    }
  }

  end(): Turn[] {
    return this.#turns.end();
  }

  *#addLine({ line, text }: TextLine, isLast: boolean): Generator<Turn> {
    const [before = '', ...voices] = text.split(VOICE);
    yield* this.#addPlain({ line, text: plain(before) }, isLast);
    for (let at = 0; at < voices.length; at += 2) {
      yield* this.#speak(plain(voices[at] ?? '') || undefined, line);
      this.#addText({ line, text: plain(voices[at + 1] ?? '') });
    }
  }

  /** Adds text without a voice, which may begin with a speaker. */
  *#addPlain({ line, text }: TextLine, isLast: boolean): Generator<Turn> {
    const dash = DASH.exec(text)?.[0] ?? '';
    const said = text.slice(dash.length);
    const named = this.#speakerIn(said, isLast);
    if (named) yield* this.#speak(named.name, line);
    else if (dash !== '') yield* this.#begin(undefined, line);
    this.#addText({ line, text: named?.text ?? said });
  }

  /** In captions of a film only the names in capitals are sure to be some. */
  #speakerIn(text: string, isLast: boolean): Named | undefined {
    const inBrackets = IN_BRACKETS.exec(text)?.[1];
    if (inBrackets !== undefined && !isLast && isPersonsName(inBrackets) && !NOISE.test(inBrackets)) {
      return { name: inBrackets, text: '' };
    }
    const named = namedIn(text);
    if (!named || !isPersonsName(named.name)) return undefined;
    return this.#areMostNamed || /^[^\p{Ll}]{2,}$/u.test(named.name) ? named : undefined;
  }

  #speak(speaker: string | undefined, line: number): Turn[] {
    const opening = this.#turns.opening;
    return opening && opening.speaker === speaker ? [] : this.#begin(speaker, line);
  }

  #begin(speaker: string | undefined, line: number): Turn[] {
    this.#last = '';
    return this.#turns.begin({ role: 'person', line, speaker });
  }

  /** Captions that roll up show each line again, above the next one. */
  #addText({ line, text }: TextLine): void {
    if (text === '') return;
    if (text === this.#last) {
      this.#tally.add('copy', 'line', line);
      return;
    }
    if (!this.#turns.opening) this.#begin(undefined, line);
    this.#last = text;
    this.#turns.add({ line, text });
  }
}

const VOICE = /<v(?:\.[^\s<>]*)?(?:\s([^<>]*))?>/;
const DASH = /^(?:[-–—]|>{2,3})\s*(?=[\p{L}\p{N}¿¡"'“‘«([])/u;
const IN_BRACKETS = /^\(([^()]{2,40})\)$/;
const NOISE = /laugh|applau|music|cheer|clap|silence|inaudible|cross-?talk|cough|sigh|pause|noise/i;
/** The whole of a cue that tells what can be heard. */
const SOUND = /^(?:\([^()]*\)|\[[^[\]]*\]|[♪♫]+)$/u;

/** Whether most cues begin with the name of who speaks. */
async function areMostlyNamed(source: Source): Promise<boolean> {
  const lines = (await headOf(source, SAMPLE)).toString().split(/\r?\n/);
  const starts = lines.filter((_, at) => TIMING.test(lines[at - 1] ?? ''));
  return namesIn(starts.map((start) => namedIn(plain(start).replace(DASH, '')))).length * 2 > starts.length;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['lrm', ''],
  ['rlm', ''],
]);

/** The text of a cue without tags and character references. */
function plain(text: string): string {
  return text
    .replace(/<\/?[a-z\d][^<>]*>|\{\\[^{}]*\}/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (reference, decimal, hex, name) =>
      name
        ? (ENTITIES.get(name) ?? reference)
        : characterOf(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/\s+/g, ' ')
    .trim();
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
}
