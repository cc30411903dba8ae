import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

/** `private` without a scope in brackets is for the file alone. */
const isPublic = (node: Node): boolean =>
  child(child(node, 'modifiers'), 'access_modifier')?.text !== 'private';

const type: Rule = (node, walk) =>
  walk.define(node, {
    name: nameOf(node),
    body: field(node, 'body'),
    inside: true,
    exported: isPublic(node),
  });

const aFunction: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: isPublic(node) });

const value: Rule = (node, walk) => {
  const exported = isPublic(node);
  if (!exported && walk.depth > 0) return;
  const pattern = field(node, 'pattern') ?? field(node, 'name');
  const names = pattern?.type === 'identifier' ? [pattern] : (pattern?.descendantsOfType('identifier') ?? []);
  names.forEach(({ text }, index) => {
    walk.define(node, {
      name: text,
      body: ifLong(field(node, 'value')),
      exported,
      onlyExported: true,
      ...(index > 0 && { from: node }),
    });
  });
};

const cases: Rule = (node, walk) => {
  node.namedChildren
    .filter(({ type }) => /_enum_case$/.test(type))
    .forEach((each, index) => {
      walk.define(node, { name: nameOf(each), exported: true, ...(index > 0 && { from: each }) });
    });
};

export const scala: Syntax = {
  grammar: 'scala',
  comments: ['comment', 'block_comment'],
  rules: {
    package_clause: (node, walk) => walk.within(field(node, 'body')),
    package_object: type,
    import_declaration: (node, walk) => walk.import(node),
    class_definition: type,
    trait_definition: type,
    object_definition: type,
    enum_definition: type,
    given_definition: type,
    extension_definition: (node, walk) => walk.within(node),
    template_body: (node, walk) => walk.within(node),
    type_definition: aFunction,
    function_definition: aFunction,
    function_declaration: aFunction,
    val_definition: value,
    var_definition: value,
    val_declaration: value,
    var_declaration: value,
    enum_case_definitions: cases,
  },
};
