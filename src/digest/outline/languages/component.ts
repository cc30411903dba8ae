import type { Node } from 'web-tree-sitter';
import { field, ifLong } from '../nodes.ts';
import type { Rule, Syntax } from '../walk.ts';
import { typescript } from './typescript.ts';

const SCRIPT = /<script\b(?:"[^"]*"|'[^']*'|[^"'>])*>([\s\S]*?)<\/script\s*>/dgi;
/** Calls that tell others how a component is used. */
const INTERFACE = /^(?:define(?:Props|Emits|Expose|Model|Slots|Options)|withDefaults|\$props)$/;

/** The scripts of a component where they stand, and blanks for all else. */
function scriptsOf(text: string): string {
  let masked = '';
  for (const { indices } of text.matchAll(SCRIPT)) {
    const [start, end] = indices?.[1] ?? [0, 0];
    masked += blank(text.slice(masked.length, start)) + text.slice(start, end);
  }
  return masked + blank(text.slice(masked.length));
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** A rule that heeds calls of `defineProps` and the like first. */
const heeding =
  (rule: Rule | undefined, value: (node: Node) => Node | undefined): Rule =>
  (node, walk) => {
    const call = value(node);
    const called = call?.type === 'call_expression' ? field(call, 'function')?.text : undefined;
    if (called === undefined || !INTERFACE.test(called)) return rule?.(node, walk);
    walk.define(node, { name: called, body: ifLong(field(call, 'arguments')), exported: true });
  };

const { lexical_declaration: variables, expression_statement: expression } = typescript.rules;
const declared = heeding(variables, (node) => field(node.namedChildren[0], 'value'));

/** A component of Vue or Svelte: its script. */
export const component: Syntax = {
  ...typescript,
  prepare: scriptsOf,
  rules: {
    ...typescript.rules,
    lexical_declaration: declared,
    expression_statement: heeding(expression, (node) => node.namedChildren[0] ?? undefined),
  },
};
