import { oneLine, shortLine } from '../../memory/answers/frame.ts';
import { shownKey } from '../../memory/context/keys.ts';
import type { ScopeName } from '../../memory/memory.ts';
import { visibleName } from '../../text/visible.ts';
import { plural } from '../../text/words.ts';
import type { Evidence } from '../extract/fact.ts';
import type { Digest, Outcome, PlannedFact } from '../merge/digest.ts';
import type { BriefDigest, More } from '../merge/log.ts';
import type { Obstacle } from '../merge/obstacle.ts';
import { isLost, type LeftOut } from '../read/tally.ts';

/** How much is shown of a value of a quote, and of a conversation's name, in UTF-16 code units. */
const VALUE = 200;
const QUOTE = 160;
const NAME = 60;

/** How many kinds of what was left out are told apart in a line. */
const MOST_KINDS = 12;

const NO_MORE: More = { add: 0, replace: 0, same: 0, doubt: 0, refused: 0, leftOut: 0 };

const HEADINGS: readonly (readonly [Outcome, string])[] = [
  ['add', 'Added'],
  ['replace', 'Replaced'],
  ['doubt', 'In doubt, and not stored'],
];

/**
 * What a digest came to, or would come to: what was read and left out, then every fact with where it stands.
 *
 * @param scope Which memory commands are to name, where there is more than one.
 */
export function digestLines(digest: Digest, scope?: ScopeName): string[] {
  return linesOf(digest, NO_MORE, (fact) => storeLines(fact, scope));
}

/** The same of a digest in brief, with how much more there is, and without the commands that store what is in doubt. */
export function briefLines(digest: BriefDigest): string[] {
  return linesOf(digest, digest.more, () => []);
}

function linesOf(
  digest: Omit<Digest, 'turns'>,
  more: More,
  storing: (doubt: PlannedFact) => readonly string[],
): string[] {
  const { facts, refused } = digest;
  const same = facts.filter(({ outcome }) => outcome === 'same').length + more.same;
  const parts = HEADINGS.flatMap(([outcome, heading]) => {
    const these = facts.filter((fact) => fact.outcome === outcome);
    const blocks = these.flatMap((fact) => [
      ...factLines(fact),
      ...(outcome === 'doubt' ? storing(fact) : []),
    ]);
    return partOf(heading, blocks, these.length, more[outcome]);
  });
  const reasons = refused.map(({ reason }) => `  ${shortLine(reason, VALUE)}`);
  const rest = [
    ...parts,
    ...(same > 0 ? ['', `Stored already: ${plural(same, 'fact')}`] : []),
    ...partOf('Refused', reasons, refused.length, more.refused),
  ];
  const { turns, known } = digest.counts;
  const none = turns === 0 && known > 0 ? 'Nothing was new.' : 'No facts were found.';
  return [...readLines(digest, more.leftOut), ...(rest.length > 0 ? rest : ['', none])];
}

/** A part with a heading that says how much there is; none if there is nothing. */
function partOf(heading: string, lines: readonly string[], told: number, more: number): string[] {
  if (told + more === 0) return [];
  return ['', `${heading} (${told + more})`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** What was read, what was left out and why, and by which means. */
export function readLines({ file, by, counts, leftOut }: Omit<Digest, 'turns'>, moreLeftOut = 0): string[] {
  const { turns, known, cut, secrets, chunks, tokensIn, tokensOut, seconds } = counts;
  const extent = [
    `${plural(turns, 'turn')} read`,
    ...(known > 0 ? [`${known} digested before`] : []),
    ...(cut > 0 ? [`${cut} without their middle`] : []),
    ...(secrets > 0 ? [`${plural(secrets, 'secret')} taken out`] : []),
  ];
  const cost = [
    ...(chunks > 0 ? [`in ${plural(chunks, 'part')}`] : []),
    ...(tokensIn === undefined ? [] : [`${tokensIn} tokens in`]),
    ...(tokensOut === undefined ? [] : [`${tokensOut} out`]),
    `${seconds.toFixed(1)} s`,
  ];
  const how = by === 'rules' ? 'rules, the simple way: a model finds more' : visibleName(by);
  return [
    `${visibleName(file.path)} (${file.format}): ${extent.join(', ')}`,
    ...(leftOut.length > 0 ? [`left out: ${leftOutLine(leftOut, moreLeftOut)}`] : []),
    `by ${how}, ${cost.join(', ')}`,
  ];
}

/** What of the transcript was to be read and wasn't, in a line; undefined if there is nothing of that kind. */
export function lostLine({ file, leftOut }: Pick<Digest, 'file' | 'leftOut'>): string | undefined {
  const lost = leftOut.filter(({ reason }) => isLost(reason));
  return lost.length === 0 ? undefined : `${visibleName(file.path)}, not read: ${leftOutLine(lost, 0)}`;
}

function leftOutLine(leftOut: readonly LeftOut[], more: number): string {
  const kinds = leftOut.slice(0, MOST_KINDS).map(({ reason, what, count, line }) => {
    const where = count === 1 ? `line ${line}` : `first in line ${line}`;
    return `${count} ${reason} (${what}, ${where})`;
  });
  const rest = leftOut.slice(MOST_KINDS).reduce((sum, { count }) => sum + count, more);
  return [...kinds, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function factLines({ key, value, was, evidence, outcome, reason }: PlannedFact): string[] {
  const before = was === undefined ? '' : `, was ${shown(was)}`;
  return [
    `  ${shownKey(key)}: ${shown(value)}${before}`,
    ...(outcome === 'doubt' && reason !== undefined ? [`    ${shortLine(reason, VALUE)}`] : []),
    `    ${evidenceLine(evidence)}`,
  ];
}

/** `line 12, Maria, 2026-11-30T14:02:00.000Z: "Maria is our CTO"`. */
export function evidenceLine(evidence: Evidence): string {
  const { line, role, speaker, conversation, time, quote, isVerified } = evidence;
  const who = speaker === undefined ? role : visibleName(speaker);
  const talk = conversation === undefined ? [] : [`in ${JSON.stringify(shortLine(conversation, NAME))}`];
  const where = [`line ${line}`, ...talk, who, ...(time === undefined ? [] : [time])].join(', ');
  return `${where}: ${isVerified ? '' : 'not said there: '}${JSON.stringify(shortLine(quote, QUOTE))}`;
}

/**
 * The command that stores a fact as a person's own, after the one that takes away what is in its way; none for what could
 * act on a terminal or is more than a line.
 */
function storeLines({ key, value, obstacle }: PlannedFact, scope: ScopeName | undefined): string[] {
  const set = commandOf('set', [key, String(JSON.parse(value))], scope);
  const remove = obstacle && commandOf('delete', [obstacle.key], scope);
  if (set === undefined || (obstacle && remove === undefined)) return [];
  if (!obstacle) return [`    to store it: ${set}`];
  return [`    to store it, which loses ${lostIn(obstacle)}:`, `      ${remove}`, `      ${set}`];
}

function commandOf(name: string, words: readonly string[], scope: ScopeName | undefined): string | undefined {
  if (words.some((word) => word.length > VALUE || visibleName(word) !== word)) return undefined;
  const options = scope === undefined ? '' : ` --scope ${scope}`;
  return `plimsoll memory ${name}${options} -- ${words.map(quoted).join(' ')}`;
}

/** What goes with an obstacle: `db.port, db.name and 12 more`. */
export function lostIn({ loses, count }: Obstacle): string {
  const more = count - loses.length;
  return `${loses.map((key) => shortLine(shownKey(key), NAME)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w.+/:@%,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const shown = (json: string) => shortLine(oneLine(json), VALUE);
