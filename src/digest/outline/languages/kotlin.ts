import type { Node } from 'web-tree-sitter';
import { child, ifLong } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

const isPublic = (node: Node): boolean =>
  child(child(node, 'modifiers'), 'visibility_modifier')?.text !== 'private';
const nameOf = (node: Node): string | undefined => child(node, 'type_identifier', 'simple_identifier')?.text;

const type: Rule = (node, walk) =>
  walk.define(node, {
    name: nameOf(node) ?? (node.type === 'companion_object' ? 'Companion' : undefined),
    body: child(node, 'class_body', 'enum_class_body'),
    inside: true,
    exported: isPublic(node),
  });

const aFunction: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: child(node, 'function_body'), exported: isPublic(node) });

const secondary: Rule = (node, walk) =>
  walk.define(node, {
    name: 'constructor',
    body: child(node, 'statements'),
    bodyEnd: node,
    exported: isPublic(node),
  });

/** Getters and setters stand behind the property. */
const property: Rule = (node, walk) => {
  const exported = isPublic(node);
  if (!exported && walk.depth > 0) return;
  const names = child(node, 'multi_variable_declaration')?.namedChildren ?? [
    child(node, 'variable_declaration'),
  ];
  let to = node;
  let accessor: Node | undefined;
  for (
    let next = node.nextNamedSibling;
    next && /^[gs]etter$/.test(next.type);
    next = next.nextNamedSibling
  ) {
    to = next;
    accessor ??= next;
  }
  const value = node.namedChildren.at(-1);
  const body = accessor ?? (value?.type === 'variable_declaration' ? undefined : ifLong(value));
  names.forEach((name, index) => {
    walk.define(node, {
      name: name && nameOf(name),
      body,
      bodyEnd: to,
      exported,
      onlyExported: true,
      to,
      ...(index > 0 && { from: node }),
    });
  });
};

const entry: Rule = (node, walk) =>
  walk.define(node, { name: nameOf(node), body: child(node, 'class_body'), exported: true });

export const kotlin: Syntax = {
  grammar: 'kotlin',
  comments: ['line_comment', 'multiline_comment'],
  loose: ['import_list', 'package_header'],
  // An interface that is a function is one for all that an outline says.
  prepare: (text) => text.replace(/\bfun(?=\s+interface\b)/g, '   '),
  rules: {
    import_list: (node, walk) => walk.within(node),
    import_header: (node, walk) => walk.import(node.namedChildren[0] ?? node),
    class_declaration: type,
    object_declaration: type,
    companion_object: type,
    function_declaration: aFunction,
    secondary_constructor: secondary,
    property_declaration: property,
    type_alias: (node, walk) => walk.define(node, { name: nameOf(node), exported: isPublic(node) }),
    enum_entry: entry,
  },
};
