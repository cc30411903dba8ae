import { type Entry, type Held, LongList, LongObject, LongText, RawNumber } from '../../json/held.ts';
import { ContainerPiece, type Member } from './container-piece.ts';
import { saysBase64 } from './media-strings.ts';
import type { Job, Piece, Spot, Written } from './piece.ts';
import type { Place, Rules } from './place.ts';
import { TextPiece } from './text-piece.ts';

export interface At {
  readonly depth: number;
  readonly spot: Spot | undefined;
  /** Where a schema says something about it. */
  readonly place: Place | undefined;
  /** What is missing in it is told elsewhere; of the values within it that isn't so. */
  readonly isTold: boolean;
  /** What stands beside it says that it is base64. */
  readonly isSaid?: boolean | undefined;
}

/** The pieces of a value. Deep values are expected to be cut off where they were read: this is recursive. */
export function pieceOf(job: Job, value: Held, at: At): Piece {
  if (typeof value === 'string' || value instanceof LongText) return new TextPiece(job, value, at);
  if (isScalar(value)) return scalar(job, value);
  const rules = at.place?.rulesFor(value);
  const container = new Container(job, value, at, rules?.isFree ? undefined : rules);
  if (Array.isArray(value)) return container.list(value, [], value.length);
  if (value instanceof LongList) return container.list(value.first, value.last, value.count, value);
  if (value instanceof LongObject) return container.object(value.first, value.last, value.count, value);
  const entries = Object.entries(value);
  return container.object(entries, [], entries.length);
}

class Container {
  readonly #job: Job;
  readonly #value: Held;
  readonly #at: At;
  readonly #rules: Rules | undefined;

  constructor(job: Job, value: Held, at: At, rules: Rules | undefined) {
    this.#job = job;
    this.#value = value;
    this.#at = at;
    this.#rules = rules;
  }

  list(first: readonly Held[], last: readonly Held[], count: number, written?: Written): Piece {
    const members = first.map((item, index) => this.#item(item, index));
    for (const [index, item] of last.entries()) members.push(this.#item(item, count - last.length + index));
    return this.#piece(false, members, first.length, count, written);
  }

  object(first: readonly Entry[], last: readonly Entry[], count: number, written?: Written): Piece {
    const isSaid = saysBase64([...first, ...last]);
    const members = first.map((entry) => this.#entry(entry, isSaid));
    for (const entry of last) members.push(this.#entry(entry, isSaid));
    return this.#piece(true, members, first.length, count, written);
  }

  #piece(isObject: boolean, members: Member[], firsts: number, count: number, written: Written | undefined) {
    const { depth, spot, isTold } = this.#at;
    const [original, rules] = [this.#value, this.#rules];
    const contents = { original, isObject, depth, members, firsts, count, written, rules, spot, isTold };
    return new ContainerPiece(this.#job, contents);
  }

  #item(value: Held, index: number): Member {
    const piece = this.#child(value, index, this.#rules?.item(index));
    const own = this.#rules?.isSet ? rigid(value, piece) : piece;
    return { value, piece: own, stays: false, keyCost: 0, keyChars: 0, keyBytes: 0 };
  }

  #entry([key, value]: Entry, isSaid: boolean): Member {
    const json = JSON.stringify(key);
    const piece = this.#child(value, key, this.#rules?.property(key), isSaid);
    const stays = this.#at.depth === 0 && this.#job.keeps.has(key);
    return {
      key,
      value,
      piece: stays ? rigid(value, piece) : piece,
      stays,
      keyCost: this.#job.cost(json) + this.#job.colon(this.#at.depth),
      keyChars: json.length + 1,
      keyBytes: Buffer.byteLength(json) + 1,
    };
  }

  #child(value: Held, key: string | number, place: Place | undefined, isSaid = false): Piece {
    if (isScalar(value)) return scalar(this.#job, value);
    const { depth, spot } = this.#at;
    const at = { depth: depth + 1, spot: { parent: spot, key }, place, isTold: false, isSaid };
    return pieceOf(this.#job, value, at);
  }
}

type Scalar = null | boolean | number | RawNumber;

function isScalar(value: Held): value is Scalar {
  return (
    (typeof value !== 'object' && typeof value !== 'string') || value === null || value instanceof RawNumber
  );
}

/** What is never changed. */
function scalar(job: Job, value: Scalar): Piece {
  const json = value instanceof RawNumber ? value.raw : String(value);
  const cost = job.cost(json);
  const [chars, bytes] = [json.length, json.length];
  return fixed(value, cost, chars, bytes);
}

function rigid(value: Held, { asIs, chars, bytes }: Piece): Piece {
  return fixed(value, asIs, chars, bytes);
}

function fixed(value: Held, cost: number, chars: number, bytes: number): Piece {
  const made = { value, cost };
  return { asIs: cost, full: cost, least: cost, useful: cost, some: cost, chars, bytes, to: () => made };
}
