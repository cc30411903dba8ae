import { PlimsollError } from '../../errors.ts';
import type { Budget } from '../../measure/budget.ts';
import { type Measure, measureOf } from '../../measure/measure.ts';
import { group } from '../../text/words.ts';
import type { Rejection } from '../content/content.ts';
import type { FileReader, Loaded } from '../fit/fit.ts';
import type { Candidate } from '../rank/candidate.ts';
import type { Renderer } from '../render/document.ts';
import { approach } from './approach.ts';
import { type Draft, draftWithin, type Plan, planOf, type Subject } from './draft.ts';

/** A document, and where everything in it and everything not in it went. */
export interface Composed extends Draft {
  /** All in the budget's unit; `used` is the length of `text`. */
  readonly budget: Budget & {
    readonly used: number;
    readonly tree: number;
    readonly files: number;
    readonly overhead: number;
  };
}

/**
 * Makes the document that fits the budget.
 *
 * @throws PlimsollError `BUDGET_TOO_SMALL` with the least that would do
 */
export async function compose(
  subject: Subject,
  { budget, renderer }: { budget: Budget; renderer: Renderer },
  reader: FileReader,
): Promise<Composed> {
  const measure = await measureOf(budget.unit);
  const plan = planOf(subject, budget, renderer, { ...reader, load: once(reader.load) });
  const draft = await search(plan, budget, measure);
  const used = measure(draft.text);
  const tree = measure(draft.treeBlock);
  const files = measure(draft.shown.map(({ section }) => section).join(''));
  return { ...draft, budget: { ...budget, used, tree, files, overhead: used - tree - files } };
}

/** Every file is read at most once for a document, or twice where an earlier draft had no need of what it defines. */
function once(load: FileReader['load']): FileReader['load'] {
  const loaded = [
    new Map<Candidate, Promise<Loaded | Rejection>>(),
    new Map<Candidate, Promise<Loaded | Rejection>>(),
  ];
  return (file, outlined) => {
    const known = loaded[outlined ? 1 : 0] as (typeof loaded)[0];
    let content = known.get(file);
    if (!content) {
      content = load(file, outlined);
      known.set(file, content);
    }
    return content;
  };
}

async function search(plan: Plan, { unit, limit }: Budget, measure: Measure): Promise<Draft> {
  if (unit === 'chars') {
    if (limit < plan.least) throw tooSmall(limit, plan.least, 'characters');
    return draftWithin(plan, limit);
  }
  let best = await draftWithin(plan, plan.least);
  const least = measure(best.text);
  if (limit < least) throw tooSmall(limit, least, 'tokens');
  await approach(plan.plainLeast, limit, async (chars) => {
    const draft = await draftWithin(plan, Math.max(chars, plan.least));
    const tokens = tokensOf(draft, measure);
    if (tokens <= limit && bodyLength(draft) >= bodyLength(best)) best = draft;
    return { tokens, more: draft.missed.length > 0 || draft.shown.some(({ mode }) => mode !== 'full') };
  });
  return best;
}

function bodyLength({ text, head }: Draft): number {
  return text.length - head.text.length;
}

/** As many characters of a token as an address has at the least, nearly. */
const LEAST_CHARS_A_TOKEN = 2.5;

/**
 * The tokens of a document, with room for whatever could be told of the way to its source in as many characters: so that
 * the way doesn't decide what is shown. Never fewer than it has.
 */
function tokensOf({ text, head }: Draft, measure: Measure): number {
  const room = Math.ceil(head.way / LEAST_CHARS_A_TOKEN);
  return Math.max(measure(head.plain + text.slice(head.text.length)) + room, measure(text));
}

function tooSmall(limit: number, least: number, unit: string): PlimsollError {
  return new PlimsollError(
    'BUDGET_TOO_SMALL',
    `A budget of ${group(limit)} ${unit} is too small for this source: the least that would do is ${group(least)}.`,
  );
}
