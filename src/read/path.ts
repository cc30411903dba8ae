import { PlimsollError } from '../errors.ts';
import { pointerToken } from '../json/pointer.ts';
import { shortened } from './parts.ts';

/** A step into a value: to what has a name (a key, or an index in digits), to an item, to some items, to all. */
export type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number; readonly to: number }
  | { readonly kind: 'each' };

export interface Path {
  readonly steps: readonly Step[];
  /** What is asked of the value instead of itself. */
  readonly last: 'keys' | 'length' | undefined;
}

/** What a path may look like, for messages. */
export const PATH_FORM = `a JSON pointer like /items/3/name, or a path like .items[3].name, .items[-1], .items[10:20], .items[].name, .a["b c"], .items | length or .a | keys`;

/** A longer path that is no pointer is refused, in characters. */
const LONGEST = 1000;

/** Each step that counts from the end of a list takes a walk of its own through all of the JSON. */
const MOST_FROM_END = 8;

const LAST = /\s*\|\s*(keys|length)\s*$/;
const STEP =
  /\.?\[(?:(-?\d{1,15})|(-?\d{1,15})?:(-?\d{1,15})?|\*?|("(?:[^"\\]|\\.)*")|'([^'\\]*)')\]|\.("(?:[^"\\]|\\.)*")|\.([^.[\](){}|,"'\s]+)/y;

/**
 * Reads a JSON pointer (RFC 6901), or a path in a small part of jq's language, with JSONPath's `$` and `[*]`.
 * Throws `BAD_PATH`.
 */
export function parsePath(text: string): Path {
  if (text.startsWith('/')) return { steps: parsePointer(text), last: undefined };
  if (text.length > LONGEST) {
    throw new PlimsollError(
      'BAD_PATH',
      `The path has ${text.length} characters, and may have ${LONGEST}. Give a JSON pointer, which may be longer.`,
    );
  }
  const last = LAST.exec(text)?.[1] as Path['last'];
  const path = text.trim().replace(LAST, '').replace(/^\$/, '');
  const steps = path === '' || path === '.' ? [] : parseSteps(/^[.[]/.test(path) ? path : `.${path}`, text);
  if (last && steps.some(isMany)) {
    throw new PlimsollError('BAD_PATH', `'| ${last}' goes with one value, and not with [] or a range.`);
  }
  if (steps.filter(isFromEnd).length > MOST_FROM_END) {
    throw new PlimsollError(
      'BAD_PATH',
      `Not more than ${MOST_FROM_END} steps may count from the end of lists.`,
    );
  }
  return { steps, last };
}

/** Whether a step leads to several values. */
export function isMany(step: Step): boolean {
  return step.kind === 'slice' || step.kind === 'each';
}

/** Whether it takes a list's length to know what a step leads to. */
export function isFromEnd(step: Step): boolean {
  if (step.kind === 'slice') return step.from < 0 || step.to < 0;
  return step.kind === 'item' && step.index < 0;
}

/** The path of these steps, for messages. */
export function pathOf(steps: readonly Step[]): string {
  return steps.length === 0 ? '.' : shortened(steps.map(wordOf).join(''));
}

/** The JSON pointer of these steps; undefined if one is none of a pointer's. */
export function pointerOf(steps: readonly Step[]): string | undefined {
  const tokens = steps.map((step) => {
    if (step.kind === 'name') return pointerToken(step.name);
    return step.kind === 'item' ? String(step.index) : undefined;
  });
  return tokens.includes(undefined) ? undefined : tokens.map((token) => `/${token}`).join('');
}

function wordOf(step: Step): string {
  switch (step.kind) {
    case 'name':
      return /^[A-Za-z_]\w*$/.test(step.name) ? `.${step.name}` : `[${JSON.stringify(step.name)}]`;
    case 'item':
      return `[${step.index}]`;
    case 'slice':
      return `[${step.from}:${step.to === Number.POSITIVE_INFINITY ? '' : step.to}]`;
    case 'each':
      return '[]';
  }
}

function parsePointer(text: string): Step[] {
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token)) throw badPath(text);
      return { kind: 'name', name: token.replaceAll('~1', '/').replaceAll('~0', '~') };
    });
}

function parseSteps(path: string, text: string): Step[] {
  const steps: Step[] = [];
  const step = new RegExp(STEP);
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) throw badPath(text);
    steps.push(stepOf(match, text));
  }
  return steps;
}

function stepOf(
  [whole, item, from, to, bracketed, single, quoted, plain]: RegExpExecArray,
  text: string,
): Step {
  const json = bracketed ?? quoted;
  if (json !== undefined) return { kind: 'name', name: unquoted(json, text) };
  const name = single ?? plain;
  if (name !== undefined) return { kind: 'name', name };
  if (item !== undefined) return { kind: 'item', index: Number(item) };
  if (!whole.includes(':')) return { kind: 'each' };
  return {
    kind: 'slice',
    from: Number(from ?? 0),
    to: to === undefined ? Number.POSITIVE_INFINITY : Number(to),
  };
}

function unquoted(json: string, text: string): string {
  try {
    return JSON.parse(json);
  } catch {
    throw badPath(text);
  }
}

function badPath(text: string): PlimsollError {
  return new PlimsollError('BAD_PATH', `Not a path: '${shortened(text)}'. Give ${PATH_FORM}.`);
}
