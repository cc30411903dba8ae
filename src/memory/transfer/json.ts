import { type Document, type Found, readDocument } from '../context/document.ts';
import { writeKey } from '../context/keys.ts';
import { type Members, ROOT } from '../context/members.ts';
import type { WrittenEntry } from '../diary/diary.ts';
import { BadLine } from './bad-line.ts';
import type { Transfer } from './transfer.ts';

/**
 * The facts as they are written in the file; or an object of them and entries of a diary, also without entries where the
 * facts could be taken for such an object.
 */
export function writeJson(document: Document, diary?: readonly WrittenEntry[]): string {
  const facts = document.root.json();
  if (!diary && !wrapped(document)) return `${facts}\n`;
  const entries = (diary ?? []).map(({ at, tag, text }) => ({ at, tag, text }));
  return `{\n"plimsoll": "memory",\n"context": ${facts},\n"diary": ${JSON.stringify(entries, null, 2)}\n}\n`;
}

/** What is in an object of facts, or in one of facts and a diary that `writeJson` made. Throws `Damage`, `BadLine`. */
export function readJson(bytes: Buffer): Transfer {
  const document = readDocument(bytes);
  const { members, root } = document;
  const both = wrapped(document);
  if (!both) {
    return { values: [...root.facts()], repeated: [...new Set(repeatedIn(members, ROOT))], entries: [] };
  }
  const { context, diary } = both;
  return {
    values: Array.from(context.facts(), ({ path, json }) => ({ key: writeKey(path.slice(1)), json })),
    repeated: [...new Set(repeatedIn(members, members.find(ROOT, 'context') as number))],
    entries: entriesOf(diary, bytes),
  };
}

/** The facts and the diary of an object of both: it has these three members and no others. */
function wrapped(document: Document): { readonly context: Found; readonly diary: Found } | undefined {
  const at = (key: string) => document.find([key], { literal: false });
  const [mark, context, diary] = [at('plimsoll'), at('context'), at('diary')];
  const isBoth =
    mark?.json() === '"memory"' && context?.kind === 'section' && diary?.json().startsWith('[') === true;
  return isBoth && document.root.children().length === 3 ? { context, diary } : undefined;
}

/** The keys in a section that stand there twice, the one that counts with another value. */
function* repeatedIn(members: Members, section: number, path: readonly string[] = []): Generator<string> {
  for (const member of members.of(section)) {
    const key = members.keys[member] as string;
    const inForce = members.find(section, key) as number;
    if (inForce !== member && members.jsonOf(inForce) !== members.jsonOf(member))
      yield writeKey([...path, key]);
    if (inForce === member && members.isSection(member)) yield* repeatedIn(members, member, [...path, key]);
  }
}

function entriesOf(diary: Found, bytes: Buffer): WrittenEntry[] {
  const entries: unknown = JSON.parse(diary.json());
  if (Array.isArray(entries) && entries.every(isEntry)) return entries;
  const line = bytes.toString('latin1', 0, diary.start).split('\n').length;
  throw new BadLine(
    line,
    'the diary must be a list of entries, each with the texts at and text, and perhaps tag',
  );
}

function isEntry(value: unknown): value is WrittenEntry {
  const { at, tag, text } = (value ?? {}) as Partial<WrittenEntry>;
  return typeof at === 'string' && typeof text === 'string' && ['string', 'undefined'].includes(typeof tag);
}
