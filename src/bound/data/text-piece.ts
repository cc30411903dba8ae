import { LongText } from '../../json/held.ts';
import { cutHead, cutTail } from '../../text/cut.ts';
import { headWithin, tailWithin } from '../text/within.ts';
import type { Gap } from '../types.ts';
import { mediaOf } from './base64.ts';
import type { Job, Piece, Spot } from './piece.ts';
import { pointerTo } from './piece.ts';
import type { Place } from './place.ts';

/** Strings that cost less are never cut: what says so would cost more. */
const SMALL = 24;
/** How often a cut is tried again where its words came out longer than they were thought to be. */
const TRIES = 4;

/** A way to show a string, and what is missing in it. */
interface Form {
  readonly text: string;
  readonly gap: Gap;
  readonly cost: number;
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
  readonly #isMedia: boolean;
  #smallest: Form | undefined | null;

  constructor(
    job: Job,
    value: string | LongText,
    at: { place?: Place | undefined; spot?: Spot | undefined },
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
    const declared = at.place?.rulesFor(value).isBase64;
    this.#isMedia = this.asIs > SMALL && mediaOf(value, declared) !== undefined;
  }

  get full(): number {
    const smallest = this.#isMedia ? this.#least() : undefined;
    return smallest ? smallest.cost : this.asIs;
  }

  get least(): number {
    return this.#least()?.cost ?? this.asIs;
  }

  to(room: number, gaps: Gap[]): string {
    if (!this.#isMedia && this.asIs <= room) return this.#value as string;
    const smallest = this.#least();
    if (!smallest) return this.#value as string;
    const { text, gap } = (this.#isMedia ? undefined : this.#best(room)) ?? smallest;
    gaps.push(gap);
    return text;
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
    if (this.#isMedia) yield this.#replaced('');
    if (this.#isMedia) return;
    const { head } = this.#ends();
    for (let length = 1; length < 2 * head.length; length *= 2) {
      yield this.#joined(cutHead(head, length), '');
      yield this.#prefix(length);
    }
  }

  /** The form that shows most, of those that cost at most `room`. */
  #best(room: number): Form | undefined {
    const cut = this.#cut(room);
    if (cut && this.#mayStand(cut.text)) return cut;
    if (!this.#place) return undefined;
    const inner = headWithin(this.#ends().head, room - 2 * this.#job.cost('"'), (text) => this.#inner(text));
    for (let length = inner.length; length >= 1; length = Math.floor(length / 2)) {
      const prefix = this.#prefix(length);
      if (prefix.cost <= room && this.#mayStand(prefix.text)) return prefix;
    }
    return undefined;
  }

  #cut(room: number): Form | undefined {
    const { head, tail } = this.#ends();
    let words = this.#joined('', '').cost;
    for (let tries = 0; tries < TRIES && words <= room; tries++) {
      const end = tailWithin(tail, Math.floor((room - words) * this.#job.tailShare), (text) =>
        this.#inner(text),
      );
      const start = headWithin(head, room - words - this.#inner(end), (text) => this.#inner(text));
      const form = this.#joined(start, end);
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

  #mayStand(text: string): boolean {
    return this.#place?.takes(text, this.#value, this.#job.uri) ?? true;
  }

  #joined(head: string, tail: string): Form {
    const gap = this.#gap(head, tail);
    return this.#form(head + this.#job.words.brief(gap) + tail, gap);
  }

  #prefix(length: number): Form {
    const head = cutHead(this.#ends().head, length);
    return this.#form(head, this.#gap(head, ''));
  }

  #replaced(text: string): Form {
    return this.#form(text, this.#gap('', ''));
  }

  #form(text: string, gap: Gap): Form {
    return { text, gap, cost: this.#job.cost(JSON.stringify(text)) };
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
