/** How many lines around a change are shown. */
const AROUND = 3;

/** How many lines must agree for both sides to be in step again: single brackets agree everywhere. */
const IN_STEP = 2;

/** A line of both texts, of the old one, or of the new one. */
interface Line {
  readonly side: ' ' | '-' | '+';
  readonly text: string;
}

/** The unified difference of two texts, with a line end at its end; empty if there is none. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const lines = diffLines(before.split('\n'), after.split('\n'));
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return '';
  return [`--- ${file}`, `+++ ${file}`, ...hunks, ''].join('\n');
}

function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let old = 0;
  let fresh = 0;
  while (old < before.length || fresh < after.length) {
    const [gone, added] = nextStep(before, after, old, fresh);
    for (const text of before.slice(old, old + gone)) lines.push({ side: '-', text });
    for (const text of after.slice(fresh, fresh + added)) lines.push({ side: '+', text });
    old += gone;
    fresh += added;
    if (old < before.length) lines.push({ side: ' ', text: before[old] as string });
    old++;
    fresh++;
  }
  return lines;
}

/** How many lines of both sides are to be passed over until they agree again; the fewest. */
function nextStep(
  before: readonly string[],
  after: readonly string[],
  old: number,
  fresh: number,
): [gone: number, added: number] {
  const oldLeft = before.length - old;
  const freshLeft = after.length - fresh;
  for (let sum = 0; sum < oldLeft + freshLeft; sum++) {
    for (let gone = Math.max(0, sum - freshLeft); gone <= Math.min(sum, oldLeft); gone++) {
      const added = sum - gone;
      const isNearEnd = oldLeft - gone === freshLeft - added && oldLeft - gone < IN_STEP;
      const need = sum === 0 || isNearEnd ? 1 : IN_STEP;
      if (agree(before, after, old + gone, fresh + added, need)) return [gone, added];
    }
  }
  return [oldLeft, freshLeft];
}

function agree(
  before: readonly string[],
  after: readonly string[],
  old: number,
  fresh: number,
  count: number,
): boolean {
  for (let at = 0; at < count; at++) {
    if (before[old + at] === undefined || before[old + at] !== after[fresh + at]) return false;
  }
  return true;
}

function hunksOf(lines: readonly Line[]): string[] {
  const changed = lines.flatMap(({ side }, index) => (side === ' ' ? [] : [index]));
  const hunks: string[] = [];
  for (let at = 0; at < changed.length; ) {
    const from = Math.max(0, (changed[at] as number) - AROUND);
    let to = (changed[at] as number) + AROUND + 1;
    while (at < changed.length && (changed[at] as number) - AROUND <= to)
      to = (changed[at++] as number) + AROUND + 1;
    const shown = lines.slice(from, to);
    hunks.push(headOf(lines, from, shown), ...shown.map(({ side, text }) => side + text));
  }
  return hunks;
}

function headOf(lines: readonly Line[], from: number, shown: readonly Line[]): string {
  const range = (other: Line['side']) => {
    const isOf = ({ side }: Line) => side !== other;
    const count = shown.filter(isOf).length;
    const start = lines.slice(0, from).filter(isOf).length + (count > 0 ? 1 : 0);
    return count === 1 ? `${start}` : `${start},${count}`;
  };
  return `@@ -${range('+')} +${range('-')} @@`;
}
