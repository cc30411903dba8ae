import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import { lengthOf } from '../../json/stringify.ts';
import type { Plan } from './plan.ts';

/**
 * What a value that is cut gets at least, in characters; where it can't have it, whole blocks are left out.
 */
const LEAST_ROOM = 240;

/** The blocks that are left out whole: from, to, not included. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

/** Which blocks are left out: none, if each can have the least, else those in the middle. */
export function foldFor(plan: Plan, chars: number): Fold | undefined {
  const { blocks } = plan;
  const leastOf = [...blocks.first, ...blocks.last].map((block) => leastFor(plan, block));
  const held = leastOf.length;
  const room = (chars - overheadOf(plan)) * 0.8;
  const sum = leastOf.reduce((total, least) => total + least, 0);
  if (sum <= room && held === blocks.count) return undefined;
  let [front, back, used] = [0, 0, 0];
  while (front + back < held) {
    const isFront = front <= back * 2 && front < blocks.first.length;
    const index = isFront ? front : held - 1 - back;
    if (!isFront && index < front) break;
    used += leastOf[index] ?? 0;
    if (used > room) break;
    if (isFront) front++;
    else back++;
    if (back >= (blocks.last.length || held) && front >= blocks.first.length) break;
  }
  return { from: front, to: blocks.count - back };
}

/** What is there besides blocks, about: the other fields, the facts, what stands for the fold, and a link. */
function overheadOf({ result, blocks, structured }: Plan): number {
  const others = Object.entries(result).filter(([key]) => key !== blocks.key && key !== 'structuredContent');
  const fixed = others.reduce(
    (sum, [key, value]) => sum + key.length + 4 + Math.min(LEAST_ROOM, lengthOf(value)),
    0,
  );
  return fixed + 1_200 + Math.min(structured?.need ?? 0, LEAST_ROOM);
}

function leastFor({ sites }: Plan, block: Held): number {
  const own = sites.filter(({ holder }) => holder === block || (isHeldObject(block) && holds(block, holder)));
  const needs = own.reduce((sum, { need }) => sum + need, 0);
  return lengthOf(block) - needs + own.reduce((sum, { need }) => sum + Math.min(need, LEAST_ROOM), 0) + 1;
}

function holds(block: HeldObject, holder: HeldObject): boolean {
  return (
    block.resource === holder ||
    block.content === holder ||
    (isHeldObject(block.content) && holds(block.content, holder))
  );
}

/** Whether a block is left out. */
export function isFolded(fold: Fold | undefined, block: number | undefined): boolean {
  return fold !== undefined && block !== undefined && block >= fold.from && block < fold.to;
}
