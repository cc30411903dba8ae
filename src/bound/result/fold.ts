import { lengthOf } from '../../json/stringify.ts';
import { isFrugal, LEAST_ROOM, type Plan } from './plan.ts';

/** The blocks that are left out whole: from, to, not included. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

/** What a block takes with a notice in it, about, in characters. */
const NOTICE = 160;

/** Which blocks are left out: none, if all do with that share of the room, each with the least, else some in the middle. */
export function foldFor(plan: Plan, chars: number, share: number): Fold | undefined {
  const { blocks, leasts } = plan;
  const held = leasts.length;
  const room = (chars - overheadOf(plan)) * share;
  const sum = leasts.reduce((total, least) => total + least, 0);
  if (sum <= room && held === blocks.count) return undefined;
  const atBack = held < blocks.count ? blocks.last.length : held;
  let [front, back, used] = [0, 0, 0];
  while (front + back < held) {
    const isFront = front < blocks.first.length && (front <= back * 2 || back === atBack);
    if (!isFront && back === atBack) break;
    used += leasts[isFront ? front : held - 1 - back] ?? 0;
    if (used > room) break;
    if (isFront) front++;
    else back++;
  }
  return { from: front, to: blocks.count - back };
}

/** What is there besides blocks, about: the other fields, the facts, what stands for the fold, and a link. */
function overheadOf(plan: Plan): number {
  const { result, blocks, structured, speaks } = plan;
  const others = Object.entries(result).filter(([key]) => key !== blocks.key && key !== 'structuredContent');
  const fixed = others.reduce(
    (sum, [key, value]) => sum + key.length + 4 + Math.min(LEAST_ROOM, lengthOf(value)),
    0,
  );
  const notices = speaks.first ? 0 : isFrugal(plan) ? 2 : 1;
  return (
    fixed + (isFrugal(plan) ? 600 : 1_200) + notices * NOTICE + Math.min(structured?.need ?? 0, LEAST_ROOM)
  );
}

/** Whether a block is left out. */
export function isFolded(fold: Fold | undefined, block: number | undefined): boolean {
  return fold !== undefined && block !== undefined && block >= fold.from && block < fold.to;
}
