import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf, plain } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

const isPublic = (node: Node): boolean => child(node, 'visibility_modifier')?.text !== 'private';

const type: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: field(node, 'body'), inside: true, exported: true });

const aFunction: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: isPublic(node) });

/** Several names with a value each. */
function elements(node: Node, type: string, walk: Walk): void {
  if (!isPublic(node)) return;
  node.namedChildren
    .filter((each) => each.type === type)
    .forEach((element, index) => {
      const name = field(element, 'name') ?? child(element, 'name');
      walk.define(node, {
        name: name?.text.replace(/^\$/, ''),
        body: ifLong(field(element, 'default_value') ?? element.namedChildren[1]),
        exported: true,
        ...(index > 0 && { from: element }),
      });
    });
}

const statement: Rule = (node, walk) => {
  const first = node.namedChildren[0];
  if (/^(?:require|include)(?:_once)?_expression$/.test(first?.type ?? '')) walk.import(node);
  else if (first?.type === 'function_call_expression' && field(first, 'function')?.text === 'define') {
    const name = child(field(first, 'arguments'), 'argument')?.text;
    walk.define(node, { name: name && plain(name), exported: true });
  }
};

const blocks: Rule = (node, walk) => {
  for (const each of node.namedChildren) {
    if (each.type === 'compound_statement') walk.within(each);
    else if (/^else(?:_if)?_clause$/.test(each.type)) blocks(each, walk);
  }
};

export const php: Syntax = {
  grammar: 'php',
  comments: ['comment'],
  rules: {
    namespace_definition: (node, walk) => walk.within(field(node, 'body')),
    namespace_use_declaration: (node, walk) => walk.import(node),
    expression_statement: statement,
    class_declaration: type,
    interface_declaration: type,
    trait_declaration: type,
    enum_declaration: type,
    function_definition: aFunction,
    method_declaration: aFunction,
    enum_case: aFunction,
    const_declaration: (node, walk) => elements(node, 'const_element', walk),
    property_declaration: (node, walk) => elements(node, 'property_element', walk),
    if_statement: blocks,
  },
};
