import { cutAll, emptied } from './cut.ts';
import { foldFor, isFolded } from './fold.ts';
import { least } from './least.ts';
import { excessOf } from './measure.ts';
import { type KeptResult, type Plan, planOf, type ResultOptions } from './plan.ts';
import type { Site } from './sites.ts';
import { type BoundedResult, write } from './write.ts';

/** How often a level is tried that is lower each time. */
const MOST_TRIES = 16;

/**
 * Bounds a result that is over its limit. Every text, every piece of data in it keeps as much as an equal share
 * allows, and says what is missing of it; media that are too much are replaced by links. The JSON of what comes
 * back is within the limit in each of its units, media counted by what they cost. The held value is used up.
 */
export async function boundKept(what: KeptResult, options: ResultOptions): Promise<BoundedResult> {
  const { limit, base64IsText } = options;
  const plan = planOf(what, options);
  if (options.showsNothing) return least(plan);
  let chars = limit.chars;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const bounded = fit(plan, chars, tries);
    if (!bounded) break;
    const excess = await excessOf(bounded.json, bounded.value, limit, base64IsText);
    if (excess <= 1) return bounded;
    chars = Math.floor(Math.min(chars, bounded.json.length - plan.discount) / excess) - 8;
  }
  return least(plan);
}

/** The result in `chars` characters, or nothing if it can't be but in its smallest form. */
function fit(plan: Plan, chars: number, tries: number): BoundedResult | undefined {
  const fold = foldFor(plan, chars);
  const sites = plan.sites.filter(({ block }) => !isFolded(fold, block));
  const bare = write(plan, fold, new Map(sites.map((site) => [site, emptied(site)])));
  const lines = linesFor(plan, sites, tries);
  let level = levelFor(
    sites.map(({ need }) => need),
    chars - (bare.json.length - plan.discount),
  );
  for (let tried = 0; tried < MOST_TRIES && level > 0; tried++) {
    const written = write(plan, fold, cutAll(plan, sites, { level, chars, lines }));
    const over = written.json.length - plan.discount - chars;
    if (over <= 0) return written;
    const cut = Math.max(1, sites.filter(({ need }) => need > level).length);
    level = Math.floor(Math.min(level - over / cut, level * 0.98));
  }
  return undefined;
}

/** The highest level with which all needs, each cut to it, are within the room. */
function levelFor(needs: readonly number[], room: number): number {
  let left = room;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (need > share) return share;
    left -= need;
  }
  return ascending.at(-1) ?? 1;
}

/** How many lines a text may have that is cut, if lines are counted. */
function linesFor({ options: { limit } }: Plan, sites: readonly Site[], tries: number): number | undefined {
  if (limit.lines === undefined) return undefined;
  const texts = sites.filter(({ kind }) => kind === 'text').length;
  return Math.max(1, Math.floor(limit.lines / Math.max(1, texts) / 1.2 ** tries));
}
