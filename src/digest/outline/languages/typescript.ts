import type { Node } from 'web-tree-sitter';
import { field, nameOf, plain } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

const FUNCTIONS = new Set([
  'arrow_function',
  'function_expression',
  'generator_function',
  'function_declaration',
  'generator_function_declaration',
]);
const CLASSES = new Set(['class', 'class_declaration', 'abstract_class_declaration']);
const AROUND = new Set([
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'parenthesized_expression',
  'await_expression',
  'unary_expression',
]);
const NOT_ITS_OWN = /\bprivate\s/;
/** Functions from so many lines on are looked into: a factory may be all of its file. */
const LONG = 80;

/** A value without what is only around it: parentheses, types, `await`. */
function bare(node: Node | null | undefined): Node | undefined {
  let value = node ?? undefined;
  while (value && AROUND.has(value.type)) value = field(value, 'argument') ?? value.namedChildren[0];
  return value;
}

/** What a value that is worth looking into is made by: a function, a class, an object; a call's own one, too. */
function maker(node: Node | undefined): Node | undefined {
  const value = bare(node);
  if (!value) return undefined;
  if (FUNCTIONS.has(value.type) || CLASSES.has(value.type) || value.type === 'object') return value;
  if (value.type === 'call_expression' || value.type === 'new_expression') {
    const last = field(value, 'arguments')?.namedChildren.findLast(({ type }) => type !== 'comment');
    const made = bare(last);
    if (made && (FUNCTIONS.has(made.type) || made.type === 'object')) return made;
    if (made?.type === 'call_expression') return maker(made);
  }
  if (value.type === 'assignment_expression') return maker(field(value, 'right'));
  return undefined;
}

/** Said to be exported, or declared for all. */
const exportedHere = (walk: Walk): boolean =>
  walk.notes.get('ambient') === true || walk.wrapper === 'export_statement';

/** Whether a function's body holds functions that have names, and is long enough that they matter. */
function isFactory(body: Node | undefined): boolean {
  return (
    body?.type === 'statement_block' &&
    body.endPosition.row - body.startPosition.row >= LONG &&
    body.namedChildren.some(
      ({ type }) => type === 'function_declaration' || type === 'generator_function_declaration',
    )
  );
}

const aFunction: Rule = (node, walk) => {
  const body = field(node, 'body');
  walk.define(node, {
    name: nameOf(node) ?? (walk.wrapper === 'export_statement' ? 'default' : undefined),
    body,
    inside: isFactory(body) && 'hidden',
    exported: exportedHere(walk),
  });
};

const aClass: Rule = (node, walk) => {
  walk.define(node, {
    name: nameOf(node) ?? (walk.wrapper === 'export_statement' ? 'default' : undefined),
    body: field(node, 'body'),
    inside: true,
    exported: exportedHere(walk),
  });
};

const member: Rule = (node, walk) => {
  const name = field(node, 'name') ?? field(node, 'property');
  const value = maker(field(node, 'value'));
  const whole = field(node, 'value');
  const head = node.text.slice(0, (name?.startIndex ?? node.startIndex) - node.startIndex);
  const exported = !NOT_ITS_OWN.test(head) && !name?.text.startsWith('#');
  const isField = /field_definition|property_signature/.test(node.type) && !value;
  if (isField && !exported) return;
  walk.define(node, {
    name: name && name.type !== 'computed_property_name' ? plain(name.text) : name?.text,
    body: field(node, 'body') ?? (value && field(value, 'body')) ?? value ?? whole,
    inside: value?.type === 'object' ? 'value' : value !== undefined && CLASSES.has(value.type),
    exported,
  });
};

/** A definition by what a name is bound to. */
function bind(
  node: Node,
  name: string | undefined,
  value: Node | undefined,
  walk: Walk,
  rest: BindRest,
): void {
  const made = maker(value);
  const isFunction = made !== undefined && FUNCTIONS.has(made.type);
  const isClass = made !== undefined && CLASSES.has(made.type);
  const direct = made !== undefined && bare(value)?.id === made.id;
  const body = isFunction || isClass ? field(made, 'body') : (made ?? value);
  walk.define(node, {
    name,
    body,
    inside: isFunction ? isFactory(body) && 'hidden' : isClass || (made !== undefined && 'value'),
    onlyExported: !(direct && (isFunction || isClass)),
    ...rest,
  });
}

interface BindRest {
  readonly exported: boolean;
  readonly like?: string | undefined;
  readonly from?: Node;
  readonly to?: Node;
}

function isRequire(value: Node | undefined): boolean {
  const node = bare(value);
  if (node?.type === 'member_expression') return isRequire(field(node, 'object'));
  if (node?.type !== 'call_expression') return false;
  const called = field(node, 'function');
  if (called?.type === 'call_expression') return isRequire(called);
  return called?.text === 'require' || called?.type === 'import';
}

/** Names that a pattern such as `{ a, b: [c] }` binds. */
function bound(pattern: Node): Node[] {
  if (/^(?:shorthand_property_)?identifier(?:_pattern)?$/.test(pattern.type)) return [pattern];
  if (pattern.type === 'pair_pattern') return bound(field(pattern, 'value') ?? pattern);
  if (pattern.type === 'assignment_pattern') return bound(field(pattern, 'left') ?? pattern);
  if (pattern.type === 'object_assignment_pattern') return bound(field(pattern, 'left') ?? pattern);
  if (/^(?:object|array|rest)_pattern$/.test(pattern.type)) return pattern.namedChildren.flatMap(bound);
  return [];
}

const variables: Rule = (node, walk) => {
  const declarators = node.namedChildren.filter(({ type }) => type === 'variable_declarator');
  if (declarators.length > 0 && declarators.every((each) => isRequire(field(each, 'value')))) {
    if (walk.wrapper !== 'export_statement') return walk.import(node);
  }
  declarators.forEach((declarator, index) => {
    const name = field(declarator, 'name');
    const value = field(declarator, 'value');
    const exported = exportedHere(walk);
    const range = declarators.length > 1 && index > 0 ? { from: declarator } : {};
    const end = index < declarators.length - 1 ? { to: declarator } : {};
    if (name?.type === 'identifier') {
      if (exportsAll(value)) walk.exports.add(name.text);
      bind(node, name.text, value, walk, { exported, ...range, ...end });
    } else if (name) {
      for (const each of bound(name))
        walk.define(node, { name: each.text, exported, onlyExported: true, ...range, ...end });
    }
  });
};

/** `module.exports`, or what is assigned to it on the way. */
function exportsAll(value: Node | undefined): boolean {
  const node = bare(value);
  if (node?.type !== 'assignment_expression') return false;
  return /^(?:module\.)?exports$/.test(field(node, 'left')?.text ?? '') || exportsAll(field(node, 'right'));
}

/** `a.b.c = value`: a definition of `c` if the value is a function or a class, or if `a` is `exports`. */
const assignment = (statement: Node, node: Node, walk: Walk): void => {
  const left = field(node, 'left');
  const right = bare(field(node, 'right'));
  if (!left || !right) return;
  if (/^(?:module\.)?exports$/.test(left.text)) {
    exportValue(statement, right, walk);
    return;
  }
  if (left.type !== 'member_expression') return;
  const object = field(left, 'object')?.text ?? '';
  const name = field(left, 'property')?.text;
  const ofExports = /^(?:module\.)?exports$/.test(object);
  if (right.type === 'identifier') {
    if (ofExports) walk.exports.add(right.text);
    return;
  }
  if (right.type === 'assignment_expression') assignment(statement, right, walk);
  const made = maker(right);
  const owner = object.replace(/\.prototype$/, '');
  if (ofExports) bind(statement, name, right, walk, { exported: true });
  else if (made && made.id === right.id && made.type !== 'object' && /^[\w$]+$/.test(owner))
    bind(statement, name, right, walk, { exported: true, like: owner });
  else if (made?.type === 'object' && object !== owner) walk.within(made);
  else if (made?.type === 'object' && left.text.endsWith('.prototype')) walk.within(made);
};

function exportValue(statement: Node, value: Node, walk: Walk): void {
  if (value.type === 'identifier') walk.exports.add(value.text);
  else if (value.type === 'assignment_expression') {
    assignment(statement, value, walk);
    const right = bare(field(value, 'right'));
    if (right?.type === 'identifier') walk.exports.add(right.text);
  } else if (value.type === 'object') {
    for (const each of value.namedChildren) {
      if (each.type === 'shorthand_property_identifier') walk.exports.add(each.text);
      const paired = each.type === 'pair' ? bare(field(each, 'value')) : undefined;
      if (paired?.type === 'identifier') walk.exports.add(paired.text);
    }
    walk.notes.set('exporting', true);
    walk.within(value);
    walk.notes.delete('exporting');
  } else if (isRequire(value)) {
    walk.import(statement);
  } else {
    const made = maker(value);
    const name = made && nameOf(made);
    bind(statement, name ?? 'module.exports', value, walk, { exported: true });
  }
}

/** Functions that are called where they stand hold what the file defines. */
function inCalled(node: Node, walk: Walk): void {
  const called = bare(field(node, 'function'));
  const isCalled = called !== undefined && FUNCTIONS.has(called.type);
  const isChained =
    called?.type === 'member_expression' && FUNCTIONS.has(bare(field(called, 'object'))?.type ?? '');
  if (!isCalled && !isChained && called?.text !== 'define') return;
  const functions = [isChained ? bare(field(called, 'object')) : called].concat(
    field(node, 'arguments')?.namedChildren.map((each) => bare(each)),
  );
  for (const each of functions) if (each && FUNCTIONS.has(each.type)) walk.within(field(each, 'body'));
}

const expression: Rule = (node, walk) => {
  const value = bare(node.namedChildren[0]);
  if (value?.type === 'assignment_expression') assignment(node, value, walk);
  else if (isRequire(value)) walk.import(node);
  else if (value?.type === 'call_expression') inCalled(value, walk);
  else if (value?.type === 'internal_module') walk.unwrap(node, value);
};

const exporting: Rule = (node, walk) => {
  const declaration = field(node, 'declaration');
  const value = bare(field(node, 'value'));
  if (declaration) return walk.unwrap(node, declaration);
  if (field(node, 'source')) return walk.import(node);
  if (value?.type === 'identifier') walk.exports.add(value.text);
  else if (value) bind(node, nameOf(value) ?? 'default', value, walk, { exported: true });
  for (const clause of node.namedChildren) {
    if (clause.type === 'identifier') walk.exports.add(clause.text);
    if (clause.type !== 'export_clause') continue;
    for (const each of clause.namedChildren) walk.exports.add(field(each, 'name')?.text ?? '');
  }
};

const ambient: Rule = (node, walk) => {
  const kept = walk.notes.get('ambient');
  walk.notes.set('ambient', true);
  for (const child of node.namedChildren) {
    if (child.type === 'statement_block') walk.within(child);
    else walk.unwrap(node, child);
  }
  walk.notes.set('ambient', kept);
};

const space: Rule = (node, walk) => {
  const name = nameOf(node);
  walk.define(node, {
    name: name && plain(name),
    body: field(node, 'body'),
    inside: true,
    exported: exportedHere(walk),
  });
};

const alias: Rule = (node, walk) => {
  const value = field(node, 'value');
  const isObject = value?.type === 'object_type';
  walk.define(node, {
    name: nameOf(node),
    body: isObject ? value : undefined,
    inside: isObject,
    exported: exportedHere(walk),
  });
};

const enumMember: Rule = (node, walk) =>
  walk.define(node, { name: plain(field(node, 'name')?.text ?? node.text), exported: true });

const pair: Rule = (node, walk) => {
  const value = field(node, 'value');
  const made = maker(value);
  const name = plain(field(node, 'key')?.text ?? '');
  if (made && FUNCTIONS.has(made.type))
    walk.define(node, { name, body: field(made, 'body'), exported: true });
  else if (bare(value)?.type === 'object') walk.within(bare(value));
};

const blocks: Rule = (node, walk) => {
  for (const child of node.namedChildren) {
    if (child.type === 'statement_block') walk.within(child);
    else if (/^(?:else|catch|finally)_clause$/.test(child.type)) blocks(child, walk);
  }
};

const rules: Record<string, Rule> = {
  import_statement: (node, walk) => walk.import(node),
  export_statement: exporting,
  ambient_declaration: ambient,
  expression_statement: expression,
  lexical_declaration: variables,
  variable_declaration: variables,
  function_declaration: aFunction,
  generator_function_declaration: aFunction,
  function_signature: aFunction,
  class_declaration: aClass,
  abstract_class_declaration: aClass,
  interface_declaration: aClass,
  enum_declaration: aClass,
  type_alias_declaration: alias,
  internal_module: space,
  module: space,
  method_definition: member,
  method_signature: member,
  abstract_method_signature: member,
  public_field_definition: member,
  field_definition: member,
  property_signature: member,
  property_identifier: enumMember,
  enum_assignment: enumMember,
  pair,
  if_statement: blocks,
  try_statement: blocks,
};

const syntax = { comments: ['comment'], attributes: ['decorator'], rules };

export const typescript: Syntax = { grammar: 'typescript', ...syntax };
export const tsx: Syntax = { grammar: 'tsx', ...syntax };
export const javascript: Syntax = { grammar: 'javascript', ...syntax };
