import { readFile } from 'node:fs/promises';
import { decodeText } from '../text/wtf8.ts';
import { ENVELOPE, standInKey } from './envelope.ts';
import type { Kept, Part } from './types.ts';

/** A part that is a text of the result has a number for its name; others are JSON of it. */
const TEXT_PART = /^\d+$/;

/**
 * The result that was kept, as it came: equal to what `JSON.parse` would have given. A text that was kept without a
 * result around it is that text. Needs memory for all of it. Throws what the system says where files are missing.
 */
export async function restore(kept: Kept): Promise<unknown> {
  const whole = kept.parts.find(({ name }) => name === ENVELOPE) ?? kept.parts.find(({ at }) => at === '');
  if (!whole) return undefined;
  const root = { whole: await readPart(whole) };
  const key = standInKey(kept.handle);
  const open: Record<string, unknown>[] = [root];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const name of Object.keys(holder)) {
      const value = holder[name];
      if (typeof value !== 'object' || value === null) continue;
      const part = partFor(value as Record<string, unknown>, key, kept.parts);
      if (part) holder[name] = await readPart(part);
      else open.push(value as Record<string, unknown>);
    }
  }
  return root.whole;
}

function partFor(value: Record<string, unknown>, key: string, parts: readonly Part[]): Part | undefined {
  if (!Object.hasOwn(value, key) || Object.keys(value).length !== 1) return undefined;
  return parts.find(({ name }) => name === value[key]);
}

async function readPart(part: Part): Promise<unknown> {
  const text = await textOf(part);
  const isText = TEXT_PART.test(part.name) || (part.of !== undefined && part.kind === 'text');
  const value = isText ? text : JSON.parse(text);
  return part.key === undefined ? value : { [part.key]: value };
}

async function textOf({ kind, path, encoded }: Part): Promise<string> {
  const bytes = await readFile(encoded ?? path);
  return kind === 'media' && !encoded ? bytes.toString('base64') : decodeText(bytes);
}
