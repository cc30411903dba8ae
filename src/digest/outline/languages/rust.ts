import type { Node } from 'web-tree-sitter';
import type { Rule, Syntax, Walk } from '../walk.ts';

const TESTS = /^tests?$/;

/** The item whose braces a node stands in. */
const holder = (node: Node): string | undefined => {
  const parent = node.parent;
  return parent?.type === 'declaration_list' ? parent.parent?.type : parent?.type;
};

/** Words such as `pub(crate)`; what a trait asks for or gives, and an enum's variants, need none. */
function isPublic(node: Node): boolean {
  const isIn = holder(node);
  if (isIn === 'trait_item' || isIn === 'enum_variant_list') return true;
  if (isIn === 'impl_item' && node.parent?.parent?.childForFieldName('trait')) return true;
  return node.namedChildren.some(({ type, text }) => type === 'visibility_modifier' && text !== 'pub(self)');
}

const define =
  (inside: boolean, bodyField = 'body'): Rule =>
  (node, walk) => {
    walk.define(node, {
      name: node.childForFieldName('name')?.text,
      body: node.childForFieldName(bodyField),
      inside,
      exported: isPublic(node),
    });
  };

const member: Rule = (node, walk) => {
  if (isPublic(node)) walk.define(node, { name: node.childForFieldName('name')?.text, exported: true });
};

const module: Rule = (node, walk) => {
  const name = node.childForFieldName('name')?.text;
  walk.define(node, {
    name,
    body: node.childForFieldName('body'),
    inside: name !== undefined && !TESTS.test(name),
    exported: isPublic(node),
  });
};

const implementation: Rule = (node, walk) => {
  const type = node.childForFieldName('type')?.text ?? '';
  const name = /\w+$/.exec(type.replace(/<.*$/s, ''))?.[0] ?? type;
  walk.define(node, { name, body: node.childForFieldName('body'), inside: true, exported: true, like: name });
};

const macro: Rule = (node, walk) => {
  const opening = node.children.find(({ type }) => /^[[({]$/.test(type));
  walk.define(node, {
    name: node.childForFieldName('name')?.text,
    body: opening,
    bodyEnd: node,
    exported: walk.before.some(({ text }) => /\bmacro_export\b/.test(text)),
  });
};

const within = (node: Node, walk: Walk): void => walk.within(node.childForFieldName('body'));
const imports: Rule = (node, walk) => walk.import(node);

export const rust: Syntax = {
  grammar: 'rust',
  comments: ['line_comment', 'block_comment'],
  attributes: ['attribute_item'],
  rules: {
    use_declaration: imports,
    extern_crate_declaration: imports,
    mod_item: module,
    foreign_mod_item: within,
    struct_item: define(true),
    union_item: define(true),
    enum_item: define(true),
    trait_item: define(true),
    impl_item: implementation,
    function_item: define(false),
    function_signature_item: define(false),
    type_item: define(false),
    associated_type: define(false),
    const_item: define(false, 'value'),
    static_item: define(false, 'value'),
    macro_definition: macro,
    field_declaration: member,
    enum_variant: member,
  },
};
