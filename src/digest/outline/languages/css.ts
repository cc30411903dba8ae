import type { Node } from 'web-tree-sitter';
import { child } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

/** What stands before a block, on one line. */
function headOf(node: Node, body: Node | undefined): string {
  const length = body ? body.startIndex - node.startIndex : node.text.length;
  return node.text.slice(0, length).replace(/;$/, '').replace(/\s+/g, ' ').trim();
}

const block: Rule = (node, walk) => {
  const body = child(node, 'block', 'keyframe_block_list');
  walk.define(node, { name: headOf(node, body), body, inside: 'value', exported: true });
};

/** A custom property; others are no definitions. */
const declaration: Rule = (node, walk) => {
  const name = child(node, 'property_name')?.text;
  if (name?.startsWith('--')) walk.define(node, { name, exported: true });
};

export const css: Syntax = {
  grammar: 'css',
  comments: ['comment', 'js_comment'],
  rules: {
    import_statement: (node, walk) => walk.import(node),
    rule_set: block,
    media_statement: block,
    supports_statement: block,
    keyframes_statement: block,
    scope_statement: block,
    at_rule: block,
    declaration,
  },
};
