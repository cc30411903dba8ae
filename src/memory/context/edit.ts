import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { type Document, Found, readDocument } from './document.ts';
import { writeKey } from './keys.ts';
import { type Habits, habitsOf, type Layout, layoutOf, layoutWithin } from './layout.ts';
import { type Members, ROOT } from './members.ts';

/** What becomes of a key: a new value as JSON, what was there once, nothing any more, or changes to the section that it is. */
type Change = string | Once | null | Section;

interface Section {
  readonly changes: Map<string, Change>;
  /** Whether it goes if nothing is left in it. */
  isMade: boolean;
}

/** What stood at a key once, and where. */
export interface Once {
  readonly json: string;
  /** The name before it in its section, null if it was the first; at the end if left out, or if that isn't there. */
  readonly follows?: string | null | undefined;
  /** What stood before it under the same key, as JSON. */
  readonly earlier?: readonly string[] | undefined;
}

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
  #root = newSection();

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

  /**
   * Puts back what stood at `path`, where it stood, in place of whatever is there. Throws `KEY_TAKEN`, and does nothing,
   * if a value stands where one of the sections around it is to be.
   */
  restore(path: readonly string[], once: Once): void {
    this.#settleFor(path);
    refuseTaken(this.#document.members, path);
    this.#add(path, once);
  }

  /**
   * Takes out what is at `path`, if anything is, each time that it stands there. Of the sections around it those stay
   * that this leaves empty, but for the innermost ones from the path `made` on.
   */
  remove(path: readonly string[], made?: readonly string[]): void {
    this.#settleFor(path);
    if (!this.#document.find(path, { literal: false })) return;
    for (const section of this.#add(path, null).slice(made?.length ?? path.length)) section.isMade = true;
  }

  /** The bytes with all changes. */
  finish(): Buffer {
    if (this.#root.changes.size === 0) return this.#document.bytes;
    return edited(this.#document.members, this.#root);
  }

  /** A change to what another change is about is made to the document that the other one leads to. */
  #settleFor(path: readonly string[]): void {
    if (path.length === 0) throw new RangeError('the root has no key');
    let change: Change | undefined = this.#root;
    for (const name of path) {
      if (!isSection(change)) break;
      change = change.changes.get(name);
    }
    if (change === undefined) return;
    this.#document = readDocument(this.finish());
    this.#root = newSection();
  }

  /** The sections around it, from the root on. */
  #add(path: readonly string[], change: Change): Section[] {
    const around = [this.#root];
    for (const name of path.slice(0, -1)) {
      const { changes } = around.at(-1) as Section;
      const inner = changes.get(name) ?? newSection();
      changes.set(name, inner);
      around.push(inner as Section);
    }
    around.at(-1)?.changes.set(path.at(-1) as string, change);
    return around;
  }
}

function newSection(): Section {
  return { changes: new Map(), isMade: false };
}

function isSection(change: Change | undefined): change is Section {
  return typeof change === 'object' && change !== null && 'changes' in change;
}

function isOnce(change: Change): change is Once {
  return typeof change === 'object' && change !== null && 'json' in change;
}

/** Without JSON nothing is refused at the path itself. */
function refuseTaken(members: Members, path: readonly string[], json?: string): void {
  let at = ROOT;
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1;
    const member = members.find(at, key);
    if (member === undefined || (isLast && json === undefined)) return;
    const there = new Found(members, member, path.slice(0, index + 1));
    const isToBeSection = !isLast || json?.startsWith('{');
    if (!isToBeSection && there.kind === 'section') refuseSection(there);
    if (isToBeSection && there.kind === 'value') refuseValue(there, path);
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

function edited(members: Members, root: Section): Buffer {
  const patches = editSection(members, ROOT, root, habitsOf(members)) ?? [replacement(members, ROOT, '{}')];
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, text } of patches.sort((a, b) => a.from - b.from || a.to - b.to)) {
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
  { changes }: Section,
  habits: Habits,
): Patch[] | undefined {
  const patches: Patch[] = [];
  const added = new Map<string, Change>();
  const gone = new Set<string>();
  for (const [key, change] of changes) {
    const member = members.find(section, key);
    if (member === undefined) added.set(key, change);
    else if (change === null) gone.add(key);
    else if (typeof change === 'string') patches.push(replacement(members, member, change));
    else if (isOnce(change)) patches.push(replacement(members, member, change.json));
    else {
      const inner = editSection(members, member, change, habits);
      if (inner) for (const patch of inner) patches.push(patch);
      else if (change.isMade && isAlone(members, section, key)) gone.add(key);
      else patches.push(replacement(members, member, '{}'));
    }
  }
  if (added.size === 0 && gone.size === 0) return patches;
  const kept = new Set(members.of(section).filter((member) => !gone.has(members.keys[member] as string)));
  if (added.size === 0 && kept.size === 0) return undefined;
  return [...patches, ...outlinePatches(members, section, kept, added, habits)];
}

/** The patches that take out of a section what isn't kept, and put in what is added. */
function* outlinePatches(
  members: Members,
  section: number,
  kept: ReadonlySet<number>,
  added: Section['changes'],
  habits: Habits,
): Generator<Patch> {
  const { keyStarts, ends } = members;
  const layout = layoutOf(members, section, habits);
  const present = members.of(section);
  const [first, last] = [present[0], present.at(-1)];
  const [firstKept] = kept;
  if (first === undefined || last === undefined) {
    yield replacement(members, section, writeSection(added, layout, habits));
    return;
  }
  if (firstKept === undefined) {
    const text = writeMembers(inOrder(added), layout, habits);
    yield { from: keyStarts[first] as number, to: ends[last] as number, text };
    return;
  }
  for (const [index, member] of present.entries()) {
    if (!kept.has(member)) yield removal(members, present, index, firstKept);
  }
  const keptAt = (name: string) => {
    const member = members.find(section, name);
    return member !== undefined && kept.has(member) ? member : undefined;
  };
  for (const [place, group] of groupsOf(added, keptAt)) {
    const text = writeMembers(group, layout, habits);
    const at = place === 'first' ? keyStarts[firstKept] : ends[place === 'last' ? last : place];
    const withComma = place === 'first' ? text + layout.separator : layout.separator + text;
    yield { from: at as number, to: at as number, text: withComma };
  }
}

/** Where new members of a section go: before all, behind a member that is kept, or behind all. */
type AddedPlace = 'first' | number | 'last';
type Group = [name: string, change: Change][];

/** What goes where: that which followed a name, directly behind it, if it is kept or new itself. */
function groupsOf(
  added: Section['changes'],
  keptAt: (name: string) => number | undefined,
): Map<AddedPlace, Group> {
  const groups = new Map<AddedPlace, Group>();
  const places = new Map<string, AddedPlace>();
  for (const [name, change] of added) {
    const follows = isOnce(change) ? change.follows : undefined;
    const place = follows === null ? 'first' : placeBehind(follows, places, keptAt);
    const group = groups.get(place) ?? [];
    const isBehindNew = typeof follows === 'string' && places.has(follows);
    const before = isBehindNew ? group.findLastIndex(([other]) => other === follows) : -1;
    group.splice(before < 0 && place === 'last' ? group.length : before + 1, 0, [name, change]);
    groups.set(place, group);
    places.set(name, place);
  }
  return groups;
}

function placeBehind(
  name: string | undefined,
  places: ReadonlyMap<string, AddedPlace>,
  keptAt: (name: string) => number | undefined,
): AddedPlace {
  return name === undefined ? 'last' : (places.get(name) ?? keptAt(name) ?? 'last');
}

/** What is added where nothing else is. */
function inOrder(added: Section['changes']): Group {
  const groups = groupsOf(added, () => undefined);
  return [...(groups.get('first') ?? []), ...(groups.get('last') ?? [])];
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

function writeMembers(added: Group, layout: Layout, habits: Habits): string {
  return added
    .flatMap(([name, change]) => {
      const key = JSON.stringify(name) + layout.colon;
      return jsonsOf(change, layout, habits).map((json) => key + json);
    })
    .join(layout.separator);
}

/** All that comes to stand under one key. */
function jsonsOf(change: Change, layout: Layout, habits: Habits): readonly string[] {
  if (change === null) return [];
  if (isSection(change)) return [writeSection(change.changes, layoutWithin(layout, habits), habits)];
  return typeof change === 'string' ? [change] : [...(change.earlier ?? []), change.json];
}

/** A section whose members are laid out like that. */
function writeSection(added: Section['changes'], layout: Layout, habits: Habits): string {
  const members = writeMembers(inOrder(added), layout, habits);
  const { indent, padding } = layout;
  if (indent === undefined) return `{${padding}${members}${padding}}`;
  const { lineEnd, step } = habits;
  return `{${lineEnd}${indent}${members}${lineEnd}${indent.slice(0, indent.length - step.length)}}`;
}
