import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import type { Names } from './entry.ts';

/** What is to stand at a path that is there. */
export interface Change {
  readonly path: readonly string[];
  /** What stands there. */
  readonly old: unknown;
  readonly value: unknown;
  readonly names?: Names | undefined;
}

/** A stretch of a text, and what is to stand there instead. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How a language writes what is new. */
export interface Style {
  /** Comments, and the commas between values. */
  readonly commentOrComma: RegExp;
  /** What stands between a key and its value. */
  readonly colon: string;
  /** A key, like another one if one is given. */
  key(name: string, like?: string): string;
  /** A text, like another one if one is given. */
  text(value: string, like?: string): string;
}

/** The text with edits made; one within another is none. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const inOrder = [...edits].sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  let result = '';
  for (const { from, to, text: instead } of inOrder) {
    if (from < at) continue;
    result += text.slice(at, from) + instead;
    at = to;
  }
  return result + text.slice(at);
}

/** What comes to stand in an object or a list; `index` if it stood there before. */
interface Member {
  readonly text: string;
  readonly index: number | undefined;
}

/**
 * Writes values anew. What stays the same stays byte for byte, comments always; what is new looks like what is around
 * it, and a text that stands elsewhere among the old nodes is written as it is there.
 */
export class Patch {
  readonly #text: string;
  readonly #style: Style;
  /** What a line is indented by more than the line around it. */
  readonly #unit: string;
  /** How texts are written. */
  readonly #literals = new Map<unknown, string>();

  /** `nodes` are all of what is to change. */
  constructor(text: string, style: Style, nodes: readonly Node[]) {
    this.#text = text;
    this.#style = style;
    this.#unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
    for (const node of nodes) this.#learn(node);
  }

  /** The text of a node with the value `old` that is to say `value`; `lead` stands before what is beside it. */
  patched(node: Node, old: unknown, value: unknown, lead: string, names?: Names): string {
    if (!names && isDeepStrictEqual(old, value)) return this.#own(node);
    if (node.children && isObject(old) && isObject(value)) {
      return this.#object(node, old, value, lead, names);
    }
    if (node.children && Array.isArray(old) && Array.isArray(value))
      return this.#array(node, old, value, lead);
    return this.written(value, lead, node.type === 'string' ? this.#own(node) : undefined);
  }

  /** A value that is new; a text like another one if one is given. */
  written(value: unknown, lead: string, like?: string): string {
    if (typeof value === 'string') return this.#literals.get(value) ?? this.#style.text(value, like);
    if (Array.isArray(value)) return `[${value.map((item) => this.written(item, ' ')).join(', ')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    return Object.keys(value).length === 0 ? '{}' : `{${this.#membersOf(value, lead)}}`;
  }

  #membersOf(value: Readonly<Record<string, unknown>>, lead: string): string {
    const isOnLines = lead.includes('\n');
    const inner = isOnLines ? lead + this.#unit : ' ';
    const members = Object.entries(value).map(([key, item]) => this.#member(key, item, inner));
    return inner + members.join(`,${inner}`) + (isOnLines ? lead : ' ');
  }

  #member(key: string, item: unknown, lead: string, colon = this.#style.colon): string {
    return this.#style.key(key) + colon + this.written(item, lead);
  }

  #object(
    node: Node,
    old: Readonly<Record<string, unknown>>,
    value: Readonly<Record<string, unknown>>,
    outer: string,
    names?: Names,
  ): string {
    const pairs = (node.children ?? []).map(({ children }) => children as [Node, Node]);
    if (pairs.length === 0) return this.#filled(node, () => this.#membersOf(value, outer), value);
    const gaps = this.#gaps(node);
    const lead = leadIn(gaps);
    const colon = this.#colonOf(pairs[0]);
    const members = Object.entries(value).map(([key, item]) => {
      const was = formerName(key, names);
      const index = pairs.findLastIndex(([name]) => name.value === was);
      const pair = pairs[index];
      if (!pair) return { text: this.#member(key, item, lead, colon), index: undefined };
      const [name, child] = pair;
      const written = key === name.value ? this.#own(name) : this.#style.key(key, this.#own(name));
      const within = names?.get(key)?.within;
      const text = this.patched(child, old[name.value], item, lead, within);
      return { text: written + this.#between(endOf(name), child.offset) + text, index };
    });
    return this.#joined(node, gaps, members, lead);
  }

  #array(node: Node, old: readonly unknown[], value: readonly unknown[], outer: string): string {
    const items = node.children ?? [];
    if (items.length === 0) return this.#filled(node, () => this.written(value, outer).slice(1, -1), value);
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
      return { text: node ? this.#own(node) : this.written(item, lead), index };
    });
    return this.#joined(node, gaps, members, lead);
  }

  /** What was empty, with something in it; comments stay. */
  #filled(node: Node, members: () => string, value: object): string {
    const own = this.#own(node);
    const hasComments = own.slice(1, -1).trim() !== '';
    if (Object.keys(value).length === 0) return own;
    return own.charAt(0) + (hasComments ? members().trimEnd() + own.slice(1) : members() + own.slice(-1));
  }

  /** Members with what stood between them, and the comments of those that are gone. */
  #joined(node: Node, gaps: readonly string[], members: readonly Member[], lead: string): string {
    const children = node.children ?? [];
    const stay = new Set(members.map(({ index }) => index));
    const end = gaps.length - 1;

    /** Comments in and beside what is gone, from a gap on up to what stays. */
    const commentsFrom = (gap: number) => {
      let comments = '';
      for (let at = gap; at <= end && !stay.has(at - 1); at++) {
        comments += this.#commentsWithin(children[at - 1]);
        if (at < end) comments += this.#commentsIn(gaps[at] as string);
      }
      return comments;
    };

    const [open = '', close = ''] = [gaps[0], gaps[end]];
    if (members.length === 0) {
      const inside = this.#commentsIn(open.slice(1)) + commentsFrom(1);
      const hasComments = inside !== '' || this.#commentsIn(close.slice(0, -1)) !== '';
      return open.charAt(0) + (hasComments ? inside + close.replace(/^\s*,/, '') : close.slice(-1));
    }
    const [comma, ending] = splitAtComma(close);
    const comment = lead.includes('\n') ? this.#commentOnLine(ending) : '';
    const texts = members.map(({ index, text }, at) => {
      const isLast = at === members.length - 1;
      const own = index === undefined ? end : index + 1;
      if (own < end) {
        const gap = gaps[own] as string;
        if (!isLast) return text + gap + commentsFrom(own + 1);
        const comments = this.#commentsIn(gap) + commentsFrom(own + 1);
        return text + comma + (/^\s*\n/.test(ending) ? comments.trimEnd() : comments) + ending;
      }
      if (!isLast) return `${text},${index === undefined ? '' : comment}${lead}`;
      const isMoved = index === undefined && stay.has(end - 1);
      return text + comma + (isMoved ? ending.slice(comment.length) : ending);
    });
    return open + commentsFrom(1) + texts.join('');
  }

  /** The comment on the line of the last member, which stays with that. */
  #commentOnLine(ending: string): string {
    const [line = ''] = /^[^\n]*?(?=\s*\n)/.exec(ending) ?? [];
    return this.#commentsIn(line) === line ? line : '';
  }

  /** A gap without its comma if there are comments in it, else nothing. */
  #commentsIn(gap: string): string {
    let hasComments = false;
    const comments = gap.replace(this.#style.commentOrComma, (match) => {
      hasComments ||= match !== ',';
      return match === ',' ? '' : match;
    });
    return hasComments ? comments : '';
  }

  /** All comments in a node that goes. */
  #commentsWithin(node: Node | undefined): string {
    if (!node?.children?.length) return '';
    if (node.type === 'property') {
      const [key, value] = node.children as [Node, Node];
      const colon = this.#between(endOf(key), value.offset);
      return this.#commentsIn(colon.replace(/[:=]/, '')) + this.#commentsWithin(value);
    }
    const gaps = this.#gaps(node).map((gap) => this.#commentsIn(gap.replace(/^[[{]|[\]}]$/g, '')));
    return gaps.map((gap, index) => gap + this.#commentsWithin(node.children?.[index])).join('');
  }

  /** What stands before the members, between each two of them, and after them, brackets included. */
  #gaps(node: Node): string[] {
    const ends = [node.offset, ...(node.children ?? []).map(endOf)];
    const starts = [...(node.children ?? []).map(({ offset }) => offset), endOf(node)];
    return ends.map((end, index) => this.#between(end, starts[index] as number));
  }

  #colonOf([name, value]: [Node, Node] | [] = []): string | undefined {
    const colon = name && value ? this.#between(endOf(name), value.offset) : '';
    return /^\s*[:=]\s*$/.test(colon) ? colon : undefined;
  }

  #learn(node: Node): void {
    const { type, value, children = [] } = node;
    if (type === 'string' && !this.#literals.has(value)) this.#literals.set(value, this.#own(node));
    for (const child of type === 'property' ? children.slice(1) : children) this.#learn(child);
  }

  #own(node: Node): string {
    return this.#between(node.offset, endOf(node));
  }

  #between(from: number, to: number): string {
    return this.#text.slice(from, to);
  }
}

/** What a key was called; nothing if another key took that name over. */
export function formerName(key: string, names: Names | undefined): string | undefined {
  const renamed = names?.get(key);
  if (renamed) return renamed.was;
  return [...(names?.values() ?? [])].some(({ was }) => was === key) ? undefined : key;
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The end of an object or a list in two: up to a comma, if there is one, and the rest. */
function splitAtComma(close: string): [comma: string, ending: string] {
  const [comma = ''] = /^\s*,/.exec(close) ?? [];
  return [comma, close.slice(comma.length)];
}

/** The space before a member: that before the second, or before the first if it has a line of its own. */
function leadIn([before = '', between]: readonly string[]): string {
  const gap = between !== undefined && /^\s*,\s*$/.test(between) ? between : before;
  const [space = ''] = /\r?\n[ \t]*$|[ \t]*$/.exec(gap) ?? [];
  return gap === before && !space.includes('\n') ? ' ' : space;
}
