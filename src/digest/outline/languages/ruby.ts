import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

const IMPORTS = new Set(['require', 'require_relative', 'load', 'autoload']);
const ATTRIBUTES = new Set(['attr', 'attr_reader', 'attr_writer', 'attr_accessor']);
/** Calls whose first argument names a method that they define. */
const MAKERS = new Set(['alias_method', 'define_method', 'scope', 'delegate_to']);
const ACCESS = new Map([
  ['private', false],
  ['protected', true],
  ['public', true],
  ['module_function', true],
]);

const isPublic = (walk: Walk): boolean => walk.notes.get('private') !== true;
const symbol = (node: Node): string => node.text.replace(/^:|^["']|["']$/g, '');
const lastPart = (name: string | undefined): string | undefined => name?.split('::').at(-1);

/** What stands in a class begins public, whatever it is around it. */
function inClass(walk: Walk, look: () => void): void {
  const kept = walk.notes.get('private');
  walk.notes.set('private', false);
  look();
  walk.notes.set('private', kept);
}

const type: Rule = (node, walk) =>
  inClass(walk, () =>
    walk.define(node, {
      name: lastPart(nameOf(node)),
      body: field(node, 'body'),
      inside: true,
      exported: true,
    }),
  );

const method: Rule = (node, walk) =>
  walk.define(node, {
    name: nameOf(node),
    body: field(node, 'body'),
    bodyEnd: node,
    exported: isPublic(walk) || node.type === 'singleton_method',
  });

const assignment: Rule = (node, walk) => {
  const left = field(node, 'left');
  const right = field(node, 'right');
  if (left?.type !== 'constant' && left?.type !== 'scope_resolution') return;
  const block = right && field(right, 'block');
  inClass(walk, () =>
    walk.define(node, {
      name: lastPart(left.text),
      body: block ? field(block, 'body') : ifLong(right),
      inside: block ? 'value' : false,
      exported: true,
    }),
  );
};

const call: Rule = (node, walk) => {
  const called = field(node, 'method')?.text ?? '';
  if (field(node, 'receiver')) return;
  const given = field(node, 'arguments')?.namedChildren ?? [];
  if (IMPORTS.has(called)) walk.import(node);
  else if (ATTRIBUTES.has(called)) {
    if (!isPublic(walk)) return;
    given.forEach((each, index) => {
      walk.define(node, { name: symbol(each), exported: true, ...(index > 0 && { from: node }) });
    });
  } else if (MAKERS.has(called) && given[0]) {
    const block = field(node, 'block');
    walk.define(node, {
      name: symbol(given[0]),
      body: block && field(block, 'body'),
      exported: isPublic(walk),
    });
  } else if (ACCESS.has(called) || called === 'private_class_method' || called === 'private_constant') {
    restrict(node, given, ACCESS.get(called) ?? false, walk);
  }
};

/** `private` before a definition or with names: about these alone. */
function restrict(node: Node, given: readonly Node[], open: boolean, walk: Walk): void {
  const first = given[0];
  if (first?.type === 'simple_symbol') {
    if (!open) walk.hide(given.map(symbol));
    return;
  }
  const kept = walk.notes.get('private');
  walk.notes.set('private', !open);
  walk.unwrap(node, first);
  walk.notes.set('private', kept);
}

const alias: Rule = (node, walk) => walk.define(node, { name: nameOf(node), exported: isPublic(walk) });

/** `private` alone: about all that follows. */
const word: Rule = (node, walk) => {
  const open = ACCESS.get(node.text);
  if (open !== undefined) walk.notes.set('private', !open);
};

export const ruby: Syntax = {
  grammar: 'ruby',
  comments: ['comment'],
  rules: {
    module: type,
    class: type,
    singleton_class: (node, walk) => inClass(walk, () => walk.within(child(node, 'body_statement'))),
    method,
    singleton_method: method,
    assignment,
    call,
    alias,
    identifier: word,
  },
};
