import type { Node } from 'web-tree-sitter';
import type { Rule, Syntax, Walk } from '../walk.ts';

const SPECIAL = /^__\w+__$/;
/** What these say is about the file or the class, not for others. */
const NO_CONSTANTS = new Set(['__all__', '__slots__']);

const isPublic = (name: string): boolean => !name.startsWith('_') || SPECIAL.test(name);

function docstringOf(body: Node | null): Node | undefined {
  const first = body?.namedChildren.find(({ type }) => type !== 'comment');
  return first?.type === 'expression_statement' && first.namedChildren[0]?.type === 'string'
    ? first
    : undefined;
}

const define =
  (inside: boolean): Rule =>
  (node, walk) => {
    const name = node.childForFieldName('name')?.text;
    const body = node.childForFieldName('body');
    walk.define(node, {
      name,
      body,
      inside,
      exported: name !== undefined && isPublic(name),
      docstring: docstringOf(body),
    });
  };

/** `__all__ = [...]`, or what is added to it. */
function noteExports(value: Node | null, walk: Walk): void {
  walk.exportsAreAll = true;
  for (const string of value?.descendantsOfType('string_content') ?? []) walk.exports.add(string.text);
}

const assignment = (statement: Node, node: Node, walk: Walk): void => {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (!left) return;
  if (left.text === '__all__' && walk.depth === 0) noteExports(right, walk);
  const names = left.type === 'identifier' ? [left] : left.namedChildren;
  names.forEach((each, index) => {
    const name = each.text;
    if (each.type !== 'identifier' || NO_CONSTANTS.has(name)) return;
    if (walk.depth > 0 && !isPublic(name)) return;
    walk.define(statement, {
      name,
      body: right && right.endPosition.row > right.startPosition.row ? right : undefined,
      exported: isPublic(name),
      onlyExported: walk.depth === 0,
      ...(index > 0 && { from: statement }),
    });
  });
  if (right?.type === 'assignment') assignment(statement, right, walk);
};

const statement: Rule = (node, walk) => {
  const first = node.namedChildren[0];
  if (first?.type === 'assignment') assignment(node, first, walk);
  else if (first?.type === 'augmented_assignment' && first.childForFieldName('left')?.text === '__all__')
    noteExports(first.childForFieldName('right'), walk);
  else if (first?.type === 'call' && /^__all__\.(?:extend|append)$/.test(calleeOf(first)))
    noteExports(first.childForFieldName('arguments'), walk);
};

const calleeOf = (call: Node): string => call.childForFieldName('function')?.text ?? '';

const alias: Rule = (node, walk) => {
  const name = /^\w+/.exec(node.childForFieldName('left')?.text ?? '')?.[0];
  walk.define(node, { name, exported: name !== undefined && isPublic(name) });
};

const blocks: Rule = (node, walk) => {
  for (const child of node.namedChildren) {
    if (child.type === 'block') walk.within(child);
    else if (/_clause$/.test(child.type)) blocks(child, walk);
  }
};

export const python: Syntax = {
  grammar: 'python',
  comments: ['comment'],
  rules: {
    import_statement: (node, walk) => walk.import(node),
    import_from_statement: (node, walk) => walk.import(node),
    future_import_statement: (node, walk) => walk.import(node),
    decorated_definition: (node, walk) => walk.unwrap(node, node.childForFieldName('definition')),
    function_definition: define(false),
    class_definition: define(true),
    expression_statement: statement,
    type_alias_statement: alias,
    if_statement: blocks,
    try_statement: blocks,
    with_statement: blocks,
  },
};
