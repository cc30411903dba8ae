import { oneLine } from '../../memory/answers/frame.ts';
import { checkCount } from '../../memory/checks.ts';
import { cutHead, cutTail } from '../../text/cut.ts';
import type { Outcome, PlannedFact } from './digest.ts';
import type { DigestLog, Digests, LoggedDigest } from './digests.ts';
import { type OlderDigest, readOlderLog } from './older-log.ts';
import { takenBackIn } from './standing.ts';

/** How many digests are told of unless somebody says so, and how many facts and kinds of each at most. */
const LAST = 10;
const MOST_FACTS = 20;
const MOST_KINDS = 12;

/** So many lines are told of what an older log says of a digest. */
const MOST_LINES = 12;

/** How much is told of a value, of another text, and of a path, in UTF-16 code units. */
const VALUE = 200;
const TEXT = 160;
const PATH = 1000;

/** How long the log may be as indented JSON, in UTF-16 code units. */
const LONGEST = 20_000;

/** How much more of something there is than is told. */
export type More = Readonly<Record<Outcome | 'refused' | 'leftOut', number>>;

/**
 * A digest in brief: without its turns' fingerprints, and of long lists and texts the beginning, of its path the end. A
 * value that is cut is no JSON any more, and ends in `…`. `findDigest` gives the whole.
 */
export interface BriefDigest extends Omit<LoggedDigest, 'turns'> {
  readonly more: More;
}

export interface BriefLog {
  /** The newest first. */
  readonly digests: readonly BriefDigest[];
  /** What follows them in the log that was kept before, the newest first, of each the first lines. */
  readonly older: readonly OlderDigest[];
  /** How many newer ones there are. */
  readonly from: number;
  /** How many there are in all, in both logs. */
  readonly total: number;
  /** How many lines of the log can't be read. */
  readonly unreadable: number;
}

/** All digests of a scope, whole, the newest first, with what was taken back of them. Throws `MEMORY_UNREADABLE`. */
export async function readWholeLog(digests: Digests): Promise<DigestLog> {
  const log = await digests.read();
  const takenBack = takenBackIn((await digests.memory.changes({ scope: digests.scope })).changes);
  const all = log.digests.map((digest) => {
    const by = digest.change === undefined ? undefined : takenBack.get(digest.change);
    return by === undefined ? digest : { ...digest, takenBack: by };
  });
  return { ...log, digests: all };
}

/**
 * The digests of a scope in brief, the newest first: `last` of them (10), `from` the one that has so many newer ones (0).
 * Those of an older log come after ours.
 * It has 20,000 characters at most as indented JSON: of each digest as many facts are told as leave room for the others, 20
 * at most, and only as many digests as fit. Throws `BAD_USAGE`, `MEMORY_UNREADABLE`.
 */
export async function readDigestLog(
  digests: Digests,
  { last = LAST, from = 0 }: { readonly last?: number | undefined; readonly from?: number | undefined } = {},
): Promise<BriefLog> {
  checkCount('last', last);
  checkCount('from', from);
  const { digests: all, unreadable } = await readWholeLog(digests);
  const older = (await readOlderLog(digests)).map(briefOlder);
  const logOf = (count: number, facts: number): BriefLog => ({
    digests: all.slice(from, from + count).map((digest) => briefOf(digest, facts)),
    older: older.slice(Math.max(0, from - all.length), Math.max(0, from + count - all.length)),
    from,
    total: all.length + older.length,
    unreadable,
  });
  const fits = (log: BriefLog) => JSON.stringify(log, null, 2).length <= LONGEST;
  const wanted = Math.min(last, all.length + older.length - from);
  let count = 0;
  while (count < wanted && fits(logOf(count + 1, 0))) count++;
  let facts = MOST_FACTS;
  while (facts > 0 && !fits(logOf(count, facts))) facts--;
  return logOf(count, facts);
}

/** A digest with so many of its facts, and of what was refused: those that change something, and doubts, come first. */
function briefOf({ turns: _, ...digest }: LoggedDigest, most: number): BriefDigest {
  const { file, by, why } = digest;
  const facts = [...digest.facts].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, most);
  const refused = digest.refused.slice(0, most);
  const leftOut = digest.leftOut.slice(0, MOST_KINDS);
  const moreOf = (outcome: Outcome) =>
    digest.facts.filter((fact) => fact.outcome === outcome).length -
    facts.filter((fact) => fact.outcome === outcome).length;
  return {
    ...digest,
    file: { ...file, path: file.path.length > PATH ? `…${cutTail(file.path, PATH - 1)}` : file.path },
    by: short(by),
    why: why === undefined ? undefined : short(why),
    leftOut: leftOut.map(({ what, ...rest }) => ({ ...rest, what: short(what) })),
    facts: facts.map(briefFact),
    refused: refused.map(({ key, reason }) => ({
      ...(key !== undefined && { key: short(key) }),
      reason: short(reason),
    })),
    more: {
      add: moreOf('add'),
      replace: moreOf('replace'),
      same: moreOf('same'),
      doubt: moreOf('doubt'),
      refused: digest.refused.length - refused.length,
      leftOut: digest.leftOut.slice(MOST_KINDS).reduce((sum, { count }) => sum + count, 0),
    },
  };
}

function rankOf({ outcome }: PlannedFact): number {
  return outcome === 'same' ? 1 : 0;
}

function briefFact({ evidence, obstacle: _, ...fact }: PlannedFact): PlannedFact {
  const { was, reason } = fact;
  const { quote, speaker, id, conversation } = evidence;
  return {
    ...fact,
    value: short(oneLine(fact.value), VALUE),
    ...(was !== undefined && { was: short(oneLine(was), VALUE) }),
    ...(reason !== undefined && { reason: short(reason, VALUE) }),
    evidence: {
      ...evidence,
      quote: short(quote),
      ...(speaker !== undefined && { speaker: short(speaker) }),
      ...(id !== undefined && { id: short(id) }),
      ...(conversation !== undefined && { conversation: short(conversation) }),
    },
  };
}

function briefOlder({ at, text }: OlderDigest): OlderDigest {
  const lines = text.split(/\r?\n/);
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} lines more`] : [];
  return { at, text: [...lines.slice(0, MOST_LINES).map((line) => short(line, VALUE)), ...more].join('\n') };
}

function short(text: string, most = TEXT): string {
  return text.length > most ? `${cutHead(text, most - 1)}…` : text;
}

/** The fingerprints of all turns that digests in memory have read by the same means. Throws `MEMORY_UNREADABLE`. */
export async function knownTurns(digests: Digests, by: string): Promise<Set<string>> {
  const { digests: all } = await digests.read();
  const own = all.filter((digest) => digest.state === 'done' && digest.by === by);
  return new Set(own.flatMap(({ turns }) => turns));
}
