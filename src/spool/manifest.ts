import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Kept, Origin, Part } from './types.ts';

/** The file that tells what a handle's folder holds; it is there as long as the handle is. */
export const MANIFEST = 'manifest.json';

const VERSION = 1;

/** Of the names a caller gives, in characters: enough for the call that would make the result again. */
const LONGEST_FACT = 2048;

/** How a fact ends that is cut. */
const CUT = '…';

/** The files of a part, which a manifest names without their folder. */
const FILES = ['path', 'view', 'map', 'encoded'] as const;

export interface Manifest {
  readonly version: typeof VERSION;
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
  readonly origin: Origin;
  /** Of a result that was deleted: the session that it was kept in. */
  readonly session?: string | undefined;
  /** With file names for paths. */
  readonly parts: readonly Part[];
}

export function manifestOf(at: number, origin: Origin, parts: readonly Part[]): Manifest {
  return { version: VERSION, at, origin, parts };
}

/** An origin whose facts are cut to 2,048 characters each. */
export function shortOrigin(origin: Origin): Origin {
  const entries = Object.entries(origin).map(([key, value]: [string, string | undefined]) => [
    key,
    value !== undefined && value.length > LONGEST_FACT
      ? `${value.slice(0, LONGEST_FACT - 1).toWellFormed()}${CUT}`
      : value,
  ]);
  return Object.fromEntries(entries) as Origin;
}

/** Whether a fact of an origin is only the start of what the caller gave. */
export function isCutFact(fact: string): boolean {
  return fact.length === LONGEST_FACT && fact.endsWith(CUT);
}

/** Reads a manifest, or what is left of one; `undefined` if there is none that this version understands. */
export async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The kept result that a folder with this manifest is. */
export function keptIn(folder: string, { parts }: Manifest): Kept {
  return { handle: basename(folder), folder, parts: parts.map((part) => withFiles(part, folder)) };
}

function withFiles(part: Part, folder: string): Part {
  const files = FILES.filter((file) => part[file] !== undefined).map((file) => [
    file,
    join(folder, part[file] as string),
  ]);
  return { ...part, ...Object.fromEntries(files) };
}

function isManifest(value: Partial<Manifest> | null): value is Manifest {
  return (
    value?.version === VERSION &&
    typeof value.at === 'number' &&
    typeof value.origin === 'object' &&
    value.origin !== null &&
    Array.isArray(value.parts) &&
    value.parts.every((part) => part?.path && FILES.every((file) => isFileName(part[file])))
  );
}

/** Nothing that leads out of the folder. */
function isFileName(name: unknown): boolean {
  return name === undefined || (typeof name === 'string' && /^[\w.]+$/.test(name) && !name.startsWith('.'));
}
