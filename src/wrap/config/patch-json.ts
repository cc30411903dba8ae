import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';

/** What is to stand at a path that is there. */
export interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * JSON text, with comments as it may be, in which other values stand at some paths, none within another. What stays
 * the same stays byte for byte, comments always; what is new looks like what is around it.
 */
export function patchJson(text: string, changes: readonly Change[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const patch = new Patch(text);
  const edits = changes.map(({ path, value }) => {
    const node = root && findNodeAtLocation(root, [...path]);
    if (!node) throw new Error(`There is nothing at ${path.join('/')}.`);
    return { node, patched: patch.patched(node, value, ' ') };
  });
  let at = 0;
  const pieces: string[] = [];
  for (const { node, patched } of edits.sort((a, b) => a.node.offset - b.node.offset)) {
    pieces.push(text.slice(at, node.offset), patched);
    at = endOf(node);
  }
  return pieces.join('') + text.slice(at);
}

/** What comes to stand in an object or a list; `index` if it stood there before. */
interface Member {
  readonly text: string;
  readonly index: number | undefined;
}

class Patch {
  readonly #text: string;
  /** What a line is indented by more than the line around it. */
  readonly #unit: string;

  constructor(text: string) {
    this.#text = text;
    this.#unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  }

  /** The text of a node that is to say `value`; `lead` stands before what is beside it. */
  patched(node: Node, value: unknown, lead: string): string {
    if (isDeepStrictEqual(getNodeValue(node), value)) return this.#between(node.offset, endOf(node));
    const members = node.children ?? [];
    if (members.length > 0 && node.type === 'object' && isObject(value)) return this.#object(node, value);
    if (members.length > 0 && node.type === 'array' && Array.isArray(value)) return this.#array(node, value);
    return this.#written(value, lead);
  }

  #object(node: Node, value: Readonly<Record<string, unknown>>): string {
    const pairs = (node.children ?? []).map(({ children }) => children as [Node, Node]);
    const gaps = this.#gaps(node);
    const lead = leadIn(gaps);
    const colon = this.#colonOf(pairs[0]);
    const members = Object.entries(value).map(([key, item]) => {
      const index = pairs.findLastIndex(([name]) => name.value === key);
      const pair = pairs[index];
      if (!pair) return { text: JSON.stringify(key) + colon + this.#written(item, lead), index: undefined };
      const [name, child] = pair;
      return { text: this.#between(name.offset, child.offset) + this.patched(child, item, lead), index };
    });
    return joined(gaps, members, lead) ?? '{}';
  }

  #array(node: Node, value: readonly unknown[]): string {
    const items = node.children ?? [];
    const old = items.map((item) => getNodeValue(item));
    const gaps = this.#gaps(node);
    const lead = leadIn(gaps);
    const most = Math.min(old.length, value.length);
    let last = 0;
    while (last < most && isDeepStrictEqual(old.at(-1 - last), value.at(-1 - last))) last++;
    let first = 0;
    while (first < most - last && isDeepStrictEqual(old[first], value[first])) first++;
    const members = value.map((item, at) => {
      const fromEnd = value.length - at;
      const index = at < first ? at : fromEnd <= last ? old.length - fromEnd : undefined;
      const node = index === undefined ? undefined : items[index];
      return { text: node ? this.#between(node.offset, endOf(node)) : this.#written(item, lead), index };
    });
    return joined(gaps, members, lead) ?? '[]';
  }

  /** What stands before the members, between each two of them, and after them, brackets included. */
  #gaps(node: Node): string[] {
    const ends = [node.offset, ...(node.children ?? []).map(endOf)];
    const starts = [...(node.children ?? []).map(({ offset }) => offset), endOf(node)];
    return ends.map((end, index) => this.#between(end, starts[index] as number));
  }

  #colonOf([name, value]: [Node, Node] | [] = []): string {
    const colon = name && value ? this.#between(endOf(name), value.offset) : '';
    return /^:\s*$/.test(colon) ? colon : ': ';
  }

  #written(value: unknown, lead: string): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#written(item, ' ')).join(', ')}]`;
    if (!isObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
    const inner = lead.includes('\n') ? lead + this.#unit : ' ';
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${this.#written(item, inner)}`,
    );
    return `{${inner}${members.join(`,${inner}`)}${lead.includes('\n') ? lead : ' '}}`;
  }

  #between(from: number, to: number): string {
    return this.#text.slice(from, to);
  }
}

/** Members with what stood between them; undefined if there is nothing to join. */
function joined(gaps: readonly string[], members: readonly Member[], lead: string): string | undefined {
  if (members.length === 0) return undefined;
  const stay = new Set(members.map(({ index }) => index));
  const end = gaps.length - 1;

  /** Comments beside what is gone, from a gap on up to what stays. */
  function commentsFrom(gap: number): string {
    let comments = '';
    for (let at = gap; at < end && !stay.has(at - 1); at++) comments += commentsIn(gaps[at] as string);
    return comments;
  }

  function after({ index }: Member, isLast: boolean): string {
    const own = index === undefined ? end : index + 1;
    const isGapBetween = own < end;
    if (!isLast) return isGapBetween ? gaps[own] + commentsFrom(own + 1) : `,${lead}`;
    return (isGapBetween ? commentsIn(gaps[own] as string) + commentsFrom(own + 1) : '') + gaps[end];
  }

  const texts = members.map((member, at) => member.text + after(member, at === members.length - 1));
  return gaps[0] + commentsFrom(1) + texts.join('');
}

/** A gap without its comma if there are comments in it, else nothing. */
function commentsIn(gap: string): string {
  if (!/\/[/*]/.test(gap)) return '';
  return gap.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g, (match) => (match === ',' ? '' : match));
}

/** The space before a member: that before the second, or before the first if it has a line of its own. */
function leadIn([before = '', between]: readonly string[]): string {
  const gap = between !== undefined && /^\s*,\s*$/.test(between) ? between : before;
  const [space = ''] = /\r?\n[ \t]*$|[ \t]*$/.exec(gap) ?? [];
  return gap === before && !space.includes('\n') ? ' ' : space;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
