import { basename } from 'node:path';
import { type Document, readDocument } from '../../memory/context/document.ts';
import { Draft } from '../../memory/context/edit.ts';
import { parseKey, splitKey, writeKey } from '../../memory/context/keys.ts';
import type { Memory, ScopeName } from '../../memory/memory.ts';
import { textValue } from '../../memory/value.ts';
import { visibleName } from '../../text/visible.ts';
import type { Evidence, Fact } from '../extract/fact.ts';
import type { Role } from '../turn.ts';
import { type Backing, backingsOf, isSameText } from './backing.ts';
import { isStored, type PlannedFact } from './digest.ts';
import { type Digests, digestIdIn } from './digests.ts';
import { obstacleAt } from './obstacle.ts';
import { type Standing, standingsOf, takenBackIn } from './standing.ts';

export interface Planning {
  /** What a transcript says, in its order. */
  readonly facts: readonly Fact[];
  /** The path of the transcript. */
  readonly path: string;
  readonly memory: Memory;
  readonly digests: Digests;
  /** When it was said, in ISO 8601, where the transcript has no times. */
  readonly at?: string | undefined;
}

/** A fact, under the key as it stands in memory. */
interface Said extends Fact {
  /** As JSON. */
  readonly value: string;
}

/** Something that was said, and in which file. */
interface Place {
  readonly path: string;
  readonly evidence: Evidence;
}

/** Whose word counts more than whose. */
const RANKS: Readonly<Record<Role, number>> = { person: 3, assistant: 2, tool: 1, system: 0 };

const NO_TIME = 'no time is known: digest it with --again --at DATE';

/**
 * What becomes of facts in memory. What a person or a client has set, edited or deleted stays, and so does what was said
 * later or by somebody whose word counts more; whatever says otherwise is a doubt. What was taken back, and the taking back
 * itself, count for nothing. Facts of the same key and value are
 * one. Throws `BAD_KEY`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`.
 */
export async function planFacts({ facts, path, memory, digests, at }: Planning): Promise<PlannedFact[]> {
  const { scope } = digests;
  const document = await digests.document();
  const said = facts.map(({ key, value, evidence }) => ({
    key: writeKey(document.resolve(parseKey(key))),
    value: textValue(value),
    evidence: { ...evidence, time: evidence.time ?? at },
  }));
  const byKey = groupsOf(said);
  const { changes } = await memory.changes({ scope });
  const takenBack = takenBackIn(changes);
  const counted = changes.filter(({ change, undoes }) => undoes === undefined && !takenBack.has(change));
  const standings = standingsOf(document, counted, byKey.keys());
  const inMemory = (await digests.read()).digests.filter(
    ({ change }) => change === undefined || !takenBack.has(change),
  );
  const backings = backingsOf(inMemory, (key) => byKey.has(key));
  const planned = new Map<Said, PlannedFact>();
  for (const [key, own] of byKey) {
    const standing = standings.get(key) as Standing;
    for (const [one, fact] of planKey(own, path, standing, backings.get(key) ?? [])) planned.set(one, fact);
  }
  const inOrder = said.flatMap((one) => planned.get(one) ?? []);
  return withObstacles(await withoutTaken(inOrder, memory, scope), document);
}

function groupsOf(said: readonly Said[]): Map<string, Said[]> {
  const byKey = new Map<string, Said[]>();
  for (const one of said) {
    const known = byKey.get(one.key);
    if (known) known.push(one);
    else byKey.set(one.key, [one]);
  }
  return byKey;
}

/** What becomes of all that is said of one key: one fact for each value. */
function* planKey(
  said: readonly Said[],
  path: string,
  standing: Standing,
  backings: readonly Backing[],
): Generator<[Said, PlannedFact]> {
  const { present } = standing;
  const { winner, others } = contest(said);
  const planned = winner && planOne(winner, path, standing, backings);
  if (winner && planned) yield [winner, planned];
  const stays = planned && isStored(planned) ? undefined : present;
  for (const { one, reason } of others) {
    const isSame = stays !== undefined && isSameText(stays, one.value);
    yield [one, isSame ? { ...one, was: present, outcome: 'same' } : doubt(one, present, reason)];
  }
}

interface Contest {
  /** What stands of all that is said. */
  readonly winner: Said | undefined;
  /** One for each further value, the last that says it, and why it doesn't stand. */
  readonly others: readonly { readonly one: Said; readonly reason: string }[];
}

/** Has each thing that is said take the place of what was said before it, unless that has more weight. */
function contest(said: readonly Said[]): Contest {
  const others = new Map<string, { readonly one: Said; readonly reason: string }>();
  let winner: Said | undefined;
  for (const one of inTime(said.filter(isCredible))) {
    const isWeaker = winner !== undefined && isWeakerThan(one.evidence, winner.evidence);
    if (winner && isWeaker) {
      others.set(one.value, { one, reason: onlySays(one.evidence) });
      continue;
    }
    if (winner) others.set(winner.value, { one: winner, reason: saysOtherwise(one.evidence) });
    winner = one;
  }
  for (const one of said) {
    if (isCredible(one) || others.has(one.value)) continue;
    const reason = one.evidence.isVerified ? onlySays(one.evidence) : 'its turn does not say so';
    others.set(one.value, { one, reason });
  }
  if (winner) others.delete(winner.value);
  return { winner, others: [...others.values()] };
}

/** Whether its turn says so, and is not the output of a tool: that may be anybody's page or file. */
function isCredible({ evidence: { isVerified, role } }: Said): boolean {
  return isVerified && role !== 'tool';
}

/** By when it was said, where that is known of all, and by where in the file. */
function inTime(said: readonly Said[]): Said[] {
  const isTimed = said.every(({ evidence }) => evidence.time !== undefined);
  return [...said].sort(({ evidence: one }, { evidence: other }) => {
    const lines = one.line - other.line;
    return isTimed ? timeOf(one) - timeOf(other) || lines : lines;
  });
}

/** What becomes of the one value that is said of a key. */
function planOne(one: Said, path: string, standing: Standing, backings: readonly Backing[]): PlannedFact {
  const { present } = standing;
  if (present === undefined) {
    const reason = reasonNotToAdd(one, standing);
    return reason === undefined ? { ...one, outcome: 'add' } : doubt(one, present, reason);
  }
  if (isSameText(present, one.value)) return { ...one, was: present, outcome: 'same' };
  // In the place of an empty section a value may be put; of another one memory refuses it.
  if (present.startsWith('{')) return { ...one, was: present, outcome: 'add' };
  const own = backings.filter(({ fact }) => isSameText(fact.value, present));
  const reason = reasonNotToReplace({ path, evidence: one.evidence }, standing, own);
  return reason === undefined ? { ...one, was: present, outcome: 'replace' } : doubt(one, present, reason);
}

function doubt(one: Said, was: string | undefined, reason: string): PlannedFact {
  return { ...one, was, outcome: 'doubt', reason };
}

/** Nothing stands there: it may have been taken away, which says more than what was said before. */
function reasonNotToAdd({ evidence }: Said, { last, isByHand }: Standing): string | undefined {
  if (isByHand) return 'a person deleted it by hand';
  if (!last) return undefined;
  if (evidence.time === undefined) return NO_TIME;
  if (timeOf(evidence) > Date.parse(last.at)) return undefined;
  return `it was deleted after this was said (${dates(evidence.time, last.at)})`;
}

/** `backings` is what digests have for the value that stands there. */
function reasonNotToReplace(
  said: Place,
  { last, isByHand }: Standing,
  backings: readonly Backing[],
): string | undefined {
  if (isByHand || !last) return 'a person set it by hand';
  const id = digestIdIn(last.why);
  const setter = backings.find(({ digest }) => digest.id === id);
  if (!setter) return `it was set by ${visibleName(last.who)}, in change ${last.change}`;
  const places = backings.filter(isSource).map(placeOf);
  if (places.some(({ evidence }) => isWeakerThan(said.evidence, evidence))) return onlySays(said.evidence);
  const newer = places.find((place) => orderOf(said, place) === 'earlier');
  if (newer) return isEarlier(said, newer);
  const set = placeOf(setter);
  // The transcript may have been digested again, with a time.
  const dated = places.find(({ path, evidence }) => path === set.path && evidence.time !== undefined) ?? set;
  return orderOf(said, dated) === 'unknown' ? timesWanted(said, dated) : undefined;
}

/** Which times would tell the order of what is said and what stands there. */
function timesWanted({ evidence }: Place, there: Place): string {
  if (there.evidence.time !== undefined) return NO_TIME;
  const file = visibleName(basename(there.path));
  return evidence.time === undefined
    ? `no time is known, nor of what stands there: digest ${file} and then this with --again --at DATE`
    : `no time is known of what stands there: digest ${file} with --again --at DATE, then this with --again`;
}

/** Whether it is where a value that stands in memory is from. */
function isSource({ fact: { outcome, evidence } }: Backing): boolean {
  return outcome !== 'doubt' && evidence.isVerified;
}

function placeOf({ digest, fact }: Backing): Place {
  return { path: digest.file.path, evidence: fact.evidence };
}

function isWeakerThan({ role: one }: Evidence, { role: other }: Evidence): boolean {
  return RANKS[one] < RANKS[other];
}

/** When something was said, compared with something else: what was said at the same time counts as later. */
function orderOf(one: Place, other: Place): 'later' | 'earlier' | 'unknown' {
  const difference = timeOf(one.evidence) - timeOf(other.evidence);
  if (difference > 0) return 'later';
  if (difference < 0) return 'earlier';
  if (one.path === other.path) return one.evidence.line >= other.evidence.line ? 'later' : 'earlier';
  return Number.isNaN(difference) ? 'unknown' : 'later';
}

/** In milliseconds since 1970; `NaN` if it isn't known. */
function timeOf({ time }: Evidence): number {
  return Date.parse(time ?? '');
}

function isEarlier(one: Place, other: Place): string {
  const [time, later] = [one.evidence.time, other.evidence.time];
  if (one.path === other.path || time === undefined || later === undefined)
    return saysOtherwise(other.evidence);
  return `the conversation is older (${dates(time, later)})`;
}

function saysOtherwise({ line }: Evidence): string {
  return `line ${line} says otherwise later`;
}

function onlySays({ role }: Evidence): string {
  return `only the ${role} says so`;
}

/** `2026-10-02 < 2026-11-30`; of one day with the time of day. */
function dates(one: string, other: string): string {
  const all = [one, other].map((time) => new Date(time).toISOString());
  const [day, otherDay] = all.map((time) => time.slice(0, 10));
  return (day === otherDay ? all : [day, otherDay]).join(' < ');
}

/** The facts, those of which memory refuses one being doubts: a value would take the place of a section, or the reverse. */
async function withoutTaken(
  facts: readonly PlannedFact[],
  memory: Memory,
  scope: ScopeName,
): Promise<PlannedFact[]> {
  const { refused } = await memory.planMany(valuesOf(facts), { scope });
  const reasons = new Map(refused.map(({ key, reason }) => [key, reason]));
  return facts.map((fact) => {
    const reason = isStored(fact) ? reasons.get(fact.key) : undefined;
    return reason === undefined ? fact : { ...fact, outcome: 'doubt', reason };
  });
}

/** The facts, the doubts with what would be in their way once the others are stored in a document. */
function withObstacles(facts: readonly PlannedFact[], document: Document): PlannedFact[] {
  const draft = new Draft(document);
  for (const { key, value } of facts.filter(isStored)) draft.set(splitKey(key), value);
  const after = readDocument(draft.finish());
  return facts.map((fact) => {
    const obstacle = fact.outcome === 'doubt' ? obstacleAt(fact.key, after) : undefined;
    return obstacle ? { ...fact, obstacle } : fact;
  });
}

/** What facts put into memory, where what stands there is still what it was. */
export function valuesOf(facts: readonly PlannedFact[]) {
  return facts.filter(isStored).map(({ key, value, was }) => ({ key, json: value, was: was ?? null }));
}
