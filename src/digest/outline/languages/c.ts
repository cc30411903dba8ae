import type { Node } from 'web-tree-sitter';
import { child, field, ifLong, nameOf } from '../nodes.ts';
import type { Rule, Syntax, Walk } from '../walk.ts';

const TYPES = /^(?:struct|union|enum|class)_specifier$/;
const NAMES =
  /identifier$|^(?:operator_name|destructor_name|operator_cast|literal_operator|template_function)$/;
const ONCE = /^[ \t]*#[ \t]*pragma[ \t]+once\b/m;
/** Before all else, what makes sure that a file is read once makes it a header. */
const GUARD = /^[ \t]*#[ \t]*ifndef[ \t]+(\w+)[ \t]*\r?\n[ \t]*#[ \t]*define[ \t]+\1[ \t]*(?:1[ \t]*)?\r?$/m;

/** Whether others include the file: what is only declared there can be used by them. */
function isHeader(walk: Walk): boolean {
  const known = walk.notes.get('header');
  if (typeof known === 'boolean') return known;
  const guard = GUARD.exec(walk.text);
  const is = ONCE.test(walk.text) || (guard !== null && !/^[ \t]*#/m.test(walk.text.slice(0, guard.index)));
  walk.notes.set('header', is);
  return is;
}

/** The name that a declarator declares, behind its pointers, parameters and brackets. */
function declared(declarator: Node | undefined): Node | undefined {
  let node = declarator;
  while (node && !NAMES.test(node.type)) {
    node =
      field(node, 'declarator') ??
      node.namedChildren.findLast(({ type }) => /declarator$|identifier$/.test(type));
  }
  return node;
}

/** Whether a declarator is of a function, not of a pointer to one. */
function isFunction(declarator: Node | undefined): boolean {
  let node = declarator;
  while (node && /^(?:pointer|reference|init|attributed)_declarator$/.test(node.type))
    node = field(node, 'declarator') ?? node.namedChildren.at(-1);
  return (
    node?.type === 'function_declarator' && field(node, 'declarator')?.type !== 'parenthesized_declarator'
  );
}

/** `a::B<T>::c` as `c`, of `B`. */
function split(name: string): { name: string; like: string | undefined } {
  if (name.startsWith('operator'))
    return { name: name.replace(/(?<! *operator *)\(.*$/s, '').trim(), like: undefined };
  const parts = withoutArguments(name).split('::');
  const last = parts.pop() ?? name;
  const like = parts.pop()?.trim();
  return { name: last.trim(), like: like || undefined };
}

/** A name without what stands in angle brackets. */
function withoutArguments(name: string): string {
  const operator = name.indexOf('operator');
  let depth = 0;
  let rest = '';
  for (const [index, char] of [...name].entries()) {
    if (operator >= 0 && index >= operator) rest += char;
    else if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (depth === 0) rest += char;
  }
  return rest;
}

const isStatic = (node: Node): boolean =>
  node.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static');

const hidden = (walk: Walk): boolean => walk.notes.get('hidden') === true;

/** Whether what has a name at link time, or in a class, is for others. */
function isPublic(node: Node, walk: Walk): boolean {
  if (hidden(walk)) return false;
  if (inClass(node)) return walk.notes.get('access') !== 'private';
  return !isStatic(node) || isHeader(walk);
}

/** Whether a node stands in a class, where `static` means something else. */
function inClass(node: Node): boolean {
  let parent = node.parent;
  while (parent && /^(?:template_declaration|preproc_\w+|ERROR)$/.test(parent.type)) parent = parent.parent;
  return parent?.type === 'field_declaration_list';
}

const aFunction: Rule = (node, walk) => {
  const name = declared(field(node, 'declarator'))?.text;
  walk.define(node, {
    ...(name ? split(name) : { name }),
    body: field(node, 'body') ?? child(node, 'try_statement'),
    exported: isPublic(node, walk),
  });
};

const type: Rule = (node, walk) => {
  const body = field(node, 'body');
  if (!body) return;
  const name = nameOf(node);
  defineType(node, name && split(name).name, node, walk);
};

function defineType(whole: Node, name: string | undefined, specifier: Node, walk: Walk): void {
  const exported = inClass(whole) ? isPublic(whole, walk) : isHeader(walk) && !hidden(walk);
  const access = walk.notes.get('access');
  walk.notes.set('access', specifier.type === 'class_specifier' ? 'private' : 'public');
  walk.define(whole, { name, body: field(specifier, 'body'), inside: true, exported });
  walk.notes.set('access', access);
}

/** Prototypes, variables, fields: of a type that may be defined on the way. */
const declaration: Rule = (node, walk) => {
  const of = field(node, 'type');
  const declarators = node.childrenForFieldName('declarator');
  if (of?.text === 'import' && !inClass(node)) return walk.import(node);
  const withType = of !== undefined && TYPES.test(of.type) && field(of, 'body') !== undefined;
  if (withType) {
    if (declarators.length === 0) return walk.unwrap(node, of);
    if (!nameOf(of)) return defineType(node, declared(declarators[0])?.text, of, walk);
    walk.visit(of);
  }
  const exported = isPublic(node, walk);
  declarators.forEach((declarator, index) => {
    const name = declared(declarator)?.text;
    if (!name || (!exported && !isFunction(declarator))) return;
    walk.define(node, {
      ...split(name),
      body: ifLong(field(declarator, 'value') ?? field(node, 'default_value')),
      exported,
      ...((withType || index > 0) && { from: declarator }),
    });
  });
};

const typeDefinition: Rule = (node, walk) => {
  const of = field(node, 'type');
  node.childrenForFieldName('declarator').forEach((declarator, index) => {
    const name = declared(declarator)?.text;
    if (index === 0 && of && TYPES.test(of.type) && field(of, 'body')) defineType(node, name, of, walk);
    else {
      const exported = inClass(node) ? isPublic(node, walk) : isHeader(walk) && !hidden(walk);
      walk.define(node, { name, exported, ...(index > 0 && { from: declarator }) });
    }
  });
};

const macro: Rule = (node, walk) => {
  const guard = node.parent?.type === 'preproc_ifdef' && nameOf(node.parent) === nameOf(node);
  if (guard && !field(node, 'value')) return;
  walk.define(node, {
    name: nameOf(node),
    body: node.endPosition.row - node.startPosition.row > 1 ? field(node, 'value') : undefined,
    exported: isHeader(walk),
  });
};

const constant: Rule = (node, walk) => walk.define(node, { name: nameOf(node), exported: true });
const within: Rule = (node, walk) => walk.within(node);

const rules: Record<string, Rule> = {
  preproc_include: (node, walk) => walk.import(node),
  preproc_def: macro,
  preproc_function_def: macro,
  preproc_ifdef: within,
  preproc_if: within,
  preproc_else: within,
  preproc_elif: within,
  preproc_elifdef: within,
  linkage_specification: (node, walk) => {
    const body = field(node, 'body');
    if (body?.type === 'declaration_list') walk.within(body);
    else walk.unwrap(node, body);
  },
  function_definition: aFunction,
  declaration,
  field_declaration: declaration,
  type_definition: typeDefinition,
  struct_specifier: type,
  union_specifier: type,
  enum_specifier: type,
  enumerator: constant,
};

const named: Rule = (node, walk) =>
  walk.define(node, {
    name: nameOf(node),
    exported: inClass(node) ? isPublic(node, walk) : isHeader(walk) && !hidden(walk),
  });

/** What is in a namespace without a name is for this file alone. */
const namespace: Rule = (node, walk) => {
  const kept = walk.notes.get('hidden');
  if (!nameOf(node)) walk.notes.set('hidden', true);
  walk.within(field(node, 'body'));
  walk.notes.set('hidden', kept);
};

export const c: Syntax = { grammar: 'c', comments: ['comment'], rules };

export const cpp: Syntax = {
  grammar: 'cpp',
  comments: ['comment'],
  rules: {
    ...rules,
    class_specifier: type,
    namespace_definition: namespace,
    access_specifier: (node, walk) => void walk.notes.set('access', node.text),
    template_declaration: (node, walk) => walk.unwrap(node, node.namedChildren.at(-1)),
    using_declaration: (node, walk) => walk.import(node),
    alias_declaration: named,
    concept_definition: named,
  },
};
