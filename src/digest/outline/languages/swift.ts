import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

function isPublic(node: Node): boolean {
  const words = child(node, 'modifiers')?.namedChildren ?? [];
  return !words.some(
    ({ type, text }) => type === 'visibility_modifier' && (text === 'private' || text === 'fileprivate'),
  );
}

const type: Rule = (node, walk) => {
  const name = nameOf(node)?.replace(/<.*$/s, '');
  const extends_ = field(node, 'declaration_kind')?.text === 'extension';
  walk.define(node, {
    name: name?.split('.').at(-1),
    body: field(node, 'body'),
    inside: true,
    exported: isPublic(node),
    like: extends_ ? name : undefined,
  });
};

const aFunction: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: isPublic(node) });

const property: Rule = (node, walk) => {
  const exported = isPublic(node);
  if (!exported && walk.depth > 0) return;
  const patterns = node.childrenForFieldName('name').filter((each) => /pattern/.test(each.type));
  const body =
    field(node, 'computed_value') ?? child(node, 'willset_didset_block') ?? ifLong(field(node, 'value'));
  patterns.forEach((pattern, index) => {
    walk.define(node, {
      name: field(pattern, 'bound_identifier')?.text ?? pattern.text,
      body,
      exported,
      onlyExported: true,
      ...(index > 0 && { from: pattern }),
    });
  });
};

const entry: Rule = (node, walk) => {
  node
    .childrenForFieldName('name')
    .filter(({ type }) => type === 'simple_identifier')
    .forEach(({ text }, index) => {
      walk.define(node, { name: text, exported: true, ...(index > 0 && { from: node }) });
    });
};

const special =
  (name: string): Rule =>
  (node, walk) =>
    walk.define(node, {
      name,
      body: field(node, 'body') ?? child(node, 'computed_property'),
      exported: isPublic(node),
    });

export const swift: Syntax = {
  grammar: 'swift',
  comments: ['comment', 'multiline_comment'],
  rules: {
    import_declaration: (node, walk) => walk.import(node),
    class_declaration: type,
    protocol_declaration: type,
    function_declaration: aFunction,
    protocol_function_declaration: aFunction,
    typealias_declaration: aFunction,
    associatedtype_declaration: aFunction,
    macro_declaration: aFunction,
    init_declaration: special('init'),
    deinit_declaration: special('deinit'),
    subscript_declaration: special('subscript'),
    property_declaration: property,
    protocol_property_declaration: property,
    enum_entry: entry,
  },
};
