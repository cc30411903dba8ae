import type { Held } from '../json/held.ts';
import type { Draft } from '../spool/spool.ts';
import { base64Of } from './data/base64.ts';
import { mediaStringsIn } from './data/media-strings.ts';

/** So many files are written of base64 within data. */
const MOST_FILES = 100;

/** The files that stand as base64 within data: each becomes a part of its own, decoded, however often it stands there. */
export class DataFiles {
  readonly #draft: Draft;
  /** The names of the parts, by the base64 as it was written. */
  readonly #names = new Map<string, string>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** Keeps those of a value that stands at a JSON pointer, and tells the part for each place that holds one. */
  keep(data: Held, pointer: string, found: (at: string, part: string) => void): void {
    for (const { at, text, media } of mediaStringsIn(data)) {
      const known = this.#names.get(text);
      if (known === undefined && this.#names.size >= MOST_FILES) continue;
      const name = known ?? `file${this.#names.size + 1}`;
      found(pointer + at, name);
      if (known !== undefined) continue;
      this.#names.set(text, name);
      const writer = this.#draft.part(name, pointer + at);
      writer.write(Buffer.from(base64Of(text)));
      writer.close({ kind: 'media', mimeType: media.mimeType });
    }
  }
}
