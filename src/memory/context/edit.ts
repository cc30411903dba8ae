import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { type Document, Found, readDocument } from './document.ts';
import { writeKey } from './keys.ts';
import { type Habits, habitsOf, type Layout, layoutOf, layoutWithin } from './layout.ts';
import { type Members, ROOT } from './members.ts';

/** What becomes of a key: a new value as JSON, none any more, or changes to the section that it is. */
type Change = string | null | Changes;
type Changes = Map<string, Change>;

/** New text in place of the bytes between two places. */
interface Patch {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A document with changes. All bytes stay that they aren't about, and what is new is laid out like what is around it.
 * What the changes lead to is what they would one after the other, in one go.
 */
export class Draft {
  #document: Document;
  #changes: Changes = new Map();

  constructor(document: Document) {
    this.#document = document;
  }

  /**
   * Puts the value at `path`: JSON text, which is not checked. Sections that aren't there are made; a new key goes to
   * the end of its section. Of a key that stands there twice, the last is changed.
   *
   * Throws `KEY_TAKEN`, and does nothing, if a section that isn't empty stands where a value is to be, or a value where
   * a section is to be.
   */
  set(path: readonly string[], json: string): void {
    this.#settleFor(path);
    refuseTaken(this.#document.members, path, json);
    this.#add(path, json);
  }

  /** Takes out what is at `path`, if anything is, each time that it stands there, and sections that this leaves empty. */
  remove(path: readonly string[]): void {
    this.#settleFor(path);
    if (this.#document.find(path, { literal: false })) this.#add(path, null);
  }

  /** The bytes with all changes. */
  finish(): Buffer {
    if (this.#changes.size === 0) return this.#document.bytes;
    return edited(this.#document.members, this.#changes);
  }

  /** A change to what another change is about is made to the document that the other one leads to. */
  #settleFor(path: readonly string[]): void {
    if (path.length === 0) throw new RangeError('the root has no key');
    let change: Change | undefined = this.#changes;
    for (const key of path) {
      if (!(change instanceof Map)) break;
      change = change.get(key);
    }
    if (change === undefined) return;
    this.#document = readDocument(this.finish());
    this.#changes = new Map();
  }

  #add(path: readonly string[], change: Change): void {
    let changes = this.#changes;
    for (const key of path.slice(0, -1)) {
      const inner = changes.get(key) ?? new Map<string, Change>();
      changes.set(key, inner);
      changes = inner as Changes;
    }
    changes.set(path.at(-1) as string, change);
  }
}

function refuseTaken(members: Members, path: readonly string[], json: string): void {
  let at = ROOT;
  for (const [index, key] of path.entries()) {
    const member = members.find(at, key);
    if (member === undefined) return;
    const there = new Found(members, member, path.slice(0, index + 1));
    const isSection = index < path.length - 1 || json.startsWith('{');
    if (!isSection && there.kind === 'section') refuseSection(there);
    if (isSection && there.kind === 'value') refuseValue(there, path);
    at = member;
  }
}

function refuseSection(there: Found): void {
  const count = there.count();
  if (count === 0) return;
  throw taken(
    `${nameOf(there.path)} is a section with ${count} ${count === 1 ? 'key' : 'keys'}, which a value would replace`,
  );
}

function refuseValue(there: Found, path: readonly string[]): void {
  const what =
    there.path.length < path.length ? `which ${nameOf(path)} would replace` : 'which a section would replace';
  throw taken(`${nameOf(there.path)} is a value, ${what}`);
}

function taken(fact: string): PlimsollError {
  return new PlimsollError('KEY_TAKEN', `${fact}. Delete it first, or choose another key.`);
}

function nameOf(path: readonly string[]): string {
  return `"${visibleName(writeKey(path))}"`;
}

function edited(members: Members, changes: Changes): Buffer {
  const patches = editSection(members, ROOT, changes, habitsOf(members)) ?? [
    replacement(members, ROOT, '{}'),
  ];
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, text } of patches.sort((a, b) => a.from - b.from)) {
    pieces.push(members.bytes.subarray(at, from), Buffer.from(text));
    at = to;
  }
  pieces.push(members.bytes.subarray(at));
  return Buffer.concat(pieces);
}

/** The patches that make the changes to a section; `undefined` if nothing would be left in it. */
function editSection(
  members: Members,
  section: number,
  changes: Changes,
  habits: Habits,
): Patch[] | undefined {
  const patches: Patch[] = [];
  const added: Changes = new Map();
  const gone = new Set<string>();
  for (const [key, change] of changes) {
    const member = members.find(section, key);
    if (member === undefined) added.set(key, change);
    else if (change === null) gone.add(key);
    else if (typeof change === 'string') patches.push(replacement(members, member, change));
    else {
      const inner = editSection(members, member, change, habits);
      if (inner) for (const patch of inner) patches.push(patch);
      else if (isAlone(members, section, key)) gone.add(key);
      else patches.push(replacement(members, member, '{}'));
    }
  }
  if (added.size === 0 && gone.size === 0) return patches;
  const present = members.of(section);
  const isKept = (member: number) => !gone.has(members.keys[member] as string);
  const firstKept = present.find(isKept);
  if (added.size === 0 && firstKept === undefined) return undefined;
  const layout = layoutOf(members, section, habits);
  const [first] = present;
  const last = present.at(-1);
  if (first === undefined || last === undefined) {
    return [replacement(members, section, writeSection(added, layout, habits))];
  }
  const text = writeMembers(added, layout, habits);
  const { keyStarts, ends } = members;
  if (firstKept === undefined) {
    return [{ from: keyStarts[first] as number, to: ends[last] as number, text }];
  }
  for (const [index, member] of present.entries()) {
    if (!isKept(member)) patches.push(removal(members, present, index, firstKept));
  }
  if (added.size > 0) {
    const at = ends[last] as number;
    patches.push({ from: at, to: at, text: layout.separator + text });
  }
  return patches;
}

function isAlone(members: Members, section: number, key: string): boolean {
  return members.of(section).filter((member) => members.keys[member] === key).length === 1;
}

function replacement(members: Members, member: number, text: string): Patch {
  return { from: members.starts[member] as number, to: members.ends[member] as number, text };
}

/** Takes a member out with the comma before it, or, where none that stays is before it, with the one after it. */
function removal({ keyStarts, ends }: Members, present: number[], index: number, firstKept: number): Patch {
  const member = present[index] as number;
  return member < firstKept
    ? { from: keyStarts[member] as number, to: keyStarts[present[index + 1] as number] as number, text: '' }
    : { from: ends[present[index - 1] as number] as number, to: ends[member] as number, text: '' };
}

function writeMembers(added: Changes, layout: Layout, habits: Habits): string {
  const members: string[] = [];
  for (const [key, change] of added) {
    if (change === null) continue;
    const value =
      typeof change === 'string' ? change : writeSection(change, layoutWithin(layout, habits), habits);
    members.push(JSON.stringify(key) + layout.colon + value);
  }
  return members.join(layout.separator);
}

/** A section whose members are laid out like that. */
function writeSection(added: Changes, layout: Layout, habits: Habits): string {
  const members = writeMembers(added, layout, habits);
  const { indent, padding } = layout;
  if (indent === undefined) return `{${padding}${members}${padding}}`;
  const { lineEnd, step } = habits;
  return `{${lineEnd}${indent}${members}${lineEnd}${indent.slice(0, indent.length - step.length)}}`;
}
