import { Intake, type IntakeLimits, type TakenIn } from '../bound/intake.ts';
import { JsonWalk } from '../json/walk.ts';
import type { Draft } from '../spool/spool.ts';
import { Target } from './target.ts';

/** What was taken in, and where it stands, in bytes. */
export interface Taken {
  readonly takenIn: TakenIn;
  readonly from: number;
  readonly to: number;
}

/**
 * Takes in the value to which the keys of a path lead in JSON that comes in pieces; undefined if there is none. Throws
 * a `JsonError` if nobody can say which value that is. Unless it gives something, the draft is given up.
 */
export async function takeInOf(
  pieces: AsyncIterable<Uint8Array>,
  path: readonly string[],
  draft: Draft | undefined,
  limits: IntakeLimits,
): Promise<Taken | undefined> {
  const intake = new Intake(draft, limits);
  const target = new Target(path, intake);
  const walk = new JsonWalk(target);
  try {
    for await (const piece of pieces) {
      walk.write(piece);
      await draft?.drained();
    }
    walk.finish();
    const { from, to } = target;
    if (to > 0) return { takenIn: intake.finish(), from, to };
  } catch (error) {
    await draft?.discard();
    throw error;
  }
  await draft?.discard();
  return undefined;
}
