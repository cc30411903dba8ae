import { LongText } from '../../json/held.ts';
import { cutHead, cutTail } from '../../text/cut.ts';
import { headWithin, tailWithin } from '../text/within.ts';
import type { Gap } from '../types.ts';
import { type Media, mediaOf } from './base64.ts';
import type { Job, Made, Piece, Spot } from './piece.ts';
import { pointerTo } from './piece.ts';
import type { Place } from './place.ts';

/** Strings that cost less are never cut: what says so would cost more. */
const SMALL = 24;
/** What a long string costs of which enough is left to know it by. */
const USEFUL = 160;
/** From which room on what is said in a string, and within a schema, says how to read on. */
export const ROOM_FOR_CALL = 600;
/** How often a cut is tried again where its words came out longer than they were thought to be. */
const TRIES = 4;

/** A way to show a string, and what is missing in it. */
interface Form {
  readonly text: string;
  readonly gap: Gap;
  readonly cost: number;
  /** It doesn't say that something is missing. */
  readonly isSilent: boolean;
}

/** A string: cut between a head and a tail, or, if it is base64, replaced. Within a schema, as far as that allows. */
export class TextPiece implements Piece {
  readonly asIs: number;
  readonly chars: number;
  readonly bytes: number;
  readonly #job: Job;
  readonly #value: string | LongText;
  readonly #place: Place | undefined;
  readonly #spot: Spot | undefined;
  readonly #media: Media | undefined;
  #smallest: Form | undefined | null;
  #replacement: Form | undefined;

  /** `isSaid` says whether what stands beside it says that it is base64. */
  constructor(
    job: Job,
    value: string | LongText,
    at: { place?: Place | undefined; spot?: Spot | undefined; isSaid?: boolean | undefined },
  ) {
    this.#job = job;
    this.#value = value;
    this.#place = at.place;
    this.#spot = at.spot;
    if (value instanceof LongText) {
      this.asIs = Number.POSITIVE_INFINITY;
      this.chars = value.escapedChars;
      this.bytes = value.bytes + value.escapedChars - value.chars;
    } else {
      const json = JSON.stringify(value);
      this.asIs = job.cost(json);
      this.chars = json.length;
      this.bytes = Buffer.byteLength(json);
    }
    const isDeclared = at.place?.rulesFor(value).isBase64;
    this.#media = this.asIs > SMALL ? mediaOf(value, isDeclared, at.isSaid) : undefined;
  }

  get full(): number {
    return this.#media ? (this.#instead()?.cost ?? this.asIs) : this.asIs;
  }

  get least(): number {
    return this.#least()?.cost ?? this.asIs;
  }

  get useful(): number {
    return this.full <= USEFUL ? this.full : Math.max(USEFUL, this.least);
  }

  get some(): number {
    return this.least;
  }

  to(room: number, gaps: Gap[]): Made {
    const smallest = !this.#media && this.asIs <= room ? undefined : this.#least();
    if (!smallest) return { value: this.#value, cost: this.asIs };
    const best = this.#media ? this.#instead() : this.#best(room);
    const { text, gap, cost, isSilent } = best && best.cost <= room ? best : smallest;
    gaps.push(gap);
    if (isSilent) this.#job.silent.add(gap);
    return { value: text, cost };
  }

  /** What stands for a file: where that is, or else the shortest that may stand here. */
  #instead(): Form | undefined {
    this.#replacement ??= this.#linked() ?? this.#least();
    return this.#replacement;
  }

  #linked(): Form | undefined {
    const { words } = this.#job;
    const file = this.#media && words.media?.(pointerTo(this.#spot), this.#media);
    if (!file) return undefined;
    const forms = (this.#job.isBound ? [file.uri, file.text] : [file.text]).map((text) =>
      this.#replaced(text),
    );
    return forms.find(({ text, cost }) => cost < this.asIs && this.#mayStand(text, file.uri));
  }

  /** The shortest form that may stand here, if it is shorter than the whole. */
  #least(): Form | undefined {
    if (this.asIs <= SMALL) return undefined;
    if (this.#smallest === undefined) {
      const forms = [...this.#leastForms()].filter(
        (form) => form.cost < this.asIs && this.#mayStand(form.text),
      );
      forms.sort((one, other) => one.cost - other.cost);
      this.#smallest = forms[0] ?? null;
    }
    return this.#smallest ?? undefined;
  }

  *#leastForms(): Generator<Form> {
    const { uri } = this.#job;
    const brief = this.#joined('', '');
    yield brief;
    if (!this.#place || this.#mayStand(brief.text)) return;
    if (uri !== undefined) yield this.#replaced(uri);
    if (this.#media) yield this.#replaced('');
    if (this.#media) return;
    const { head } = this.#ends();
    for (let length = 1; length < 2 * head.length; length *= 2) {
      yield this.#joined(cutHead(head, length), '');
      yield this.#prefix(length);
    }
  }

  /** The form that shows most, of those that cost at most `room`. */
  #best(room: number): Form | undefined {
    for (const cut of this.#cuts(room)) if (cut && this.#mayStand(cut.text)) return cut;
    if (!this.#place) return undefined;
    const inner = headWithin(this.#ends().head, room - 2 * this.#job.cost('"'), (text) => this.#inner(text));
    for (let length = inner.length; length >= 1; length = Math.floor(length / 2)) {
      const prefix = this.#prefix(length);
      if (prefix.cost <= room && this.#mayStand(prefix.text)) return prefix;
    }
    return undefined;
  }

  /** Cuts, the largest first: a schema may allow no more characters than there were, and fewer than there is room for. */
  *#cuts(room: number): Generator<Form | undefined> {
    const { words, isBound } = this.#job;
    if (room >= ROOM_FOR_CALL) yield this.#cut(room, isBound ? words.marker : words.further);
    yield this.#cut(room);
    for (let less = room / 2; this.#place && less > SMALL; less /= 2) yield this.#cut(less);
  }

  #cut(room: number, say = this.#job.words.brief): Form | undefined {
    const { head, tail } = this.#ends();
    let words = this.#joined('', '', say).cost;
    for (let tries = 0; tries < TRIES && words <= room; tries++) {
      const end = tailWithin(tail, Math.floor((room - words) * this.#job.tailShare), (text) =>
        this.#inner(text),
      );
      const start = headWithin(head, room - words - this.#inner(end), (text) => this.#inner(text));
      const form = this.#joined(start, end, say);
      if (form.cost <= room) return form;
      words += form.cost - room;
    }
    return undefined;
  }

  /** What is held of both ends. The inner ends of a long text's windows aren't known to be whole characters. */
  #ends(): { head: string; tail: string } {
    const value = this.#value;
    if (!(value instanceof LongText)) return { head: value, tail: value };
    return {
      head: cutHead(value.head, Math.max(0, value.head.length - 1)),
      tail: cutTail(value.tail, Math.max(0, value.tail.length - 1)),
    };
  }

  /** Whether a text may stand here; of addresses, that of the whole or another. */
  #mayStand(text: string, uri = this.#job.uri): boolean {
    return this.#place?.takes(text, this.#value, uri) ?? true;
  }

  /** With words between that say what is missing. */
  #joined(head: string, tail: string, say = this.#job.words.brief): Form {
    const gap = this.#gap(head, tail);
    return this.#form(head + say(gap) + tail, gap, false);
  }

  #prefix(length: number): Form {
    const head = cutHead(this.#ends().head, length);
    return this.#form(head, this.#gap(head, ''), true);
  }

  #replaced(text: string): Form {
    return this.#form(text, this.#gap('', ''), text === '');
  }

  #form(text: string, gap: Gap, isSilent: boolean): Form {
    return { text, gap, cost: this.#job.cost(JSON.stringify(text)), isSilent };
  }

  #gap(head: string, tail: string): Gap {
    const value = this.#value;
    const of = value instanceof LongText ? value.chars : value.length;
    const bytes = value instanceof LongText ? value.bytes : Buffer.byteLength(value);
    return {
      part: this.#job.part,
      at: pointerTo(this.#spot),
      unit: 'chars',
      from: head.length,
      to: of - tail.length,
      of,
      chars: of - tail.length - head.length,
      bytes: bytes - Buffer.byteLength(head) - Buffer.byteLength(tail),
    };
  }

  /** What a stretch of the string costs as JSON. */
  #inner(text: string): number {
    return this.#job.cost(JSON.stringify(text)) - 2 * this.#job.cost('"');
  }
}
