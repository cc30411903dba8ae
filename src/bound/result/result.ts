import { setImmediate } from 'node:timers/promises';
import { priced } from '../price.ts';
import { cutAll, emptied } from './cut.ts';
import { foldFor, isFolded } from './fold.ts';
import { least } from './least.ts';
import { excessOf } from './measure.ts';
import { type KeptResult, LEAST_ROOM, type Plan, planOf, type ResultOptions } from './plan.ts';
import { linesTaken, type Site } from './sites.ts';
import { type BoundedResult, write } from './write.ts';

/** How often a level is tried that is lower each time. */
const MOST_TRIES = 16;

/** Of what room there is, blocks must do with so much, each with the least; with less, if that doesn't fit. */
const BLOCK_SHARES = [0.8, 0.5, 0.25, 0.1];

/** The lines that notices take of texts that stay whole, if lines are counted. */
const OWN_LINES = 4;

/**
 * Bounds a result that is over its limit. Every text, every piece of data in it keeps as much as an equal share
 * allows, and says what is missing of it; media that are too much are replaced by links. The JSON of what comes
 * back is within the limit in each of its units, media counted by what they cost. The held value is used up.
 */
export async function boundKept(what: KeptResult, options: ResultOptions): Promise<BoundedResult> {
  const { limit, base64IsText } = options;
  const plan = await planOf(what, options);
  if (options.showsNothing) return least(plan);
  await setImmediate();
  let chars = limit.chars;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const bounded = await fits(plan, chars, tries);
    if (!bounded) break;
    const json = priced(bounded.json, plan.kept);
    const excess = await excessOf(json, bounded.value, limit, base64IsText);
    if (excess <= 1) return bounded;
    chars = Math.floor(Math.min(chars, bounded.json.length - plan.discount) / excess) - 8;
  }
  return least(plan);
}

/** The result in `chars` characters, or nothing if it can't be but in its smallest form. */
async function fits(plan: Plan, chars: number, tries: number): Promise<BoundedResult | undefined> {
  for (const share of BLOCK_SHARES) {
    const bounded = await fit(plan, chars, tries, share);
    if (bounded) return bounded;
  }
  return undefined;
}

async function fit(
  plan: Plan,
  chars: number,
  tries: number,
  share: number,
): Promise<BoundedResult | undefined> {
  const fold = foldFor(plan, chars, share);
  const sites = plan.sites.filter(({ block }) => !isFolded(fold, block));
  const bare = write(plan, fold, new Map(sites.map((site) => [site, emptied(site)])));
  const ourLines = [...plan.ourTexts].filter((block) => !isFolded(fold, block)).length;
  const lines = linesFor(plan, sites, ourLines, tries);
  let room = chars - (bare.json.length - plan.discount);
  for (let tried = 0; tried < MOST_TRIES && room > 0; tried++) {
    const levels = levelsFor(plan, sites, room);
    const written = write(plan, fold, await cutAll(plan, sites, { ...levels, chars, lines }));
    const over = written.json.length - plan.discount - chars;
    if (over <= 0) return written;
    room = Math.floor(Math.min(room - over, room * 0.98));
  }
  return undefined;
}

/**
 * How much each value may have. Structured content says what the blocks say, to other clients: either gets half of the
 * room, and what the other leaves. Of blocks, those that only the user reads get what is left.
 */
function levelsFor(
  { structured, forUser }: Plan,
  sites: readonly Site[],
  room: number,
): { level: number; userLevel: number; data: number } {
  const needsOf = (isSome: (site: Site) => boolean) => sites.filter(isSome).map(({ need }) => need);
  const needs = needsOf((site) => site !== structured && !forUser.has(site));
  const userNeeds = needsOf((site) => forUser.has(site));
  const data = Math.min(
    structured?.need ?? 0,
    Math.max(Math.floor(room / 2), room - sumOf(needs) - sumOf(userNeeds)),
  );
  const least = sumOf(userNeeds.map((need) => Math.min(need, LEAST_ROOM)));
  const level = levelFor(needs, Math.max(Math.floor((room - data) / 2), room - data - least));
  const left = room - data - sumOf(needs.map((need) => Math.min(need, level)));
  return { level, userLevel: levelFor(userNeeds, left), data };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
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

/** How many lines a value may have that is cut, if lines are counted. */
function linesFor(
  { options: { limit } }: Plan,
  sites: readonly Site[],
  ours: number,
  tries: number,
): number | undefined {
  if (limit.lines === undefined) return undefined;
  const needs = sites.map(({ original }) => linesTaken(original));
  return Math.max(1, levelFor(needs, Math.floor(limit.lines / 1.1 ** tries) - OWN_LINES - ours));
}
