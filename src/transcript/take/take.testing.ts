import type { Turn } from '../turn.ts';
import { type TakeOptions, take } from './take.ts';
import type { Taken, Taking } from './taken.ts';

/** Takes turns as a reader gives them. */
export async function taking(turns: readonly Turn[], options: Partial<TakeOptions> = {}): Promise<Taking> {
  const read = async function* () {
    yield* turns;
  };
  return take(read(), { known: new Set(), ...options });
}

/** Turns as they are taken, without a budget: what a person says, or with a role, in lines from 1. */
export async function takenOf(...said: (string | Omit<Turn, 'line'>)[]): Promise<readonly Taken[]> {
  const turns = said.map((one, index): Turn => {
    const turn = typeof one === 'string' ? { role: 'person' as const, text: one } : one;
    return { ...turn, line: index + 1 };
  });
  return (await taking(turns)).turns;
}
