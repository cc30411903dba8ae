import { randomBytes } from 'node:crypto';
import type { Evidence } from '../extract/fact.ts';
import { listAt, objectAt, textAt, valueAt } from '../formats/parts.ts';
import type { LeftOut } from '../read/tally.ts';
import type { Role } from '../turn.ts';
import type { Obstacle } from './obstacle.ts';

/** What a digest makes of a fact. A doubt is not stored. */
export type Outcome = 'add' | 'replace' | 'same' | 'doubt';

export interface PlannedFact {
  readonly key: string;
  /** As JSON. */
  readonly value: string;
  /** What stands there, as JSON. */
  readonly was?: string | undefined;
  readonly evidence: Evidence;
  readonly outcome: Outcome;
  /** Why it is a doubt, in one line. */
  readonly reason?: string | undefined;
  /** What keeps it from being stored at all, of a doubt. */
  readonly obstacle?: Obstacle | undefined;
}

/** What was taken out of a transcript, and what it does to memory. */
export interface Digest {
  /** 8 hexadecimal digits. */
  readonly id: string;
  /** When it was made: UTC, as ISO 8601 has it. */
  readonly at: string;
  readonly file: {
    readonly path: string;
    readonly sha256: string;
    readonly size: number;
    readonly format: string;
  };
  /** `rules`, or `model NAME`. */
  readonly by: string;
  readonly counts: {
    readonly turns: number;
    /** Turns that were digested before. */
    readonly known: number;
    /** Turns without their middle. */
    readonly cut: number;
    readonly secrets: number;
    readonly chunks: number;
    readonly tokensIn?: number | undefined;
    readonly tokensOut?: number | undefined;
    readonly seconds: number;
  };
  readonly leftOut: readonly LeftOut[];
  readonly facts: readonly PlannedFact[];
  readonly refused: readonly { readonly key?: string | undefined; readonly reason: string }[];
  /** Fingerprints of the turns that were read. */
  readonly turns: readonly string[];
}

const ID = /^[\da-f]{8}$/;

const ROLES: readonly Role[] = ['person', 'assistant', 'tool', 'system'];
const OUTCOMES: readonly Outcome[] = ['add', 'replace', 'same', 'doubt'];
const COUNTS = ['turns', 'known', 'cut', 'secrets', 'chunks', 'seconds'];

export function newDigestId(): string {
  return randomBytes(4).toString('hex');
}

export function isDigestId(text: string): boolean {
  return ID.test(text);
}

/** Whether a digest puts a fact into memory. */
export function isStored({ outcome }: PlannedFact): boolean {
  return outcome === 'add' || outcome === 'replace';
}

/** Whether something that was read is a digest, whole; it may have more than that. */
export function isDigest(value: unknown): value is Digest {
  const file = objectAt(value, 'file');
  const counts = objectAt(value, 'counts');
  return (
    ID.test(textAt(value, 'id') ?? '') &&
    isTime(valueAt(value, 'at')) &&
    hasTexts(file, ['path', 'sha256', 'format']) &&
    isCount(valueAt(file, 'size')) &&
    hasTexts(value, ['by']) &&
    COUNTS.every((name) => isCount(valueAt(counts, name))) &&
    ['tokensIn', 'tokensOut'].every((name) => isNone(counts, name) || isCount(valueAt(counts, name))) &&
    areAll(value, 'leftOut', isLeftOut) &&
    areAll(value, 'facts', isPlannedFact) &&
    areAll(value, 'refused', (one) => hasTexts(one, ['reason']) && hasTextsOrNone(one, ['key'])) &&
    areAll(value, 'turns', (one) => typeof one === 'string')
  );
}

function isLeftOut(value: unknown): boolean {
  return (
    hasTexts(value, ['reason', 'what']) && ['count', 'line'].every((name) => isCount(valueAt(value, name)))
  );
}

function isPlannedFact(value: unknown): boolean {
  return (
    hasTexts(value, ['key']) &&
    hasTextsOrNone(value, ['reason']) &&
    isJson(valueAt(value, 'value')) &&
    (isNone(value, 'was') || isJson(valueAt(value, 'was'))) &&
    OUTCOMES.some((outcome) => outcome === valueAt(value, 'outcome')) &&
    isEvidence(valueAt(value, 'evidence')) &&
    (isNone(value, 'obstacle') || isObstacle(valueAt(value, 'obstacle')))
  );
}

/** Whether something that was read is an obstacle. */
export function isObstacle(value: unknown): value is Obstacle {
  return (
    hasTexts(value, ['key']) &&
    areAll(value, 'loses', (one) => typeof one === 'string') &&
    isCount(valueAt(value, 'count'))
  );
}

function isEvidence(value: unknown): boolean {
  return (
    isCount(valueAt(value, 'line')) &&
    hasTexts(value, ['quote']) &&
    hasTextsOrNone(value, ['id', 'speaker', 'conversation']) &&
    (isNone(value, 'time') || isTime(valueAt(value, 'time'))) &&
    ROLES.some((role) => role === valueAt(value, 'role')) &&
    typeof valueAt(value, 'isVerified') === 'boolean'
  );
}

function areAll(object: unknown, name: string, isOne: (value: unknown) => boolean): boolean {
  return listAt(object, name)?.every(isOne) === true;
}

function hasTexts(object: unknown, names: readonly string[]): boolean {
  return names.every((name) => textAt(object, name) !== undefined);
}

function hasTextsOrNone(object: unknown, names: readonly string[]): boolean {
  return names.every((name) => isNone(object, name) || textAt(object, name) !== undefined);
}

function isNone(object: unknown, name: string): boolean {
  return valueAt(object, name) === undefined;
}

function isCount(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
