import type { Digest } from '../digest/digest.ts';
import { visibleName } from '../text/visible.ts';

type RankedFile = Digest['files'][number];

/**
 * A report for a person of how the budget was spent, why each file stands where it does, and what missed the
 * cut. Plain text in aligned columns; with `colour`, headings are bold and reasons dim.
 */
export function explain(digest: Digest, { colour }: { colour: boolean }): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const heading = (text: string) => paint(1, text);
  const reasons = (file: RankedFile) => paint(2, `      ${file.reasons.map(reason).join(', ')}`);

  const ranked = columns(
    ['>rank', '>score', '<mode', '>chars', '>of size', '<path'],
    digest.files.map((file, index) => [
      `${index + 1}`,
      score(file),
      file.mode,
      grouped(file.chars),
      grouped(file.size),
      pathOf(file),
    ]),
  );
  const missed = columns(
    ['>score', '>size', '<path'],
    digest.nearMisses.map((file) => [score(file), grouped(file.size), pathOf(file)]),
  );
  return [
    heading('How the budget was spent'),
    ...spending(digest.budget),
    '',
    heading(`Files in the document, in their order: ${grouped(digest.files.length)}`),
    ...interleave(ranked, digest.files.map(reasons)),
    '',
    heading(
      `Files that missed the cut: the best ${grouped(digest.nearMisses.length)} of ${grouped(digest.omitted.byReason.budget ?? 0)}`,
    ),
    ...interleave(missed, digest.nearMisses.map(reasons)),
    '',
  ].join('\n');
}

function spending({ unit, limit, used, tree, files, overhead }: Digest['budget']): string[] {
  const parts = { tree, files, overhead, unused: limit - used, limit };
  const rows = Object.entries(parts).map(([name, amount]) => [name, grouped(amount), share(amount, limit)]);
  return columns(['<part', `>${unit}`, '>share'], rows);
}

function reason({ signal, points, why }: RankedFile['reasons'][number]): string {
  return visibleName(`${points < 0 ? '' : '+'}${rounded(points)} ${signal} (${why})`);
}

function score(file: RankedFile): string {
  return file.score.toFixed(1);
}

function pathOf(file: RankedFile): string {
  return visibleName(file.path);
}

/** Lines of a table. A title begins with `<` or `>`, the side to which its column leans. */
function columns(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['  none'];
  const table = [titles.map((title) => title.slice(1)), ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return titles[column]?.startsWith('>') ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`);
}

/** The table's head, then each of its rows followed by its note. */
function interleave([head = '', ...rows]: readonly string[], notes: readonly string[]): string[] {
  return [head, ...rows.flatMap((row, index) => [row, notes[index] ?? ''])];
}

/** A whole number with its thousands apart. */
function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

function share(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)}%`;
}

function rounded(points: number): string {
  return `${Math.round(points * 10) / 10}`;
}
