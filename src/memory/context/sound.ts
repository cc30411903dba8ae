import { JsonError, type JsonEvents, JsonWalk, type Place } from '../../json/walk.ts';

/** What is left of a JSON text that is damaged. */
export interface Sound {
  /** Its start, up to the last value before the damage that is there whole, and brackets that close what is open. */
  readonly json: string;
  /** Whether nothing else is wrong than that the text ends too early. */
  readonly isCut: boolean;
}

/** Nothing, or the beginning of a number or a word. */
const CUT_TOKEN = /^[-+.\w]*$/;

/** The sound start of a JSON text. */
export function soundStart(text: string): Sound {
  const bytes = Buffer.from(text);
  const finder = new SoundFinder(bytes.length);
  try {
    const walk = new JsonWalk(finder);
    walk.write(bytes);
    walk.finish();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { json: finder.close(bytes), isCut: CUT_TOKEN.test(bytes.toString('latin1', error.offset)) };
  }
  return { json: text, isCut: false };
}

class SoundFinder implements JsonEvents {
  readonly #length: number;
  #end = 0;
  /** What closes the containers that are open at the end of what is sound. */
  readonly #closers: string[] = [];

  constructor(length: number) {
    this.#length = length;
  }

  close(bytes: Buffer): string {
    return bytes.toString('utf8', 0, this.#end) + this.#closers.toReversed().join('');
  }

  openObject({ end }: Place): void {
    this.#closers.push('}');
    this.#end = end;
  }

  closeObject({ end }: Place): void {
    this.#closers.pop();
    this.#end = end;
  }

  openArray({ end }: Place): void {
    this.#closers.push(']');
    this.#end = end;
  }

  closeArray({ end }: Place): void {
    this.#closers.pop();
    this.#end = end;
  }

  key(): void {}

  /** Of a number at the very end nobody knows whether it is whole. */
  value(_: unknown, { end }: Place): void {
    if (end < this.#length) this.#end = end;
  }

  openText(at: Place): void {
    at.skip();
  }

  text(): void {}

  closeText({ end }: Place): void {
    this.#end = end;
  }
}
