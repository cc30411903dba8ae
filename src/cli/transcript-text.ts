import type { ScopeName } from '../memory/memory.ts';
import { visibleName } from '../text/visible.ts';
import { plural } from '../text/words.ts';
import {
  type Committed,
  type Digest,
  type DigestLog,
  digestLines,
  evidenceLine,
  type LeftOut,
  type LoggedDigest,
  readLines,
  type Transcript,
  type Why,
} from '../transcript/transcript.ts';
import { shown, undoHint } from './memory-text.ts';
import { size } from './size.ts';

/** What a digest came to. */
export function committedText(committed: Committed, scope: ScopeName = 'global'): string {
  const { digest, change, isRepeated } = committed;
  if (isRepeated) {
    const made = change === undefined ? '' : `, as change ${change}`;
    return `Digest ${digest.id} is stored already${made}: nothing was changed.\n`;
  }
  const lines = [
    ...linesOf(digest, scope),
    '',
    change === undefined
      ? 'Nothing was changed in memory.'
      : `Change ${change} in the ${scope} memory: ${undoHint(change, scope)}. plimsoll memory why KEY shows where a fact is from.`,
    ...moreLines(digest),
    '',
  ];
  return lines.join('\n');
}

/** What a digest would come to, and how to have it done. */
export function planText(digest: Digest, scope: ScopeName = 'global'): string {
  const option = scope === 'global' ? '' : ` --scope ${scope}`;
  const advice = isNew(digest)
    ? ['', `Nothing was stored. To store it exactly so: plimsoll transcript --commit ${digest.id}${option}`]
    : [];
  return [...linesOf(digest, scope), ...advice, ''].join('\n');
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

function linesOf(digest: Digest, scope: ScopeName): string[] {
  if (isNew(digest)) return digestLines(digest, scope);
  return [...readLines(digest), '', 'Nothing is new: --again reads all turns again.'];
}

function moreLines({ leftOut }: Digest): string[] {
  const reasons = new Set(leftOut.map(({ reason }) => reason));
  return [
    ...(reasons.has('no room') ? ['There was no room for all turns: the same command again reads on.'] : []),
    ...(reasons.has('failed') ? ['Some turns could not be read: the same command again tries them.'] : []),
  ];
}

/** The log, the newest digest first. */
export function logText({ digests, unreadable }: DigestLog, scope: ScopeName = 'global'): string {
  if (digests.length === 0 && unreadable === 0) return 'Nothing was digested yet.\n';
  const blocks = digests.map((digest) => logBlock(digest, scope));
  const bad = unreadable === 0 ? [] : [`${plural(unreadable, 'line')} of the log can't be read.`, ''];
  return [...blocks, ...bad].join('\n');
}

function logBlock(digest: LoggedDigest, scope: ScopeName): string {
  const { id, at, state, change, why } = digest;
  const became =
    state === 'void'
      ? `never came about: ${why}`
      : state === 'begun'
        ? 'is being stored'
        : change === undefined
          ? 'changed nothing'
          : `change ${change}`;
  return [`digest ${id}, ${at}, ${became}`, ...digestLines(digest, scope).map(indented), ''].join('\n');
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
