import type { Node } from 'web-tree-sitter';
import { field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

function variables(node: Node, assignments: readonly Node[], walk: Walk): void {
  assignments.forEach((assignment, index) => {
    walk.define(node, {
      name: nameOf(assignment),
      body: ifLong(field(assignment, 'value')),
      exported: true,
      ...(index > 0 && { from: assignment }),
    });
  });
}

const command: Rule = (node, walk) => {
  const name = nameOf(node);
  if (name === 'source' || name === '.') walk.import(node);
  else if (name === 'alias') {
    const made = /^[^=]+(?==)/.exec(field(node, 'argument')?.text ?? '')?.[0];
    walk.define(node, { name: made, exported: true });
  }
};

const within: Rule = (node, walk) => walk.within(node);

export const bash: Syntax = {
  grammar: 'bash',
  comments: ['comment'],
  rules: {
    function_definition: (node, walk) =>
      walk.define(node, { name: nameOf(node), body: field(node, 'body'), exported: true }),
    variable_assignment: (node, walk) => variables(node, [node], walk),
    declaration_command: (node, walk) =>
      variables(
        node,
        node.namedChildren.filter(({ type }) => type === 'variable_assignment'),
        walk,
      ),
    command,
    if_statement: within,
    elif_clause: within,
    else_clause: within,
  },
};
