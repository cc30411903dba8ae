import { type Held, type HeldObject, isHeldObject, LongText } from '../../json/held.ts';
import { mediaOf as fileIn } from '../data/base64.ts';

/**
 * The most a picture costs a model, in characters: about 1,600 tokens, whatever its bytes, since models scale down what
 * is larger (Anthropic's documentation of vision, "Evaluate image size"), at four characters a token.
 */
const PICTURE = 6_400;

/**
 * What a second of sound costs, in characters: 32 tokens (Google's documentation of Gemini's audio understanding), and
 * the fewest bytes it takes in a format that is in use (speech at 24 kbit/s).
 */
const SECOND = { chars: 32 * 4, bytes: 3_000 };

/** The most media of one result that stay in it, in characters of base64: what model APIs take of one picture, 5 MB. */
const MOST_MEDIA = 5_000_000;

/** The most of a limit that media may take. */
const MEDIA_SHARE = 1 / 2;

/** A block's base64, where it stands. */
export interface Media {
  readonly holder: HeldObject;
  readonly key: 'data' | 'blob';
  readonly base64: string | LongText;
  readonly mimeType: string | undefined;
  /** What it costs where it is, in characters of the limit. */
  readonly charge: number;
  /** In characters. */
  readonly length: number;
  /** What it decodes to, in bytes. */
  readonly bytes: number;
}

/** The base64 of a block or of a resource's contents, if it has some. */
export function mediaOf(block: Held): Media | undefined {
  if (!isHeldObject(block)) return undefined;
  if (block.type === 'image' || block.type === 'audio') return mediaIn(block, 'data', block.type);
  if (block.type === 'resource' && isHeldObject(block.resource)) return mediaIn(block.resource, 'blob');
  return block.type === undefined ? mediaIn(block, 'blob') : undefined;
}

/**
 * Which media stay where they are: in order, as long as they take no more than their share of the limit, and no more
 * bytes than a model takes.
 */
export function mediaThatStay(media: readonly Media[], limit: number, base64IsText: boolean): Set<Media> {
  const stay = new Set<Media>();
  let charged = 0;
  let chars = 0;
  for (const one of media) {
    const charge = base64IsText ? one.length : one.charge;
    if (charged + charge > limit * MEDIA_SHARE || chars + one.length > MOST_MEDIA) continue;
    if (one.base64 instanceof LongText) continue;
    charged += charge;
    chars += one.length;
    stay.add(one);
  }
  return stay;
}

/** The media that count for what they cost: all, or none if together they are more than a model takes. */
export function mediaThatCount(media: readonly Media[]): readonly Media[] {
  return media.reduce((sum, { length }) => sum + length, 0) > MOST_MEDIA ? [] : media;
}

function mediaIn(holder: HeldObject, key: Media['key'], kind?: 'image' | 'audio'): Media | undefined {
  const base64 = holder[key];
  if (typeof base64 !== 'string' && !(base64 instanceof LongText)) return undefined;
  const length = typeof base64 === 'string' ? base64.length : base64.chars;
  return {
    holder,
    key,
    base64,
    mimeType: typeof holder.mimeType === 'string' ? holder.mimeType : undefined,
    length,
    bytes: decodedBytes(base64, length),
    charge: Math.min(length, costOf(kind, base64, length)),
  };
}

/** What base64 decodes to, in bytes: three for every four characters that are no padding (RFC 4648, section 4). */
function decodedBytes(base64: string | LongText, length: number): number {
  const end = typeof base64 === 'string' ? base64 : base64.tail;
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return Math.floor(((length - padding) * 3) / 4);
}

/** What a model pays for a picture or a sound, in characters; what isn't told to be one by its first bytes is text. */
function costOf(kind: 'image' | 'audio' | undefined, base64: string | LongText, length: number): number {
  const type = kind === undefined || length <= PICTURE ? undefined : fileIn(base64, true)?.mimeType;
  if (kind === 'image' && type?.startsWith('image/')) return PICTURE;
  if (kind === 'audio' && type?.startsWith('audio/')) {
    return Math.ceil(((length * 3) / 4 / SECOND.bytes) * SECOND.chars);
  }
  return length;
}
