import type { Node } from 'web-tree-sitter';

/** What a node has in a field. */
export const field = (node: Node | null | undefined, name: string): Node | undefined =>
  node?.childForFieldName(name) ?? undefined;

/** The text of a node's field `name`. */
export const nameOf = (node: Node): string | undefined => field(node, 'name')?.text;

/** The first of a node's children that is of a type. */
export const child = (node: Node | null | undefined, ...types: readonly string[]): Node | undefined =>
  node?.namedChildren.find(({ type }) => types.includes(type));

/** A node if it's on more lines than one: a value that is short says more than that it's left out. */
export const ifLong = (node: Node | undefined): Node | undefined =>
  node && node.endPosition.row > node.startPosition.row ? node : undefined;

/** A name without its quotes. */
export const plain = (name: string): string => name.replace(/^(['"`])(.*)\1$/s, '$2');
