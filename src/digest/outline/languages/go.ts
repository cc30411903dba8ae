import type { Node } from 'web-tree-sitter';
import type { Parts, Rule, Syntax, Walk } from '../walk.ts';

const isPublic = (name: string | undefined): boolean => name !== undefined && /^\p{Lu}/u.test(name);

const withBody: Rule = (node, walk) => {
  const name = node.childForFieldName('name')?.text;
  walk.define(node, { name, body: node.childForFieldName('body'), exported: isPublic(name) });
};

const method: Rule = (node, walk) => {
  const name = node.childForFieldName('name')?.text;
  const receiver = node.childForFieldName('receiver')?.namedChildren[0]?.childForFieldName('type')?.text;
  const type = /\w+/.exec(receiver ?? '')?.[0];
  walk.define(node, {
    name,
    body: node.childForFieldName('body'),
    exported: isPublic(name) && isPublic(type),
  });
};

const type: Rule = (node, walk) => {
  const name = node.childForFieldName('name')?.text;
  const value = node.childForFieldName('type');
  const isStruct = value?.type === 'struct_type';
  const isTable = isStruct || value?.type === 'interface_type';
  walk.define(node, {
    name,
    body: isStruct ? value.namedChildren[0] : isTable ? value : undefined,
    inside: isTable,
    exported: isPublic(name),
  });
};

/** All the names that a field or a constant's line has, each a definition. */
function names(node: Node, walk: Walk, rest: Pick<Parts, 'onlyExported' | 'body'>): void {
  const found = node.childrenForFieldName('name').filter((name) => name.isNamed);
  found.forEach(({ text }, index) => {
    walk.define(node, { name: text, exported: isPublic(text), ...(index > 0 && { from: node }), ...rest });
  });
}

const value: Rule = (node, walk) =>
  names(node, walk, { onlyExported: true, body: node.childForFieldName('value') });

const field: Rule = (node, walk) => {
  if (node.childrenForFieldName('name').some(({ text }) => isPublic(text))) names(node, walk, {});
};

/** One or, in parentheses, several: each with its own comment. */
const group: Rule = (node, walk) => {
  const list = node.namedChildren.find(({ type }) => type === 'var_spec_list');
  const isGroup = list !== undefined || node.children.some(({ type }) => type === '(');
  if (isGroup) walk.within(list ?? node);
  else for (const child of node.namedChildren) walk.unwrap(node, child);
};

export const go: Syntax = {
  grammar: 'go',
  comments: ['comment'],
  rules: {
    import_declaration: (node, walk) => walk.import(node),
    const_declaration: group,
    var_declaration: group,
    type_declaration: group,
    const_spec: value,
    var_spec: value,
    type_spec: type,
    type_alias: type,
    function_declaration: withBody,
    method_declaration: method,
    method_elem: withBody,
    field_declaration: field,
  },
};
