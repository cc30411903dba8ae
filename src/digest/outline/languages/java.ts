import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Parts, Rule, Syntax } from '../walk.ts';

const ALL_PUBLIC = new Set(['interface_body', 'annotation_type_body']);

function isPublic(node: Node): boolean {
  const modifiers = child(node, 'modifiers')?.children.map(({ type }) => type) ?? [];
  if (ALL_PUBLIC.has(node.parent?.type ?? '')) return !modifiers.includes('private');
  return modifiers.includes('public') || modifiers.includes('protected');
}

const define =
  (rest: Pick<Parts, 'inside'> = {}): Rule =>
  (node, walk) =>
    walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: isPublic(node), ...rest });

const fields: Rule = (node, walk) => {
  if (!isPublic(node)) return;
  node.childrenForFieldName('declarator').forEach((declarator, index) => {
    walk.define(node, {
      name: nameOf(declarator),
      body: ifLong(field(declarator, 'value')),
      exported: true,
      ...(index > 0 && { from: declarator }),
    });
  });
};

const constant: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: true });

const type = define({ inside: true });

export const java: Syntax = {
  grammar: 'java',
  comments: ['line_comment', 'block_comment'],
  rules: {
    import_declaration: (node, walk) => walk.import(node),
    class_declaration: type,
    interface_declaration: type,
    enum_declaration: type,
    record_declaration: type,
    annotation_type_declaration: type,
    method_declaration: define(),
    constructor_declaration: define(),
    compact_constructor_declaration: define(),
    annotation_type_element_declaration: define(),
    field_declaration: fields,
    constant_declaration: fields,
    enum_constant: constant,
    enum_body_declarations: (node, walk) => walk.within(node),
  },
};
