import { decode } from '../../digest/content/decode.ts';
import { DEAF } from '../../json/problem.ts';
import { JsonError, JsonWalk, type Place } from '../../json/walk.ts';
import { Damage } from './damage.ts';
import { type Document, readDocument } from './document.ts';

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
  const damage = damageOf(bytes);
  if (!damage) return undefined;
  const mended = await mend(bytes);
  const good = lastGood && tryRead(lastGood);
  return {
    damage,
    ...(mended && { mended: proposal(mended, good) }),
    ...(good && { lastGood: proposal(good, mended) }),
  };
}

function damageOf(bytes: Buffer): Damage | undefined {
  try {
    readDocument(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof Damage) return error;
    throw error;
  }
}

function tryRead(bytes: Buffer): Document | undefined {
  return damageOf(bytes) ? undefined : readDocument(bytes);
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

/** What the file may have been meant to be: of several the one with the most keys. */
async function mend(bytes: Buffer): Promise<Document | undefined> {
  const decoded = await decode(bytes, true);
  const text = decoded.text.replaceAll('\0', '');
  const whole = tryRead(Buffer.from(text.trim() === '' ? '{}\n' : text));
  if (whole) return whole;
  const { jsonrepair } = await import('jsonrepair');
  const { root, sound } = soundParts(text);
  const meanings = [root, withBackslashes(text), ...withoutBrace(root, text)];
  const mended = meanings.flatMap((meaning) => tryMend(meaning, jsonrepair) ?? []);
  return mostKeys(mended) ?? tryMend(sound, jsonrepair);
}

/** The object that a text begins with, if it comes to an end, and all that is before the first damage. */
function soundParts(text: string): { root: string; sound: string } {
  const bytes = Buffer.from(text);
  let end = 0;
  let sound = bytes.length;
  const events = {
    ...DEAF,
    openObject: (at: Place) => at.skip(),
    closeObject: (at: Place) => {
      end = at.end;
    },
  };
  try {
    const walk = new JsonWalk(events);
    walk.write(bytes);
    walk.finish();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    sound = error.offset;
  }
  return { root: bytes.toString('utf8', 0, end), sound: bytes.toString('utf8', 0, sound) };
}

/** A backslash that begins no escape (RFC 8259, section 7) was meant to be one: `C:\Users`. */
function withBackslashes(text: string): string {
  return text.replace(/\\(?:["\\/bfnrt']|u[\da-fA-F]{4})|\\(?=.)/gs, (match) =>
    match === '\\' ? '\\\\' : match,
  );
}

/** If what follows the object was meant to be in it, the brace that closes it is one too many. */
function withoutBrace(root: string, text: string): string[] {
  const rest = text.slice(root.length);
  return root !== '' && rest.trimStart().startsWith(',') ? [root.slice(0, -1) + rest] : [];
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
