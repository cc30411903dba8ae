import type { Node } from 'web-tree-sitter';
import { lineOfWords } from './doc.ts';
import type { Definition, Lines, Outline } from './outline.ts';

/** What is done with a node of a type. A node that no rule is for is passed over, with all that is in it. */
export type Rule = (node: Node, walk: Walk) => void;

/** How to outline a language: a table for the walker. */
export interface Syntax {
  /** The grammar's name, as its file has it. */
  readonly grammar: string;
  readonly comments: readonly string[];
  /** Types of nodes that stand beside the definition that they say something about: attributes, modifiers. */
  readonly attributes?: readonly string[];
  /** Types of nodes at whose end comments may stand that are about what follows. */
  readonly loose?: readonly string[];
  readonly rules: Readonly<Record<string, Rule>>;
  /** Whether a node is about what follows it, besides `comments` and `attributes`: as the one or the other. */
  readonly belongs?: (node: Node) => 'comment' | 'attribute' | undefined;
  /** Makes of a text one of the same length that the grammar understands. */
  readonly prepare?: (text: string) => string;
}

/** What a rule knows of a definition. */
export interface Parts {
  readonly name: string | undefined;
  /** What can be left out, or where other definitions stand. */
  readonly body?: Node | null | undefined;
  /** Where the body ends if not with itself. */
  readonly bodyEnd?: Node | undefined;
  /** What the signature ends with if the body is not a node of its own. */
  readonly head?: Node | undefined;
  /**
   * Whether definitions stand in the body, as in a class's; `hidden` if they can't be used from elsewhere, `value` if it
   * can be left out where there are none.
   */
  readonly inside?: boolean | 'hidden' | 'value';
  /** Worth telling only if it's exported, or if others stand in it. */
  readonly onlyExported?: boolean;
  /** By what its own words say; where its place in the file matters too, the walk knows. */
  readonly exported: boolean;
  /** Exported only if the definition of that name is, where the file has one: of a method, its type. */
  readonly like?: string | undefined;
  /** Text in the body that documents it. */
  readonly docstring?: Node | undefined;
  /** Where it starts and ends if it's not all of the node. */
  readonly from?: Node;
  readonly to?: Node;
}

interface Draft extends Omit<Definition, 'exported' | 'depth'> {
  own: boolean;
  readonly hides: boolean;
  readonly onlyExported: boolean;
  readonly like: string | undefined;
  readonly parent: Draft | undefined;
  readonly depth: number;
  body?: Lines;
  exported?: boolean;
}

/** Definitions stand in one another at most so deep. */
const DEEPEST = 40;
const DOC_COMMENT = /^\/\*\*[^*]/;
const CLOSERS = /^(?:[\])}]|<\/|end\b)/;

/** Collects a file's imports and definitions while rules go through its tree. */
export class Walk {
  readonly #syntax: Syntax;
  readonly #comments: ReadonlySet<string>;
  readonly #attributes: ReadonlySet<string>;
  readonly #loose: ReadonlySet<string>;
  readonly #lines: readonly string[];
  /** The whole file. */
  readonly text: string;
  readonly #imports: Lines[] = [];
  readonly #drafts: Draft[] = [];
  #parent: Draft | undefined;
  #before: readonly Node[] = [];
  /** The widest node that is about nothing but the node at hand. */
  #outer: Node | undefined;
  /** Names that the file exports elsewhere than where it defines them. */
  readonly exports = new Set<string>();
  /** If true, nothing at the top is exported but `exports`. */
  exportsAreAll = false;
  /** Whatever a language has to remember from node to node. */
  readonly notes = new Map<string, unknown>();

  constructor(syntax: Syntax, text: string) {
    this.#syntax = syntax;
    this.#comments = new Set(syntax.comments);
    this.#attributes = new Set(syntax.attributes ?? []);
    this.#loose = new Set(syntax.loose ?? []);
    this.#lines = text.split('\n');
    this.text = text;
  }

  /** How many definitions the node at hand stands in. */
  get depth(): number {
    return this.#parent === undefined ? 0 : this.#parent.depth + 1;
  }

  /** The type of the widest node that is about nothing but the node at hand. */
  get wrapper(): string | undefined {
    return this.#outer?.type;
  }

  /** A line of the file, from 0. */
  line(row: number): string {
    return this.#lines[row] ?? '';
  }

  /** Comments and attributes that stand directly before the node at hand. */
  get before(): readonly Node[] {
    return this.#before;
  }

  /** Applies the rules to what a node holds. */
  within(node: Node | null | undefined): void {
    if (!node || this.depth > DEEPEST) return;
    const [before, outer] = [this.#before, this.#outer];
    let collected = this.#commentsAhead(node);
    let lastRow = -1;
    for (const child of node.namedChildren) {
      const { row } = child.startPosition;
      const isComment = this.#isComment(child);
      if (isComment || this.#isAttribute(child)) {
        // What stands behind something on its line is about that.
        const apart = isComment && row === lastRow;
        if (collected.length > 0 && !this.#isAbove(collected.at(-1) as Node, child)) collected = [];
        if (!apart) collected.push(child);
        lastRow = lastRowOf(child);
        continue;
      }
      this.#before = collected.length > 0 && this.#isAbove(collected.at(-1) as Node, child) ? collected : [];
      this.#outer = undefined;
      this.visit(child);
      collected = this.#loose.has(child.type) ? this.#commentsAtEnd(child) : [];
      lastRow = lastRowOf(child);
    }
    [this.#before, this.#outer] = [before, outer];
  }

  /** Whether a comment or an attribute stands directly above a node: a `/** ... ` comment may be a line apart. */
  #isAbove(above: Node, node: Node): boolean {
    const between = node.startPosition.row - lastRowOf(above) - 1;
    return between <= 0 || (between === 1 && above.startPosition.row > 0 && DOC_COMMENT.test(above.text));
  }

  #isComment(node: Node): boolean {
    return this.#comments.has(node.type) || this.#syntax.belongs?.(node) === 'comment';
  }

  #isAttribute(node: Node): boolean {
    return this.#attributes.has(node.type) || this.#syntax.belongs?.(node) === 'attribute';
  }

  /** Comments between a head and what it has: the first thing in there is what they are about. */
  #commentsAhead(node: Node): Node[] {
    const found: Node[] = [];
    const first = node.namedChildren[0];
    if (!first || first.startIndex !== node.startIndex) return found;
    for (
      let each = node.previousSibling;
      each && this.#comments.has(each.type);
      each = each.previousSibling
    ) {
      if (each.startPosition.row > (each.previousSibling?.endPosition.row ?? -1)) found.unshift(each);
    }
    return found;
  }

  #commentsAtEnd(node: Node): Node[] {
    const last = node.namedChildren.at(-1);
    if (!last) return [];
    if (!this.#comments.has(last.type)) return this.#commentsAtEnd(last);
    const apart = node.namedChildren.findLastIndex(({ type }) => !this.#comments.has(type));
    return node.namedChildren.slice(apart + 1);
  }

  /** Applies its type's rule to a node. */
  visit(node: Node | null | undefined): void {
    if (!node) return;
    const rules = this.#syntax.rules;
    const rule = Object.hasOwn(rules, node.type) ? rules[node.type] : undefined;
    if (rule) rule(node, this);
    // What is defined between faults is defined all the same.
    else if (node.type === 'ERROR') this.within(node);
  }

  /** Applies the rule of a node that makes up its parent but for words such as `export`. */
  unwrap(outer: Node, inner: Node | null | undefined): void {
    const kept = this.#outer;
    this.#outer ??= outer;
    this.visit(inner);
    this.#outer = kept;
  }

  /** Takes back that names beside the node at hand can be used from elsewhere. */
  hide(names: readonly string[]): void {
    for (const draft of this.#drafts) {
      if (draft.parent === this.#parent && names.includes(draft.name)) draft.own = false;
    }
  }

  /** Notes an import. */
  import(node: Node): void {
    this.#imports.push(linesOf(this.#outer ?? node));
  }

  /** Notes a definition, and those in it. */
  define(node: Node, parts: Parts): void {
    if (!parts.name) {
      if (parts.inside) this.within(parts.body);
      return;
    }
    const from = parts.from ?? this.#outer ?? node;
    const { start: first } = linesOf(from);
    const end = this.#end(parts.to ?? this.#outer ?? node, first);
    const before = parts.from && parts.from !== this.#outer ? [] : this.#before;
    const attribute = before.find((each) => this.#isAttribute(each));
    const start = attribute ? linesOf(attribute).start : first;
    const { body } = parts;
    const head = parts.head ? linesOf(parts.head).end : body ? this.#endOfSignature(body) : end;
    const signatureEnd = Math.min(end, head);
    const draft: Draft = {
      name: parts.name,
      signature: { start, end: Math.max(signatureEnd, start + 1) },
      whole: { start: before[0] ? Math.min(start, linesOf(before[0]).start) : start, end },
      own: parts.exported,
      hides: parts.inside === 'hidden',
      onlyExported: parts.onlyExported ?? false,
      like: parts.like,
      parent: this.#parent,
      depth: this.depth,
      ...this.#doc(before, parts.docstring),
    };
    this.#drafts.push(draft);
    const known = this.#drafts.length;
    if (parts.inside) {
      this.#parent = draft;
      this.within(body);
      this.#parent = draft.parent;
    }
    if (body && parts.inside !== true && this.#drafts.length === known) {
      const lines = this.#inner(parts.bodyEnd ?? body, draft.signature.end, parts.docstring);
      if (lines) draft.body = lines;
    }
  }

  /** The line after the one where a body starts: where its bracket is, or where what precedes it ends. */
  #endOfSignature(body: Node): number {
    const { row, column } = body.startPosition;
    const line = this.line(row);
    if (/^[[({]/.test(line.slice(column, column + 1)) || line.slice(0, column).trim() !== '') return row + 1;
    let before = body.previousSibling;
    while (before && this.#comments.has(before.type)) before = before.previousSibling;
    return before ? linesOf(before).end : row + 1;
  }

  /** The line after a node's last words: nodes may go on to where something follows. */
  #end(node: Node, start: number): number {
    const { row, column } = node.endPosition;
    let end = this.line(row).slice(0, column).trim() === '' ? row : row + 1;
    while (end > start + 1 && this.line(end - 1).trim() === '') end--;
    return Math.max(end, start + 1);
  }

  /** The lines of a body that can be left out, unless there are none. */
  #inner(body: Node, from: number, docstring: Node | undefined): Lines | undefined {
    const start = docstring ? Math.max(from, linesOf(docstring).end) : from;
    const end = this.#end(body, linesOf(body).start);
    const last = this.line(end - 1).trimStart();
    const lines = { start, end: CLOSERS.test(last) ? end - 1 : end };
    return lines.end > lines.start ? lines : undefined;
  }

  #doc(before: readonly Node[], docstring: Node | undefined): { doc?: number } {
    const comments = docstring ? [docstring] : before.filter((each) => this.#isComment(each));
    for (const comment of comments) {
      const { start, end } = linesOf(comment);
      const doc = lineOfWords(this.#lines, start, end);
      if (doc !== undefined) return { doc };
    }
    return {};
  }

  /** What was found. */
  outline(): Outline {
    const named = new Map<string, Draft>();
    for (const draft of this.#drafts) {
      if (draft.parent === undefined && draft.like !== draft.name && !named.has(draft.name))
        named.set(draft.name, draft);
    }
    const exported = (draft: Draft): boolean => {
      draft.exported ??= this.#isExported(draft, named, exported);
      return draft.exported;
    };
    const parents = new Set(this.#drafts.map(({ parent }) => parent));
    const told = this.#drafts.filter((draft) => !draft.onlyExported || exported(draft) || parents.has(draft));
    return {
      imports: this.#imports,
      definitions: told.map((draft) => ({
        name: draft.name,
        signature: draft.signature,
        ...(draft.doc !== undefined && { doc: draft.doc }),
        whole: draft.whole,
        ...(draft.body && { body: draft.body }),
        depth: draft.depth,
        exported: exported(draft),
      })),
    };
  }

  #isExported(draft: Draft, named: ReadonlyMap<string, Draft>, exported: (draft: Draft) => boolean): boolean {
    if (draft.parent) return draft.own && !draft.parent.hides && exported(draft.parent);
    if (this.exportsAreAll) return this.exports.has(draft.name);
    if (this.exports.has(draft.like ?? draft.name)) return true;
    const owner = draft.like === undefined ? undefined : named.get(draft.like);
    return draft.own && (owner === undefined || owner === draft || exported(owner));
  }
}

/** The lines that a node stands on. */
export function linesOf(node: Node): Lines {
  const { row: start } = node.startPosition;
  return { start, end: lastRowOf(node) + 1 };
}

/** The line that a node's last character is on. */
function lastRowOf(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 ? Math.max(row - 1, node.startPosition.row) : row;
}
