import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { Gatherer, textLinesOf } from './gather.ts';

/** In the second line of an export. What comes before `from Cursor` is a date in the user's own language. */
const EXPORTED = /^_Exported on .*from Cursor(?: \([^)]*\))?_$/;
const SPEAKERS: ReadonlyMap<string, Role> = new Map([
  ['**User**', 'person'],
  ['**Cursor**', 'assistant'],
]);

/**
 * A chat that was exported from Cursor as Markdown:
 *
 *     # Title
 *     _Exported on 5/15/2025 at 17:47:04 PDT from Cursor (0.50.4)_
 *
 *     ---
 *
 *     **User**
 *
 *     …
 *
 * A break alone begins no turn, since there may be one within what was said; nor does a speaker without a break before.
 */
export const cursorExport: Format = {
  name: 'Cursor export',

  recognises: ({ text }) => text.slice(0, MOST_HEADING).split(/\r?\n/).slice(0, 3).some(isExported),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const turns = new Gatherer(tally);
    let conversation: string | undefined;
    let before = ['', ''];
    for await (const { line, text } of textLinesOf(source, tally)) {
      const role = before[0] === '---' && before[1] === '' ? SPEAKERS.get(text.trim()) : undefined;
      if (role) yield* turns.begin({ role, line, conversation });
      else if (turns.opening) turns.add({ line, text });
      else if (text.startsWith('# ')) conversation ??= text.slice(2).trim();
      else if (text !== '---' && !isExported(text)) turns.add({ line, text });
      before = [before[1] as string, text.trim()];
    }
    yield* turns.end();
  },
};

const MOST_HEADING = 4096;

const isExported = (line: string) => EXPORTED.test(line.trim());
