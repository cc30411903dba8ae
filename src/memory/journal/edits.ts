import type { Document, Found } from '../context/document.ts';
import { writeKey } from '../context/keys.ts';
import { type Members, ROOT } from '../context/members.ts';
import type { Edit } from './journal.ts';

/** Where a key stands in its section. */
interface Place {
  /** The name before it; null if it is the first. */
  readonly follows: string | null;
  /** All members with the key; the last is in force. */
  readonly members: number[];
}

/** Makes what the journal tells of edits of a document. */
export class EditMaker {
  readonly #document: Document;
  readonly #places = new Map<number, ReadonlyMap<string, Place>>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** The edit by which `after`, as JSON, comes to stand at a path; without it, nothing. */
  edit(path: readonly string[], after: string | undefined): Edit {
    const before = this.#document.find(path, { literal: false })?.json();
    const edit = { key: writeKey(path), before, after };
    if (before !== undefined && after === undefined) return { ...edit, ...this.#placeOf(path) };
    return before === undefined && after !== undefined ? { ...edit, made: this.#madeFor(path) } : edit;
  }

  #placeOf(path: readonly string[]): Pick<Edit, 'follows' | 'earlier'> {
    const { members } = this.#document;
    const section = path.slice(0, -1).reduce((at, name) => members.find(at, name) as number, ROOT);
    const places = this.#places.get(section) ?? placesIn(members, section);
    this.#places.set(section, places);
    const { follows, members: all } = places.get(path.at(-1) as string) as Place;
    const earlier = all.slice(0, -1).map((member) => members.jsonOf(member));
    return { follows, ...(earlier.length > 0 && { earlier }) };
  }

  #madeFor(path: readonly string[]): string | undefined {
    for (let length = 1; length < path.length; length++) {
      const outer = path.slice(0, length);
      if (!this.#document.find(outer, { literal: false })) return writeKey(outer);
    }
    return undefined;
  }
}

function placesIn(members: Members, section: number): Map<string, Place> {
  const places = new Map<string, Place>();
  let last: string | null = null;
  for (const member of members.of(section)) {
    const name = members.keys[member] as string;
    const known = places.get(name);
    const follows: string | null = known && name === last ? known.follows : last;
    places.set(name, { follows, members: known?.members ?? [] });
    places.get(name)?.members.push(member);
    last = name;
  }
  return places;
}

/** The edits that lead from what stands in one document to what stands in another: each of as little as can be. */
export function editsBetween(one: Document, other: Document): Edit[] {
  const maker = new EditMaker(one);
  return Array.from(differences(one.root, other.root), ({ path, after }) => maker.edit(path, after));
}

function* differences(
  one: Found | undefined,
  other: Found | undefined,
): Generator<{ readonly path: readonly string[]; readonly after: string | undefined }> {
  if (one?.kind === 'section' && other?.kind === 'section') {
    const [before, after] = [childrenOf(one), childrenOf(other)];
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      yield* differences(before.get(name), after.get(name));
    }
  } else if (one?.json() !== other?.json()) {
    yield { path: (one ?? other)?.path ?? [], after: other?.json() };
  }
}

function childrenOf(section: Found): Map<string, Found> {
  return new Map(section.children().map((child) => [child.path.at(-1) as string, child]));
}
