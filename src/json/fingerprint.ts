import { createHash, type Hash } from 'node:crypto';
import { type Held, LongList, LongObject, LongText, RawNumber } from './held.ts';

/** What takes more characters than this is told by its hash. */
const LONGEST_TEXT = 4096;

/** So many digits survive being read as a number. */
const EXACT_DIGITS = 15;

/** Gathers the fingerprint of a value whose JSON comes in pieces. */
export class Fingerprint {
  #text = '';
  #hash: Hash | undefined;

  /** Takes the next piece: JSON as `JSON.stringify` writes it, but fingerprints in place of what is within. */
  add(json: string): void {
    if (this.#hash) {
      this.#hash.update(json);
      return;
    }
    this.#text += json;
    if (this.#text.length <= LONGEST_TEXT) return;
    this.#hash = createHash('sha256').update(this.#text);
    this.#text = '';
  }

  finish(): string {
    return this.#hash ? `#${this.#hash.digest('hex')}` : this.#text;
  }
}

/**
 * What tells JSON values apart: two are equal if their fingerprints are. White space, escapes and ways to write a
 * number (up to 15 digits) make no difference, nor does how much of a value is held; the order of keys does.
 */
export function fingerprintOf(value: Held): string {
  if (typeof value === 'string') return shortened(JSON.stringify(value));
  if (value === null || typeof value !== 'object') return String(value === 0 ? 0 : value);
  if (value instanceof RawNumber) return normalised(value.raw);
  if (value instanceof LongText || value instanceof LongList || value instanceof LongObject) {
    return value.fingerprint;
  }
  if (Array.isArray(value)) return shortened(`[${value.map(fingerprintOf).join()}]`);
  const entries = Object.entries(value).map(([key, item]) => fingerprintOfEntry(key, item));
  return shortened(`{${entries.join()}}`);
}

/** The fingerprint of an object's entry, as it stands in that of the object. */
export function fingerprintOfEntry(key: string, value: Held): string {
  return `${JSON.stringify(key)}:${fingerprintOf(value)}`;
}

function shortened(json: string): string {
  const fingerprint = new Fingerprint();
  fingerprint.add(json);
  return fingerprint.finish();
}

function normalised(raw: string): string {
  const number = Number(raw);
  const digits = raw
    .replace(/[eE].*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  const isExact = Number.isFinite(number) && digits.length <= EXACT_DIGITS;
  return isExact ? String(number === 0 ? 0 : number) : raw;
}
