import { PlimsollError } from '../../errors.ts';
import type { Position } from '../../json/problem.ts';
import { Damage } from './damage.ts';
import { type Document, readDocument } from './document.ts';
import { Draft } from './edit.ts';
import { lenientText } from './lenient-text.ts';
import { type MendedText, mendText, type Remark, shortened } from './mend.ts';
import { sidesOf } from './merge-sides.ts';

/** How many keys a proposal names that it lacks. */
const NAMED = 10;

/** A byte order mark of UTF-8. */
const MARK = Buffer.from('\ufeff');

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

/** Some of many remarks. */
export interface Remarks {
  readonly count: number;
  /** The first ten. */
  readonly first: readonly Remark[];
}

/** What can be made out of a damaged file. */
export interface Mended extends Proposal {
  /** What is left out, since nothing can be made of it; comments and the other side of a merge too. */
  readonly dropped: Remarks;
  /** What isn't written as it is taken. */
  readonly guessed: Remarks;
  /** Bytes that are no UTF-8, for each of which U+FFFD stands now. */
  readonly replaced: Remarks;
}

/** What can be done about a file that is damaged or gone. */
export interface Repair {
  /** None if the file is gone. */
  readonly damage: Damage | undefined;
  /** The file, mended: everything in it that can be made out. */
  readonly mended?: Mended;
  /** The file as it last was without damage. */
  readonly lastGood?: Proposal;
}

/**
 * What can be done about a `context.json` with these bytes, none if it is gone: the file as it can be mended, and
 * `lastGood`, as it was last read; each is there only if it can be read. `undefined` if the file isn't damaged, and if it
 * is gone and wasn't there before. Time and memory go with the file's size.
 */
export async function proposeRepair(
  bytes: Buffer | undefined,
  lastGood: Buffer | undefined,
): Promise<Repair | undefined> {
  const good = lastGood && readable(lastGood);
  if (!bytes) return good && { damage: undefined, lastGood: proposal(good, undefined) };
  const damage = tryRead(bytes);
  if (!(damage instanceof Damage)) return undefined;
  const mended = await mend(bytes);
  return {
    damage,
    ...(mended && {
      mended: {
        ...proposal(mended.document, good),
        dropped: remarks(mended.dropped),
        guessed: remarks(mended.guessed),
        replaced: mended.replaced,
      },
    }),
    ...(good && { lastGood: proposal(good, mended?.document) }),
  };
}

function remarks(all: readonly Remark[]): Remarks {
  return { count: all.length, first: all.slice(0, NAMED) };
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

/** The file, mended. */
interface Mending extends Pick<MendedText, 'dropped' | 'guessed'> {
  readonly document: Document;
}

async function mend(bytes: Buffer): Promise<(Mending & Pick<Mended, 'replaced'>) | undefined> {
  const { text, guess, replaced } = await lenientText(bytes, NAMED);
  const unmarked = mendingOfSides(text);
  if (!unmarked) return undefined;
  const mending = bytes.subarray(0, MARK.length).equals(MARK) ? marked(unmarked) : unmarked;
  const guessed = guess ? [guess, ...mending.guessed] : mending.guessed;
  return { ...mending, guessed, replaced };
}

function marked(mending: Mending): Mending {
  return { ...mending, document: readDocument(Buffer.concat([MARK, mending.document.bytes])) };
}

function mendingOfSides(text: string): Mending | undefined {
  if (/^[\s\0]*$/.test(text)) {
    return { document: readDocument(Buffer.from('{}\n')), dropped: [], guessed: [] };
  }
  const sides = sidesOf(text);
  return sides ? joined(mendText(sides.ours), mendText(sides.theirs)) : mendingOf(mendText(text));
}

function mendingOf(mended: MendedText | undefined): Mending | undefined {
  const document = mended && readable(Buffer.from(mended.json));
  return document && { document, dropped: mended.dropped, guessed: mended.guessed };
}

/** Both sides of a merge: the first one, with what the other has besides. */
function joined(ours: MendedText | undefined, theirs: MendedText | undefined): Mending | undefined {
  const [one, other] = [mendingOf(ours), mendingOf(theirs)];
  if (!one || !other || !theirs) return one ?? other;
  const draft = new Draft(one.document);
  const dropped = withoutRepeats([...one.dropped, ...other.dropped]);
  for (const { key, path, json } of other.document.facts()) {
    const present = one.document.find(path, { literal: false })?.json();
    if (present === json) continue;
    const isKept = present === undefined && trySet(draft, path, json);
    if (isKept) continue;
    const position = theirs.places.get(key) ?? START;
    const what = `the other side of a merge has ${shortened(json)} at ${key}`;
    dropped.push({ ...position, key, what });
  }
  const guessed = withoutRepeats([...one.guessed, ...other.guessed]);
  return { document: readDocument(draft.finish()), dropped, guessed };
}

/** What is outside of the conflicts is told of both sides. */
function withoutRepeats(remarks: readonly Remark[]): Remark[] {
  const known = remarks.map((remark) => [`${remark.line} ${remark.column} ${remark.what}`, remark] as const);
  return [...new Map(known).values()];
}

const START: Position = { line: 1, column: 1 };

function trySet(draft: Draft, path: readonly string[], json: string): boolean {
  try {
    draft.set(path, json);
    return true;
  } catch (error) {
    if (error instanceof PlimsollError) return false;
    throw error;
  }
}
