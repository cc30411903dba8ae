import type { Node } from 'web-tree-sitter';
import { child, plain } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

const HEADING = /^h[1-6]$/i;
const LANDMARKS = new Set([
  'header',
  'nav',
  'main',
  'aside',
  'footer',
  'search',
  'dialog',
  'template',
  'slot',
]);

function attribute(tag: Node | undefined, name: string): string | undefined {
  const found = tag?.namedChildren.find(
    (each) => each.type === 'attribute' && each.namedChildren[0]?.text.toLowerCase() === name,
  );
  const value = found?.namedChildren[1];
  return value && plain(value.text);
}

/** The text of an element, tags left out. */
const textOf = (node: Node): string =>
  node.text
    .slice(0, 1_000)
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const element: Rule = (node, walk) => {
  const tag = child(node, 'start_tag', 'self_closing_tag');
  const name = child(tag, 'tag_name')?.text.toLowerCase() ?? '';
  if (name === 'link' && tag && attribute(tag, 'href')) return walk.import(tag);
  const known = attribute(tag, 'id') ?? (LANDMARKS.has(name) ? name : undefined);
  if (HEADING.test(name)) walk.define(node, { name: known ?? textOf(node), exported: true });
  else if (known && tag) define(node, known, tag, walk);
  else walk.within(node);
};

function define(node: Node, name: string, tag: Node, walk: Walk): void {
  if (child(node, 'end_tag'))
    walk.define(node, { name, head: tag, body: node, inside: 'value', exported: true });
  else {
    walk.define(node, { name, to: tag, exported: true });
    walk.within(node);
  }
}

const script: Rule = (node, walk) => {
  const tag = child(node, 'start_tag');
  const source = attribute(tag, 'src');
  const id = attribute(tag, 'id');
  if (source) walk.import(node);
  else if (id) walk.define(node, { name: id, head: tag, body: node, exported: true });
};

export const html: Syntax = {
  grammar: 'html',
  comments: ['comment'],
  rules: { element, script_element: script, style_element: script },
};
