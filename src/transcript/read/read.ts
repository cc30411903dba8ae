import { createHash } from 'node:crypto';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { formatOf } from '../formats/formats.ts';
import { otherKindOf } from '../formats/other.ts';
import type { Turn } from '../turn.ts';
import { headOf, openSource, type Source } from './source.ts';
import { type LeftOut, Tally } from './tally.ts';

/** So much of a file that is no transcript is looked at, in bytes. */
const SAMPLE = 64 * 1024;

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
    throw new PlimsollError('TRANSCRIPT_UNREADABLE', `'${visibleName(path)}' ${await problemWith(source)}.`);
  }
  const tally = new Tally();
  return {
    path,
    format: format.name,
    turns: () => once(format.turns(source, tally), tally),
    leftOut: () => tally.all(),
  };
}

async function problemWith(source: Source): Promise<string> {
  const head = await headOf(source, SAMPLE);
  if (head.length === 0) return 'is empty';
  const kind = otherKindOf(head.toString());
  return kind
    ? `is ${kind}, no conversation: put what was said in it into a text, with "Name:" before what each says`
    : 'is no transcript in a format that is known';
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
