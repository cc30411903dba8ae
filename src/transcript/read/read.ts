import { createHash } from 'node:crypto';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { formatOf } from '../formats/formats.ts';
import type { Turn } from '../turn.ts';
import { headOf, openSource } from './source.ts';
import { type LeftOut, Tally } from './tally.ts';

/** A transcript that is being read. */
export interface Reading {
  readonly path: string;
  /** The name of its format. */
  readonly format: string;
  /** Each turn once, in the order of the file. */
  turns(): AsyncIterable<Turn>;
  /** What was no turn, as far as it has been read. */
  leftOut(): LeftOut[];
}

/** Begins to read a transcript in any format. Throws `TRANSCRIPT_UNREADABLE` for what is none. */
export async function readTranscript(path: string): Promise<Reading> {
  const source = await openSource(path);
  const format = await formatOf(source);
  if (!format) {
    const isEmpty = (await headOf(source, 1)).length === 0;
    const what = isEmpty ? 'is empty' : 'is no transcript in a format that is known';
    throw new PlimsollError('TRANSCRIPT_UNREADABLE', `'${visibleName(path)}' ${what}.`);
  }
  const tally = new Tally();
  return {
    path,
    format: format.name,
    turns: () => once(format.turns(source, tally), tally),
    leftOut: () => tally.all(),
  };
}

/**
 * Turns without copies of ones that came before. Clients write turns again when they compact, resume or fork a
 * conversation; these copies share an id. A turn without one is a copy if time, speaker and text are the same.
 */
export async function* once(turns: AsyncIterable<Turn>, tally: Tally): AsyncGenerator<Turn> {
  const seen = new Set<string>();
  for await (const turn of turns) {
    const name = nameOf(turn);
    if (name !== undefined && seen.has(name)) {
      tally.add('copy', turn.role, turn.line);
      continue;
    }
    if (name !== undefined) seen.add(name);
    yield turn;
  }
}

function nameOf({ id, time, role, speaker, text }: Turn): string | undefined {
  if (id !== undefined) return id;
  if (time === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([time, role, speaker, text]))
    .digest('base64');
}
