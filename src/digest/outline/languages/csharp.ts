import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

const FOR_OTHERS = new Set(['public', 'protected', 'internal']);
const TYPES = /^(?:class|struct|interface|record|enum)_declaration$/;

function isPublic(node: Node): boolean {
  const modifiers = node.namedChildren.filter(({ type }) => type === 'modifier').map(({ text }) => text);
  if (modifiers.some((modifier) => FOR_OTHERS.has(modifier))) return true;
  if (modifiers.includes('private') || modifiers.includes('file')) return false;
  const holder = node.parent?.type === 'declaration_list' ? node.parent.parent : node.parent;
  // In a class nothing is for others but what says so; in an interface, all is.
  return holder?.type === 'interface_declaration' || !TYPES.test(holder?.type ?? '');
}

const type: Rule = (node, walk) =>
  walk.define(node, {
    name: nameOf(node),
    body: field(node, 'body'),
    inside: true,
    exported: isPublic(node),
  });

const named =
  (name: (node: Node) => string | undefined): Rule =>
  (node, walk) =>
    walk.define(node, { name: name(node), body: field(node, 'body'), exported: isPublic(node) });

const property: Rule = (node, walk) => {
  if (!isPublic(node)) return;
  walk.define(node, {
    name: nameOf(node) ?? 'this',
    body: field(node, 'accessors') ?? ifLong(field(node, 'value')),
    exported: true,
  });
};

const fields: Rule = (node, walk) => {
  if (!isPublic(node)) return;
  const declarators = child(node, 'variable_declaration')?.namedChildren ?? [];
  declarators
    .filter(({ type }) => type === 'variable_declarator')
    .forEach((declarator, index) => {
      walk.define(node, {
        name: nameOf(declarator),
        body: ifLong(declarator.namedChildren[1]),
        exported: true,
        ...(index > 0 && { from: declarator }),
      });
    });
};

export const csharp: Syntax = {
  grammar: 'c_sharp',
  comments: ['comment'],
  rules: {
    using_directive: (node, walk) => walk.import(node),
    namespace_declaration: (node, walk) => walk.within(field(node, 'body')),
    preproc_if: (node, walk) => walk.within(node),
    preproc_else: (node, walk) => walk.within(node),
    preproc_elif: (node, walk) => walk.within(node),
    class_declaration: type,
    struct_declaration: type,
    interface_declaration: type,
    record_declaration: type,
    enum_declaration: type,
    delegate_declaration: named(nameOf),
    method_declaration: named(nameOf),
    constructor_declaration: named(nameOf),
    destructor_declaration: named((node) => `~${nameOf(node)}`),
    operator_declaration: named((node) => `operator ${field(node, 'operator')?.text}`),
    conversion_operator_declaration: named((node) => `operator ${field(node, 'type')?.text}`),
    property_declaration: property,
    indexer_declaration: property,
    event_declaration: property,
    event_field_declaration: fields,
    field_declaration: fields,
    enum_member_declaration: (node, walk) => walk.define(node, { name: nameOf(node), exported: true }),
  },
};
