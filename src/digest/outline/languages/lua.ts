import type { Node } from 'web-tree-sitter';
import { child, field, ifLong } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

/** Tables and functions that are the file's own, unless it returns them. */
function locals(walk: Walk): Set<string> {
  const known = walk.notes.get('locals');
  if (known instanceof Set) return known;
  const made = new Set<string>();
  walk.notes.set('locals', made);
  return made;
}

/** The last name in `a.b`, `a:b` or `b`, and the first if there are two. */
function split(node: Node | undefined): { name: string | undefined; like: string | undefined } {
  if (node?.type === 'identifier') return { name: node.text, like: undefined };
  const name = field(node, 'field') ?? field(node, 'method');
  return { name: name?.text, like: /^\w+/.exec(node?.text ?? '')?.[0] };
}

const aFunction: Rule = (node, walk) => {
  const { name, like } = split(field(node, 'name'));
  const isLocal = node.text.startsWith('local') || (like !== undefined && locals(walk).has(like));
  walk.define(node, { name, like, body: field(node, 'body'), bodyEnd: node, exported: !isLocal });
};

function bind(node: Node, assignment: Node, isLocal: boolean, walk: Walk): void {
  const names = child(assignment, 'variable_list')?.namedChildren ?? [];
  const values = child(assignment, 'expression_list')?.namedChildren ?? [];
  names.forEach((each, index) => {
    const { name, like } = split(each);
    const value = values[index];
    if (isLocal && name) locals(walk).add(name);
    const isFunction = value?.type === 'function_definition';
    walk.define(node, {
      name,
      like,
      body: isFunction ? field(value, 'body') : value?.type === 'table_constructor' ? value : ifLong(value),
      ...(isFunction && { bodyEnd: value }),
      inside: value?.type === 'table_constructor' && 'value',
      exported: !isLocal && !locals(walk).has(like ?? name ?? ''),
      onlyExported: !isFunction,
      ...(index > 0 && { from: node }),
    });
  });
}

const variable: Rule = (node, walk) => {
  const assignment = child(node, 'assignment_statement');
  if (!assignment) {
    for (const { text } of child(node, 'variable_list')?.namedChildren ?? []) locals(walk).add(text);
    return;
  }
  const value = child(assignment, 'expression_list')?.namedChildren[0];
  if (/^require\b/.test(value?.text ?? '')) return walk.import(node);
  bind(node, assignment, true, walk);
};

const member: Rule = (node, walk) => {
  const value = field(node, 'value');
  if (value?.type !== 'function_definition') return;
  walk.define(node, {
    name: field(node, 'name')?.text,
    body: field(value, 'body'),
    bodyEnd: value,
    exported: true,
  });
};

/** What a file returns is what others get of it. */
const returned: Rule = (node, walk) => {
  if (walk.depth > 0) return;
  for (const each of child(node, 'expression_list')?.namedChildren ?? []) {
    if (each.type === 'identifier') walk.exports.add(each.text);
    if (each.type !== 'table_constructor') continue;
    for (const entry of each.namedChildren) walk.exports.add(field(entry, 'value')?.text ?? '');
    walk.within(each);
  }
};

const within: Rule = (node, walk) => walk.within(node);

export const lua: Syntax = {
  grammar: 'lua',
  comments: ['comment'],
  rules: {
    function_declaration: aFunction,
    variable_declaration: variable,
    assignment_statement: (node, walk) => bind(node, node, false, walk),
    field: member,
    return_statement: returned,
    do_statement: within,
    if_statement: within,
    else_statement: within,
    elseif_statement: within,
    block: within,
    function_call: (node, walk) => {
      if (/^require\b/.test(node.text)) walk.import(node);
    },
  },
};
