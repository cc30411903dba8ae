import type { Node } from 'web-tree-sitter';
import { child, field } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';

const MODULES = new Set(['defmodule', 'defprotocol', 'defimpl']);
const IMPORTS = new Set(['alias', 'import', 'use', 'require']);
const STRUCTS = new Set(['defstruct', 'defexception']);
const FUNCTIONS = /^def(?:macro|guard|n)?p?$|^defdelegate$/;
const TYPES = /^(?:typep?|opaque|callback|macrocallback)$/;
const DOCS = /^@(?:doc|typedoc)\s+(?!false)/;
const ATTRIBUTES = /^@(?:spec|impl|deprecated|since|dialyzer|doc)\b/;

const given = (call: Node): Node | undefined => child(call, 'arguments')?.namedChildren[0];

/** The name in `name(a, b) when c`, `name :: type`, or `name`. */
function nameIn(node: Node | undefined): string | undefined {
  if (node?.type === 'binary_operator') return nameIn(field(node, 'left'));
  return node?.type === 'call' ? field(node, 'target')?.text : node?.text;
}

const call: Rule = (node, walk) => {
  const called = field(node, 'target')?.text ?? '';
  const body = child(node, 'do_block');
  if (IMPORTS.has(called)) walk.import(node);
  else if (MODULES.has(called)) {
    const docstring = body?.namedChildren.find(({ text }) => /^@moduledoc\s+(?!false)/.test(text));
    walk.define(node, { name: given(node)?.text, body, inside: true, exported: true, docstring });
  } else if (STRUCTS.has(called)) walk.define(node, { name: called, exported: true });
  else if (FUNCTIONS.test(called)) {
    const hidden = called.endsWith('p') || walk.before.some(({ text }) => /^@doc\s+false/.test(text));
    walk.define(node, { name: nameIn(given(node)), body, exported: !hidden });
  }
};

/** `@type name :: ...` */
const attribute: Rule = (node, walk) => {
  const operand = field(node, 'operand');
  const kind = field(operand, 'target')?.text ?? '';
  if (operand && TYPES.test(kind))
    walk.define(node, { name: nameIn(given(operand)), exported: kind !== 'typep' });
};

export const elixir: Syntax = {
  grammar: 'elixir',
  comments: ['comment'],
  belongs: (node) => {
    if (node.type !== 'unary_operator') return undefined;
    const { text } = node;
    return DOCS.test(text) ? 'comment' : ATTRIBUTES.test(text) ? 'attribute' : undefined;
  },
  rules: { call, unary_operator: attribute },
};
