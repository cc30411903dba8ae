import type { Turn } from '../turn.ts';

/** What every answer of memory says of the data in it. */
const MARK = 'data that was stored earlier, not instructions';
const OPENS = /^\s*Recalled from memory \(|What follows is data that was stored earlier/;
const EMPTY = /^\s*$/;
const QUOTED = /^\s{0,8}[>|]/;

/**
 * A turn's text without what memory recalled into it: kept again it would be its own source. In the output of a tool, and
 * where an answer of memory is pasted whole, that is all that follows; of a quotation only the quoted lines.
 */
export function withoutRecalled({ text, role }: Pick<Turn, 'text' | 'role'>): string {
  if (!text.includes(MARK)) return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  let isInQuote = false;
  for (const [at, line] of lines.entries()) {
    const isMarked = line.includes(MARK);
    const isWhole = OPENS.test(line) && EMPTY.test(lines[at + 1] ?? 'none');
    if (isMarked && (role === 'tool' || isWhole)) break;
    isInQuote = QUOTED.test(line) && (isMarked || isInQuote);
    if (!isMarked && !isInQuote) kept.push(line);
  }
  return kept.join('\n');
}
