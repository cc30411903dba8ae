import { setImmediate } from 'node:timers/promises';
import { type Held, isHeldObject, LongList, LongText, type RawNumber } from '../json/held.ts';
import { isBase64 } from '../json/long-text.ts';
import { parseMarked } from '../json/mark.ts';
import { Sketch } from '../json/sketch.ts';
import { type JsonEvents, JsonWalk, type Place } from '../json/walk.ts';
import { ENVELOPE, standInKey } from '../spool/envelope.ts';
import type { Draft, PartWriter } from '../spool/spool.ts';
import { encodeText } from '../text/wtf8.ts';
import { DataFiles } from './data-files.ts';
import { type Put, RawCopy } from './raw-copy.ts';

/** How much of a result is held. */
export interface IntakeLimits {
  /** How many characters may be shown in the end: as much of a long text is held at either end. */
  readonly textChars: number;
}

/** A result that was taken in: what is held of it, and the draft that has the whole, not published yet. */
export interface TakenIn {
  readonly held: Held;
  /** Of the result's JSON as it came. */
  readonly chars: number;
  readonly bytes: number;
  readonly draft: Draft | undefined;
  /** The name of the part that keeps what stands at a JSON pointer (RFC 6901) in the result. */
  partAt(pointer: string): string | undefined;
}

/** Texts, media and data of more than this become parts of their own; characters, but bytes for data. */
const SMALL_TEXT = 4_000;
const SMALL_MEDIUM = 1_000;
const SMALL_DATA = 4_000;

/** More parts than this there aren't: what comes after stays in the envelope. */
const MOST_PARTS = 500;

/** Media are held whole up to so many characters, since they cost a model less than they are long. */
const MOST_MEDIA = 5_000_000;

/** A result in memory is taken in so many bytes at a time. */
const SLICE = 64 * 1024;

/** A result in memory that takes no more bytes than this is looked through for files as a whole. */
export const MOST_PARSED = 8 * 1024 * 1024;

/** What of lists is held at least, however little may be shown: cuts need something to choose from. */
const LEAST_LIST = 64 * 1024;

/** The objects that MCP puts texts and media in, as JSON pointers. A finished task has its result within. */
const BLOCK =
  /^(?:\/result)?(?:\/content\/\d+(?:\/resource)?|\/contents\/\d+|\/messages\/\d+\/content(?:\/resource)?)$/;
const DATA = /^(?:\/result)?\/structuredContent$/;
const DATAS = ['/structuredContent', '/result/structuredContent'];

/** Of the path to what is within more containers than this, and within what else, nothing is remembered. */
const DEEPEST = 6;
const TOPS: ReadonlySet<unknown> = new Set(['content', 'contents', 'messages', 'structuredContent']);

/** The part with a result's `structuredContent`. */
const STRUCTURED = 'structured';

/**
 * Takes in a result while its JSON is walked: keeps the whole in the draft, and holds a sketch of it. Long texts and
 * media of blocks become parts of their own, decoded; long `structuredContent` does as it is written. What is left is
 * the envelope: the result's bytes, in which a part is stood for by an object that names it (see `standInKey`). Base64
 * within JSON of texts and within `structuredContent` stays where it is, and becomes a part besides, decoded; of a result
 * that comes in chunks only if the sketch holds all of it. Without a draft nothing is kept.
 */
export class Intake implements JsonEvents {
  readonly #draft: Draft | undefined;
  readonly #sketch: Sketch;
  readonly #envelope: PartWriter | undefined;
  readonly #copy: RawCopy;
  readonly #parts = new Map<string, string>();
  #texts = 0;
  /** How many characters of media may still be held whole. */
  #mediaRoom = MOST_MEDIA;
  /** For each open container the key or the index of the value at hand in it, but for deep ones. */
  readonly #path: (string | number)[] = [];
  #depth = 0;
  readonly #blocks: Block[] = [];
  #text: TextPart | undefined;
  #data: DataPart | undefined;
  #hasData = false;
  #chars = 0;
  #bytes = 0;

  constructor(draft: Draft | undefined, { textChars }: IntakeLimits) {
    this.#draft = draft;
    this.#sketch = new Sketch({
      textChars,
      listBytes: Math.max(2 * textChars, LEAST_LIST),
    });
    this.#envelope = draft?.part(ENVELOPE, '');
    this.#copy = new RawCopy((bytes) => this.#envelope?.write(bytes));
  }

  openObject(at: Place): void {
    this.#begin(at);
    const pointer = this.#pointer();
    if (pointer !== undefined && BLOCK.test(pointer)) {
      this.#blocks.push({ pointer, depth: this.#depth, mimeType: undefined, media: [] });
    }
    this.#enter('');
    this.#sketch.openObject(at);
  }

  closeObject(at: Place): void {
    this.#sketch.closeObject(at);
    this.#leave(at);
    if (this.#blocks.at(-1)?.depth === this.#depth) closeMedia(this.#blocks.pop());
  }

  openArray(at: Place): void {
    this.#begin(at);
    this.#enter(-1);
    this.#sketch.openArray(at);
  }

  closeArray(at: Place): void {
    this.#sketch.closeArray(at);
    this.#leave(at);
  }

  key(key: string): void {
    if (this.#depth <= DEEPEST) this.#path[this.#depth - 1] = key;
    this.#sketch.key(key);
  }

  value(value: null | boolean | number | RawNumber, at: Place): void {
    this.#begin(at);
    this.#sketch.value(value);
    this.#end(at);
  }

  openText(at: Place): void {
    this.#begin(at);
    this.#text = this.#partOfBlock();
    if (this.#text) this.#copy.hold(at);
    if (this.#isMedium()) this.#sketch.openTextBeside(this.#mediaRoom);
    else this.#sketch.openText();
  }

  text(piece: string): void {
    if (this.#text) this.#addText(this.#text, piece);
    this.#sketch.text(piece);
  }

  closeText(at: Place): void {
    const held = this.#sketch.closeText();
    const block = this.#block();
    if (typeof held === 'string' && this.#isMedium()) this.#mediaRoom -= held.length;
    if (block && this.#path.at(-1) === 'mimeType' && typeof held === 'string') block.mimeType = held;
    if (this.#text) this.#closeText(this.#text, held, at);
    this.#end(at);
  }

  endOfChunk(at: Place): void {
    this.#copy.endOfChunk(at);
    if (this.#data) this.#growData(this.#data, this.#copy.heldBytes);
  }

  /** To be called when the result's value has been walked. `whole` is that value, if it is in memory. */
  finish(whole?: Held): TakenIn {
    this.#envelope?.close({ kind: 'json' });
    const held = this.#sketch.finish();
    this.#keepFilesOf(whole ?? held);
    return {
      held,
      chars: this.#chars,
      bytes: this.#bytes,
      draft: this.#draft,
      partAt: (pointer) => this.#parts.get(pointer),
    };
  }

  /** A value begins. */
  #begin(at: Place): void {
    if (this.#depth === 0) {
      this.#copy.start(at);
      this.#bytes -= at.start;
      this.#chars -= at.chars - (at.end - at.start);
      return;
    }
    const last = this.#path.length - 1;
    const index = this.#path[last];
    if (this.#depth <= DEEPEST && typeof index === 'number') this.#path[last] = index + 1;
    if (this.#isData()) {
      this.#hasData = true;
      this.#data = { depth: this.#depth, writer: undefined };
      this.#copy.hold(at);
    }
  }

  /** A value ends. */
  #end(at: Place): void {
    if (this.#data?.depth === this.#depth) this.#closeData(this.#data, at);
    if (this.#depth > 0) return;
    this.#copy.stop(at);
    this.#bytes += at.end;
    this.#chars += at.chars;
  }

  #enter(place: string | number): void {
    this.#depth++;
    if (this.#depth <= DEEPEST) this.#path.push(place);
  }

  #leave(at: Place): void {
    if (this.#depth <= DEEPEST) this.#path.pop();
    this.#depth--;
    this.#end(at);
  }

  /** Where the value at hand stands, if that may matter. */
  #pointer(): string | undefined {
    const [first, second] = this.#path;
    if (this.#depth > DEEPEST || !TOPS.has(first === 'result' ? second : first)) return undefined;
    return this.#path.map((each) => `/${each}`).join('');
  }

  #isData(): boolean {
    if (!this.#draft || this.#depth > 2 || this.#path.at(-1) !== 'structuredContent') return false;
    return !this.#hasData && DATA.test(this.#pointer() ?? '');
  }

  /** The block that the value at hand is a field of. */
  #block(): Block | undefined {
    const block = this.#blocks.at(-1);
    return block && block.depth + 1 === this.#depth ? block : undefined;
  }

  /** Whether the text at hand is a picture, a sound or another file. */
  #isMedium(): boolean {
    const field = this.#path.at(-1);
    return this.#block() !== undefined && (field === 'data' || field === 'blob');
  }

  /** The part that the text at hand becomes if it is long. */
  #partOfBlock(): TextPart | undefined {
    const block = this.#block();
    const field = this.#path.at(-1);
    const isMedium = this.#isMedium();
    if (!this.#draft || !block || !(isMedium || field === 'text') || this.#texts >= MOST_PARTS)
      return undefined;
    const media = isMedium ? block.media : undefined;
    return { pointer: `${block.pointer}/${field}`, media, name: '', writer: undefined, pieces: [], chars: 0 };
  }

  #addText(part: TextPart, piece: string): void {
    part.pieces.push(piece);
    part.chars += piece.length;
    if (!part.writer && part.chars > (part.media ? SMALL_MEDIUM : SMALL_TEXT)) {
      part.name = String(++this.#texts);
      part.writer = this.#startPart(part.name, part.pointer);
      this.#divert(part.name, () => {});
    }
    if (part.writer) for (const each of part.pieces.splice(0)) part.writer.write(encodeText(each));
  }

  #closeText({ name, writer, media }: TextPart, held: string | LongText, at: Place): void {
    this.#text = undefined;
    this.#copy.goOn(at);
    if (!writer) return;
    if (held instanceof LongText) held.part = name;
    if (media) media.push({ writer, isBase64: typeof held === 'string' ? isBase64(held) : held.isBase64 });
    else writer.close({ kind: jsonIn(held) === undefined ? 'text' : 'json' });
  }

  /** Keeps the files in the data of a result: in its `structuredContent`, and in texts that are JSON. */
  #keepFilesOf(result: Held): void {
    if (!this.#draft) return;
    const files = new DataFiles(this.#draft);
    const texts = [...this.#parts.keys()].map(
      (pointer) => [pointer, jsonIn(heldAt(result, pointer))] as const,
    );
    const data = DATAS.map((pointer) => [pointer, heldAt(result, pointer)] as const);
    for (const [pointer, value] of [...texts, ...data]) {
      if (value !== undefined) files.keep(value, pointer, (at, name) => this.#parts.set(at, name));
    }
  }

  #growData(data: DataPart, bytes: number): void {
    if (data.writer || bytes <= SMALL_DATA) return;
    const pointer = this.#path.slice(0, data.depth).map((each) => `/${each}`);
    const writer = this.#startPart(STRUCTURED, pointer.join(''));
    data.writer = writer;
    this.#divert(STRUCTURED, (piece) => writer?.write(piece));
  }

  #closeData(data: DataPart, at: Place): void {
    this.#data = undefined;
    this.#copy.take(at);
    this.#growData(data, this.#copy.heldBytes);
    this.#copy.goOn(at);
    data.writer?.close({ kind: 'json' });
  }

  #startPart(name: string, pointer: string): PartWriter | undefined {
    this.#parts.set(pointer, name);
    return this.#draft?.part(name, pointer);
  }

  /** Has the envelope name a part in the place of what is held back. */
  #divert(name: string, put: Put): void {
    this.#copy.divert(JSON.stringify({ [standInKey(this.#draft?.handle ?? '')]: name }), put);
  }
}

/** Takes in a result that is in memory; others have their turn meanwhile. Rejects with a `JsonError` what isn't JSON. */
export async function takeIn(
  json: Uint8Array,
  draft: Draft | undefined,
  limits: IntakeLimits,
): Promise<TakenIn> {
  const intake = new Intake(draft, limits);
  const walk = new JsonWalk(intake);
  for (let from = 0; from < json.length; from += SLICE) {
    walk.write(json.subarray(from, from + SLICE));
    await setImmediate();
  }
  walk.finish();
  return intake.finish(json.length <= MOST_PARSED ? JSON.parse(Buffer.from(json).toString()) : undefined);
}

/** An object with fields that may become parts. */
interface Block {
  /** Where it stands. */
  readonly pointer: string;
  /** How many containers it is in. */
  readonly depth: number;
  mimeType: string | undefined;
  /** Parts of which it isn't known yet what they are: the type may come after them. */
  readonly media: { readonly writer: PartWriter; readonly isBase64: boolean }[];
}

/** A text of a block. */
interface TextPart {
  readonly pointer: string;
  /** Where it is to wait for its type, if it may be a medium. */
  readonly media: Block['media'] | undefined;
  name: string;
  /** Undefined while it is short. */
  writer: PartWriter | undefined;
  /** What wasn't written yet. */
  pieces: string[];
  chars: number;
}

/** The result's `structuredContent`. */
interface DataPart {
  readonly depth: number;
  /** Undefined while it is short. */
  writer: PartWriter | undefined;
}

function closeMedia(block: Block | undefined): void {
  for (const { writer, isBase64 } of block?.media ?? []) {
    writer.close(isBase64 ? { kind: 'media', mimeType: block?.mimeType } : { kind: 'text' });
  }
}

/** What a text says as JSON, if the whole of it is an object, an array or a string. */
function jsonIn(text: Held | undefined): Held | undefined {
  if (text instanceof LongText) return text.json;
  if (typeof text !== 'string' || !/^\ufeff?[ \t\r\n]*["[{]/.test(text)) return undefined;
  try {
    return parseMarked(text) as Held;
  } catch {
    return undefined;
  }
}

/** What stands at a JSON pointer without escapes, if it is held. */
function heldAt(value: Held, pointer: string): Held | undefined {
  let at: Held | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    if (Array.isArray(at)) at = at[Number(token)];
    else if (at instanceof LongList)
      at = at.first[Number(token)] ?? at.last[Number(token) - at.count + at.last.length];
    else at = isHeldObject(at) ? at[token] : undefined;
  }
  return at;
}
