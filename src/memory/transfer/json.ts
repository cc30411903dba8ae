import { type Document, readDocument } from '../context/document.ts';
import { writeKey } from '../context/keys.ts';
import type { Entry } from '../diary/diary.ts';
import type { NewValue } from '../memory.ts';

/** The facts as they are written in the file; or, with entries of a diary, an object of both. */
export function writeJson(document: Document, diary?: readonly Entry[]): string {
  const facts = document.root.json();
  if (!diary) return `${facts}\n`;
  const entries = diary.map(({ at, tag, text }) => ({ at, tag, text }));
  return `{\n"plimsoll": "memory",\n"context": ${facts},\n"diary": ${JSON.stringify(entries, null, 2)}\n}\n`;
}

/** The values in an object, or in the facts of an object that `writeJson` made. Throws `Damage`. */
export function readJson(bytes: Buffer): NewValue[] {
  const document = readDocument(bytes);
  const context = document.find(['context'], { literal: false });
  const isBoth = document.find(['plimsoll'], { literal: false })?.json() === '"memory"';
  if (!isBoth || context?.kind !== 'section') return [...document.facts()];
  return Array.from(context.facts(), ({ path, json }) => ({ key: writeKey(path.slice(1)), json }));
}
