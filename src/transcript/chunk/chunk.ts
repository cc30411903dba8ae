import type { Measure } from '../../measure/measure.ts';
import { cutHead } from '../../text/cut.ts';
import type { Taken } from '../take/taken.ts';
import type { AlikeKeys } from './alike.ts';
import { dayOf, rendered } from './render.ts';

/** A turn in a chunk. */
export interface Part {
  readonly turn: Taken;
  /** The turn's text, or as much of it as has room. */
  readonly text: string;
}

/** What a model reads at once. */
export interface Chunk {
  readonly parts: readonly Part[];
  /** The parts, numbered from 1. */
  readonly text: string;
  /** Keys that exist which are like what the text is about. */
  readonly keys: readonly string[];
}

export interface ChunkOptions {
  /** How much text and keys may take together. */
  readonly room: number;
  readonly measure: Measure;
  readonly keys: AlikeKeys;
}

/** Of the room so much is for keys. */
const KEYS_SHARE = 1 / 8;

/** Parts that aren't longer aren't halved, in UTF-16 code units. */
const LEAST_PART = 200;

export function partsOf(turns: readonly Taken[]): Part[] {
  return turns.map((turn) => ({ turn, text: turn.text }));
}

/** Chunks that hold all parts, in their order. They end at turns; only a turn that has no room in one is taken apart. */
export function chunksOf(parts: readonly Part[], options: ChunkOptions): Chunk[] {
  const room = Math.floor(options.room * (1 - KEYS_SHARE));
  const chunks: Chunk[] = [];
  let open = new OpenChunk();
  const close = () => {
    if (open.parts.length > 0) chunks.push(closed(open, options));
    open = new OpenChunk();
  };
  for (const whole of parts) {
    let part: Part | undefined = whole;
    while (part) {
      const size = options.measure(open.rendered(part));
      if (open.size + size <= room) {
        open.add(part, size);
        part = undefined;
      } else if (open.parts.length > 0) {
        close();
      } else {
        const head = headOf(part, room, options.measure);
        open.add(head, options.measure(open.rendered(head)));
        close();
        part = restOf(part, head);
      }
    }
  }
  close();
  return chunks;
}

/** The two halves of a chunk; `undefined` if it is too short for that. */
export function halvesOf({ parts }: Chunk, options: ChunkOptions): Chunk[] | undefined {
  const [first] = parts;
  if (!first) return undefined;
  if (parts.length > 1) {
    const middle = middleOf(parts);
    return [parts.slice(0, middle), parts.slice(middle)].flatMap((half) => chunksOf(half, options));
  }
  if (first.text.length <= LEAST_PART) return undefined;
  const head = { ...first, text: cutHead(first.text, Math.ceil(first.text.length / 2)) };
  const rest = restOf(first, head);
  return [head, ...(rest ? [rest] : [])].flatMap((half) => chunksOf([half], options));
}

/** Where the second half begins: between 1 and one less than there are. */
function middleOf(parts: readonly Part[]): number {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  const middle = parts.findIndex(({ text }) => {
    before += text.length;
    return before >= length / 2;
  });
  return Math.min(Math.max(1, middle), parts.length - 1);
}

class OpenChunk {
  readonly parts: Part[] = [];
  size = 0;
  text = '';
  #day = '';

  rendered({ turn, text }: Part): string {
    const day = dayOf(turn);
    return rendered(turn, text, this.parts.length + 1, day === this.#day ? '' : day);
  }

  add(part: Part, size: number): void {
    this.text += this.rendered(part);
    this.parts.push(part);
    this.size += size;
    this.#day = dayOf(part.turn);
  }
}

function closed({ parts, text, size }: OpenChunk, { room, measure, keys }: ChunkOptions): Chunk {
  return { parts, text, keys: keys.of(text, room - size, measure) };
}

/** As much of the start of a part as has room by itself, and one character at least. */
function headOf({ turn, text }: Part, room: number, measure: Measure): Part {
  const least = String.fromCodePoint(text.codePointAt(0) ?? 0).length;
  let head = text;
  for (;;) {
    const size = measure(new OpenChunk().rendered({ turn, text: head }));
    if (size <= room || head.length <= least) return { turn, text: head };
    const most = Math.floor(head.length * Math.min(0.9, room / size));
    head = cutHead(head, most) || text.slice(0, least);
  }
}

function restOf({ turn, text }: Part, head: Part): Part | undefined {
  const rest = text.slice(head.text.length);
  return rest.trim() === '' ? undefined : { turn, text: rest };
}
