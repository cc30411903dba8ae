import { decode } from '../../digest/content/decode.ts';
import { Damage } from './damage.ts';
import { type Document, readDocument } from './document.ts';
import { soundStart } from './sound.ts';

/** How many keys a proposal names that it lacks. */
const NAMED = 10;

/** Keys that another state of the file has. */
export interface Missing {
  readonly count: number;
  /** The first ten. */
  readonly first: readonly string[];
}

/** What could take a damaged file's place. */
export interface Proposal {
  readonly bytes: Buffer;
  /** How many keys hold a value in it. */
  readonly keys: number;
  /** What the other proposal has that this one hasn't; nothing if there is no other. */
  readonly missing: Missing;
}

/** What can be done about a damaged file. */
export interface Repair {
  readonly damage: Damage;
  /** The file, mended: everything in it that can be made out. */
  readonly mended?: Proposal;
  /** The file as it last was without damage. */
  readonly lastGood?: Proposal;
}

/**
 * What can be done about a `context.json` with these bytes: the file as it can be mended, and `lastGood`, as it was last
 * read; each is there only if it can be read. `undefined` if the file isn't damaged. Time and memory for mending go
 * with the file's size, about a second for 2 MB.
 */
export async function proposeRepair(
  bytes: Buffer,
  lastGood: Buffer | undefined,
): Promise<Repair | undefined> {
  const damage = tryRead(bytes);
  if (!(damage instanceof Damage)) return undefined;
  const mended = await mend(bytes);
  const good = lastGood && readable(lastGood);
  return {
    damage,
    ...(mended && { mended: proposal(mended, good) }),
    ...(good && { lastGood: proposal(good, mended) }),
  };
}

function tryRead(bytes: Buffer): Document | Damage {
  try {
    return readDocument(bytes);
  } catch (error) {
    if (error instanceof Damage) return error;
    throw error;
  }
}

function readable(bytes: Buffer): Document | undefined {
  const document = tryRead(bytes);
  return document instanceof Damage ? undefined : document;
}

function proposal(document: Document, other: Document | undefined): Proposal {
  const keys = keysOf(document);
  const missing = other ? [...keysOf(other)].filter((key) => !keys.has(key)) : [];
  return {
    bytes: document.bytes,
    keys: keys.size,
    missing: { count: missing.length, first: missing.slice(0, NAMED) },
  };
}

function keysOf(document: Document): Set<string> {
  return new Set(Array.from(document.facts(), ({ key }) => key));
}

/**
 * What the file may have been meant to be: of several the one with the most keys. Of a file that was cut, no value is
 * taken that may have gone on.
 */
async function mend(bytes: Buffer): Promise<Document | undefined> {
  const decoded = await decode(bytes, true);
  const text = decoded.text.replaceAll('\0', '');
  const { json, isCut } = soundStart(text.trim() === '' ? '{}\n' : text);
  const sound = readable(Buffer.from(json));
  if (json === text || isCut) return sound;
  const { jsonrepair } = await import('jsonrepair');
  const meanings = [withBackslashes(text), ...withoutBrace(json, text)];
  const mended = [...meanings.map((meaning) => tryMend(meaning, jsonrepair)), sound];
  return mostKeys(mended.filter((document) => document !== undefined));
}

/** A backslash that begins no escape (RFC 8259, section 7) was meant to be one: `C:\Users`. */
function withBackslashes(text: string): string {
  return text.replace(/\\(?:["\\/bfnrt']|u[\da-fA-F]{4})|\\(?=.)/gs, (match) =>
    match === '\\' ? '\\\\' : match,
  );
}

/** If the text goes on behind the object with a comma, the brace that closes the object may be one too many. */
function withoutBrace(root: string, text: string): string[] {
  const rest = text.slice(root.length);
  return text.startsWith(root) && rest.trimStart().startsWith(',') ? [root.slice(0, -1) + rest] : [];
}

function tryMend(text: string, jsonrepair: (text: string) => string): Document | undefined {
  try {
    return readDocument(Buffer.from(jsonrepair(text)));
  } catch {
    return undefined;
  }
}

function mostKeys(documents: readonly Document[]): Document | undefined {
  const counts = documents.map((document) => document.root.count());
  return documents[counts.indexOf(Math.max(...counts))];
}
