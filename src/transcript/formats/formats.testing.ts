import type { Source } from '../read/source.ts';
import { type LeftOut, Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import { FORMATS, sampleOf } from './formats.ts';

/** What a text is read as: by the format that recognises it, in chunks of some size. */
export async function read(
  text: string | Buffer,
  { chunk = 7, path }: { readonly chunk?: number; readonly path?: string } = {},
): Promise<{ format: string | undefined; turns: Turn[]; leftOut: LeftOut[] }> {
  const bytes = Buffer.from(text as string);
  const format = FORMATS.find(({ recognises }) => recognises(sampleOf(bytes)));
  const tally = new Tally();
  const turns: Turn[] = [];
  for await (const turn of format?.turns(sourceOf(bytes, chunk, path), tally) ?? []) turns.push(turn);
  return { format: format?.name, turns, leftOut: tally.all() };
}

/** Values as JSON Lines. */
export function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Bytes as a source that gives so many of them at a time. */
export function sourceOf(bytes: Buffer, size: number, path = 'transcript'): Source {
  return {
    path,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}
