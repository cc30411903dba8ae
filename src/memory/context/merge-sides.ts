/** The two versions of a text that a merge left with conflicts. */
export interface Sides {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * The two sides of a text with the conflict markers of git (`git merge`, "How conflicts are presented"), each line at
 * its place, with a NUL in the place of those of the other side and of the markers; `undefined` for a text without them.
 */
export function sidesOf(text: string): Sides | undefined {
  const sides = { ours: [] as string[], theirs: [] as string[] };
  let state: State = 'both';
  let conflicts = 0;
  for (const line of text.split('\n')) {
    const marker = /^(<{7}|\|{7}|={7}|>{7})(?: |\r?$)/.exec(line)?.[1]?.[0];
    const next: State | undefined = marker === undefined ? undefined : AFTER[state][marker];
    if (next !== undefined) {
      state = next;
      conflicts++;
    }
    const isOf = (side: 'ours' | 'theirs') => next === undefined && (state === 'both' || state === side);
    sides.ours.push(isOf('ours') ? line : LEFT_OUT);
    sides.theirs.push(isOf('theirs') ? line : LEFT_OUT);
  }
  return conflicts > 0 ? { ours: sides.ours.join('\n'), theirs: sides.theirs.join('\n') } : undefined;
}

const LEFT_OUT = '\0';

type State = 'both' | 'ours' | 'base' | 'theirs';

/** Which lines follow a marker. */
const AFTER: Readonly<Record<State, Readonly<Record<string, State>>>> = {
  both: { '<': 'ours' },
  ours: { '|': 'base', '=': 'theirs' },
  base: { '=': 'theirs' },
  theirs: { '>': 'both' },
};
