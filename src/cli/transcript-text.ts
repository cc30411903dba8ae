import type { ScopeName } from '../memory/memory.ts';
import { size } from '../text/size.ts';
import { visibleName } from '../text/visible.ts';
import { plural } from '../text/words.ts';
import {
  type BriefDigest,
  type BriefLog,
  briefLines,
  type Committed,
  type Digest,
  digestLines,
  evidenceLine,
  type FoundDigest,
  type LeftOut,
  type LoggedDigest,
  OLDER_LOG,
  type OlderDigest,
  readLines,
  type Transcript,
  type Why,
} from '../transcript/transcript.ts';
import { shown, undoHint } from './memory-text.ts';

/**
 * What a digest came to.
 *
 * @param told Which memory commands are to name, where there is more than one.
 */
export function committedText(committed: Committed, told?: ScopeName): string {
  const { digest, change, isRepeated, takenBack } = committed;
  const scope = told ?? 'global';
  if (takenBack !== undefined) {
    const option = scope === 'global' ? '' : ` --scope ${scope}`;
    return `Digest ${digest.id} was stored as change ${change}, and change ${takenBack} took it back: nothing was changed. plimsoll memory undo ${takenBack}${option} stores it again.\n`;
  }
  if (isRepeated) {
    const made = change === undefined ? '' : `, as change ${change}`;
    return `Digest ${digest.id} is stored already${made}: nothing was changed.\n`;
  }
  const lines = [
    ...linesOf(digest, told),
    '',
    change === undefined
      ? 'Nothing was changed in memory.'
      : `Change ${change} in the ${scope} memory: ${undoHint(change, scope)}. plimsoll memory why${told ? ` --scope ${told}` : ''} KEY shows where a fact is from.`,
    ...moreLines(digest),
    '',
  ];
  return lines.join('\n');
}

/** What a digest would come to, and how to have it done. */
export function planText(digest: Digest, told?: ScopeName): string {
  const option = told === 'project' ? ` --scope ${told}` : '';
  const advice = isNew(digest)
    ? ['', `Nothing was stored. To store it exactly so: plimsoll transcript --commit ${digest.id}${option}`]
    : [];
  return [...linesOf(digest, told), ...advice, ''].join('\n');
}

/** That so many transcripts had nothing to read, in a line; none if there is none. */
export function nothingNewText(count: number): string {
  return count === 0
    ? ''
    : `Nothing is new in ${plural(count, 'transcript')}: --again reads all turns again.\n`;
}

/** What a digest of many came to, in a line if it found no turn at all. */
export function oneOfManyText(digest: Digest, text: string): string {
  const isEmpty = digest.counts.turns === 0 && isWhollyRead(digest);
  return isEmpty ? `${readLines(digest).slice(0, -1).join('; ')}\n\n` : `${text}\n`;
}

/** Whether there was more to read than what was digested before. */
export function isNew(digest: Digest): boolean {
  const { turns, known } = digest.counts;
  return turns > 0 || known === 0 || !isWhollyRead(digest);
}

/** Whether nothing was left for the next digest of the same transcript. */
export function isWhollyRead({ leftOut }: Digest): boolean {
  return !leftOut.some(isLeftForLater);
}

const isLeftForLater = ({ reason }: LeftOut) => reason === 'no room' || reason === 'failed';

function linesOf(digest: Digest, told: ScopeName | undefined): string[] {
  if (isNew(digest)) return digestLines(digest, told);
  return [...readLines(digest), '', 'Nothing is new: --again reads all turns again.'];
}

function moreLines({ leftOut }: Digest): string[] {
  const reasons = new Set(leftOut.map(({ reason }) => reason));
  return [
    ...(reasons.has('no room') ? ['There was no room for all turns: the same command again reads on.'] : []),
    ...(reasons.has('failed') ? ['Some turns could not be read: the same command again tries them.'] : []),
  ];
}

/** The log in brief, the newest digest first, and how to see the rest. */
export function logText(
  { digests, older, from, total, unreadable }: BriefLog,
  scope: ScopeName = 'global',
): string {
  if (total === 0 && unreadable === 0) return 'Nothing was digested yet.\n';
  const option = scope === 'global' ? '' : ` --scope ${scope}`;
  const count = digests.length + older.length;
  const next = from + count;
  const blocks = [
    ...digests.map((digest) => blockOf(digest, [...briefLines(digest), ...wholeNote(digest, option)])),
    ...older.map(olderBlock),
  ];
  const bad = unreadable === 0 ? [] : [`${plural(unreadable, 'line')} of the log can't be read.`];
  const which = count === 0 ? 'None' : `${from + 1} to ${next}`;
  const rest =
    count === total
      ? []
      : [
          `${which} of ${plural(total, 'digest')}.`,
          ...(next < total ? [`Older ones: plimsoll transcript --log${option} --from ${next}`] : []),
        ];
  return [
    ...blocks,
    ...[...bad, rest.join(' ')].filter((line) => line !== '').map((line) => `${line}\n`),
  ].join('\n');
}

/** How to see all facts of a digest, where some aren't told. */
function wholeNote({ id, more }: BriefDigest, option: string): string[] {
  const isWhole = Object.values(more).every((count) => count === 0);
  return isWhole ? [] : ['', `All of it: plimsoll transcript --log ${id}${option}`];
}

/** A digest of the log, or a plan, whole. */
export function foundText(digest: FoundDigest, told?: ScopeName): string {
  return blockOf(digest, digestLines(digest, told));
}

type Became = Pick<FoundDigest, 'state' | 'change' | 'takenBack' | 'why'>;

function blockOf(
  { id, at, ...digest }: Became & Pick<FoundDigest, 'id' | 'at'>,
  lines: readonly string[],
): string {
  return [`digest ${id}, ${at}, ${becameOf(digest)}`, ...lines.map(indented), ''].join('\n');
}

function olderBlock({ at, text }: OlderDigest): string {
  const lines = text.split('\n').map((line) => indented(visibleName(line)));
  return [`${OLDER_LOG}, ${at}`, ...lines, ''].join('\n');
}

function becameOf({ state, change, takenBack, why }: Became): string {
  if (state === 'planned') return 'a dry run';
  if (state === 'void') return `never came about: ${why}`;
  if (state === 'begun') return 'is being stored';
  if (change === undefined) return 'changed nothing';
  return takenBack === undefined ? `change ${change}` : `change ${change}, taken back by change ${takenBack}`;
}

const indented = (line: string) => (line === '' ? '' : `  ${line}`);

interface Listed extends Transcript {
  readonly digested: LoggedDigest | undefined;
}

/** The transcripts of clients, a line each. */
export function discoveredText(transcripts: readonly Listed[]): string {
  if (transcripts.length === 0) return 'No transcripts were found.\n';
  const lines = transcripts.map((one) => {
    const when = one.modified.toISOString().slice(0, 16).replace('T', ' ');
    return `${when}  ${size(one.size).padStart(9)}  ${one.client}  ${visibleName(one.path)}${stateOf(one)}`;
  });
  return [...lines, plural(transcripts.length, 'transcript'), ''].join('\n');
}

function stateOf({ digested, size }: Listed): string {
  if (!digested) return '';
  const grown = digested.file.size === size ? '' : ', has changed since';
  const part = isWhollyRead(digested) ? '' : ', not all of it';
  return `  (digested ${digested.at.slice(0, 10)}${part}${grown})`;
}

/** Where a fact is from: what transcripts say, the newest digest first. */
export function whyText({ key, standing, evidence, total }: Why): string {
  const { present, last, isByHand } = standing;
  const now = present === undefined ? 'not there' : shown(present);
  const by = isByHand
    ? ', set by hand'
    : last
      ? `, since change ${last.change} by ${last.who}, ${last.at}`
      : '';
  const head = `${visibleName(key)}: ${now}${by}`;
  const blocks = evidence.map(({ digest, fact, isPresent, changed }) => {
    const became =
      fact.outcome === 'doubt'
        ? `not stored: ${fact.reason}`
        : isPresent
          ? 'as it is in memory'
          : changed
            ? `changed since, by change ${changed.change} (${changed.who}, ${changed.at})`
            : 'changed since, by hand';
    return [
      `  ${visibleName(fact.key)}: ${shown(fact.value)}, ${visibleName(became)}`,
      `    ${evidenceLine(fact.evidence)}`,
      `    ${visibleName(digest.file.path)} (${digest.file.format}), SHA-256 ${digest.file.sha256}`,
      `    digest ${digest.id}, ${digest.at}, by ${visibleName(digest.by)}`,
    ].join('\n');
  });
  const rest = evidence.length < total ? [`${evidence.length} of ${total}`] : [];
  return [head, ...(blocks.length > 0 ? blocks : ['  No transcript says so.']), ...rest, ''].join('\n');
}
