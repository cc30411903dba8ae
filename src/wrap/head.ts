import { RawNumber } from '../json/held.ts';
import type { JsonEvents, Place } from '../json/walk.ts';
import type { Frame, Id } from './types.ts';

/** What a message says at its top. */
export type Head = Pick<Frame, 'id' | 'idText' | 'method' | 'answers'>;

/** Longer ids and methods are none, in characters. */
const LONGEST = 10_000;

/** What a message says at its top that was parsed. */
export function headOf(message: unknown): Head {
  const isObject = typeof message === 'object' && message !== null && !Array.isArray(message);
  const { id, method, ...rest } = (isObject ? message : {}) as Record<string, unknown>;
  return {
    id: isId(id) ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    answers: 'result' in rest ? 'result' : 'error' in rest ? 'error' : undefined,
  };
}

function isId(id: unknown): id is Id | null {
  return typeof id === 'string' || typeof id === 'number' || id === null;
}

/** Finds out what a message says at its top, while it is walked. */
export class HeadFinder implements JsonEvents {
  readonly #found: Record<string, unknown> = Object.create(null);
  #depth = 0;
  #key = '';
  #text = '';
  #idText: string | undefined;
  /** Whether it is a batch: a list of messages. */
  isBatch = false;

  get head(): Head {
    return { ...headOf({ ...this.#found }), idText: this.#idText };
  }

  openObject(at: Place): void {
    if (this.#depth > 0) this.#skip(at);
    this.#depth++;
  }

  closeObject(): void {
    this.#depth--;
  }

  openArray(at: Place): void {
    if (this.#depth === 0) this.isBatch = true;
    this.#skip(at);
    this.#depth++;
  }

  closeArray(): void {
    this.#depth--;
  }

  key(key: string): void {
    this.#key = key;
  }

  value(value: null | boolean | number | RawNumber): void {
    if (value instanceof RawNumber) this.#tell(Number(value.raw), value.raw);
    else this.#tell(value);
  }

  openText(at: Place): void {
    this.#text = '';
    if (this.#key !== 'id' && this.#key !== 'method') at.skip();
  }

  text(piece: string, at: Place): void {
    this.#text += piece;
    if (this.#text.length > LONGEST) at.skip();
  }

  closeText(): void {
    this.#tell(this.#text.length > LONGEST ? undefined : this.#text);
  }

  #skip(at: Place): void {
    this.#tell({});
    at.skip();
  }

  #tell(value: unknown, raw?: string): void {
    if (this.#depth !== 1 || !KEYS.has(this.#key)) return;
    this.#found[this.#key] = value;
    if (this.#key === 'id') this.#idText = raw;
  }
}

const KEYS: ReadonlySet<string> = new Set(['id', 'method', 'result', 'error']);
