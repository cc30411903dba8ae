import { fold } from '../../memory/search/fold.ts';
import { withoutControls } from '../../text/controls.ts';
import { visibleName } from '../../text/visible.ts';
import type { Candidate, Refused } from './fact.ts';
import { isInstruction } from './instruction.ts';
import { plainKey } from './key.ts';
import { Bare, Members, readWritten, type Written } from './lenient-json.ts';

export interface ReadAnswer {
  readonly candidates: readonly Candidate[];
  readonly refused: readonly Refused[];
  /**
   * What is wrong with the answer as a whole: there is no list of facts in it, or the list is broken or cut off, so that
   * the candidates are only what could be read of it.
   */
  readonly problem?: 'none' | 'broken' | undefined;
}

const MOST_FACTS = 500;

/** Brackets that open nothing readable cost a look at what comes after them: so many are looked at. */
const MOST_STARTS = 50;

/** In UTF-16 code units. */
const LONGEST_VALUE = 2000;
const LONGEST_NAME = 200;
const SHOWN = 80;

/**
 * The facts in a model's answer: `{"facts": […]}` or `[…]`, whatever stands around it.
 *
 * @param canaries Names out of the prompt's own examples, which no conversation has: what holds one isn't a fact.
 */
export function readAnswer(text: string, canaries: readonly string[] = []): ReadAnswer {
  const { items, refused, problem } = itemsOf(text);
  const candidates: Candidate[] = [];
  const folded = canaries.map(fold);
  for (const item of items.slice(0, MOST_FACTS)) {
    const candidate = candidateOf(item);
    const reason = typeof candidate === 'string' ? candidate : reasonAgainst(candidate, folded);
    if (reason === undefined) candidates.push(candidate as Candidate);
    else refused.push({ candidate: plain(item), reason: visibleName(reason) });
  }
  const rest = items.length - MOST_FACTS;
  if (rest > 0)
    refused.push({ candidate: rest, reason: `${rest} more facts: one answer may have ${MOST_FACTS}` });
  return { candidates, refused, problem };
}

interface Items {
  items: Written[];
  refused: Refused[];
  problem: ReadAnswer['problem'];
}

function itemsOf(answer: string): Items {
  const { text, isReasoning } = withoutReasoning(answer);
  const items: Written[] = [];
  const refused: Refused[] = [];
  let isListThere = false;
  let failed = 0;
  let at = nextBracket(text, 0);
  while (at >= 0 && failed < MOST_STARTS) {
    const read = readWritten(text, at);
    if (read === undefined) failed++;
    const isLast = read !== undefined && /^[\s`]*$/.test(text.slice(read.end));
    if (read !== undefined && (isLast || !isReasoning)) {
      const found = factsIn(read.value);
      isListThere ||= found?.isList === true;
      items.push(...(found?.items ?? []));
      if (found?.isTwice) refused.push({ candidate: 'facts', reason: '"facts" stands twice in the answer' });
    }
    at = nextBracket(text, read?.end ?? at + 1);
  }
  const problem = isListThere ? undefined : items.length > 0 ? 'broken' : 'none';
  return { items, refused, problem };
}

/** The items of a list of facts, or a fact that stands alone. */
function factsIn(
  value: Written,
): { items: readonly Written[]; isList: boolean; isTwice?: boolean } | undefined {
  if (isList(value)) {
    const isOfFacts = value.every((item) => item instanceof Members);
    return isOfFacts ? { items: value, isList: true } : undefined;
  }
  if (!(value instanceof Members)) return undefined;
  const lists = value.all.filter(([key]) => key === 'facts').map(([, list]) => list);
  if (lists.length > 0) {
    return {
      items: lists.flatMap((list) => (isList(list) ? list : [list])),
      isList: true,
      isTwice: lists.length > 1,
    };
  }
  const isFact = value.get('attribute') !== undefined && value.get('value') !== undefined;
  return isFact ? { items: [value], isList: false } : undefined;
}

const isList = (value: Written): value is readonly Written[] => Array.isArray(value);

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /[{[]/g;
const OPENS_REASONING = /^\s*<(think|thinking|reasoning|thought)>/i;
const CLOSES_REASONING = /<\/(?:think|thinking|reasoning|thought)>/i;

/**
 * An answer without the reasoning that models put before it. If it never closes, only what the text ends with may be an
 * answer: drafts within aren't.
 */
function withoutReasoning(answer: string): { text: string; isReasoning: boolean } {
  let text = answer;
  for (let close = closeIn(text); close !== null; close = closeIn(text)) {
    text = text.slice(close.index + close[0].length);
  }
  return { text, isReasoning: OPENS_REASONING.test(text) };
}

function closeIn(text: string): RegExpExecArray | null {
  return /^\s*(?:[{[]|```)/.test(text) ? null : CLOSES_REASONING.exec(text);
}

/** The candidate an item is, or the reason why it is none. */
function candidateOf(item: Written): Candidate | string {
  if (!(item instanceof Members))
    return `${shown(item)}: a fact is an object with subject, attribute and value`;
  const subject = textOf(item.get('subject')).trim();
  const attribute = textOf(item.get('attribute')).trim();
  const named = `"${plainKey({ subject, attribute }).slice(0, SHOWN)}"`;
  if (item.duplicate !== undefined) return `${named}: "${item.duplicate.slice(0, SHOWN)}" stands twice in it`;
  if (!/[\p{L}\p{N}]/u.test(attribute)) return `${named}: it has no attribute`;
  if (subject.length > LONGEST_NAME || attribute.length > LONGEST_NAME) {
    return `${named}: its subject or attribute is longer than ${LONGEST_NAME} characters`;
  }
  const value = item.get('value');
  if (value instanceof Members || (value !== undefined && isList(value))) {
    return `${named}: its value is ${value instanceof Members ? 'an object' : 'a list'}, and a value is a text, a number or true or false`;
  }
  const text = textOf(value).trim();
  if (text === '' || NOTHING.test(text)) return `${named}: it has no value`;
  if (text.length > LONGEST_VALUE) return `${named}: its value is longer than ${LONGEST_VALUE} characters`;
  const quote = textOf(item.get('quote')).trim();
  return { subject, attribute, value: text, line: lineOf(item.get('line')), quote: quote || undefined };
}

/** What models write where there is nothing to write. */
const NOTHING =
  /^(?:unknown|none|null|nil|n\/?a|undefined|unspecified|(?:not|un) ?(?:specified|given|known|mentioned|available|applicable|stated|provided|sure)|[?.…–—-]+)\.?$/iu;

function reasonAgainst(candidate: Candidate, canaries: readonly string[]): string | undefined {
  const { subject, attribute, value, quote = '' } = candidate;
  const named = `"${plainKey(candidate)}"`;
  const text = [subject, attribute, value, quote].join('\n');
  if (isInstruction(text)) return `${named}: it reads like an instruction to the model`;
  const folded = fold(text);
  if (canaries.some((canary) => folded.includes(canary)))
    return `${named}: it repeats the prompt's own example`;
  return undefined;
}

/** A text without control characters, or a number or boolean as it is spelled. */
function textOf(value: Written | undefined): string {
  if (typeof value === 'string') return withoutControls(value);
  return value instanceof Bare && value.text !== 'null' ? value.text : '';
}

function lineOf(value: Written | undefined): number | undefined {
  const digits = /^L?(\d{1,12})$/i.exec(textOf(value).trim())?.[1];
  return digits !== undefined && Number(digits) > 0 ? Number(digits) : undefined;
}

function shown(item: Written): string {
  const json = JSON.stringify(plain(item));
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}

function plain(item: Written): unknown {
  if (item instanceof Members) return Object.fromEntries(item.all.map(([key, value]) => [key, plain(value)]));
  if (item instanceof Bare) return JSON.parse(item.text);
  return isList(item) ? item.map(plain) : item;
}
