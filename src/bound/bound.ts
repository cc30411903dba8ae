import type { Held, HeldObject } from '../json/held.ts';
import { textOf } from '../json/long-text.ts';
import { parseMarked } from '../json/mark.ts';
import { DEFAULT_LIMIT, type Limit, limitOf, windowsFor } from '../measure/limit.ts';
import { measureOf } from '../measure/measure.ts';
import { loadSettings } from '../settings/load.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import type { Kept, NotKept, Origin } from '../spool/types.ts';
import { encodeText } from '../text/wtf8.ts';
import { compileSchema } from './data/schema.ts';
import { DataFiles } from './data-files.ts';
import { type Facts, factsOf, placed } from './facts.ts';
import { MOST_PARSED, takeIn } from './intake.ts';
import { keep } from './keep.ts';
import { linesMissing } from './lines-missing.ts';
import { priced } from './price.ts';
import { excessOf } from './result/measure.ts';
import type { ResultOptions } from './result/plan.ts';
import { boundKept } from './result/result.ts';
import { withNotice } from './result/tell.ts';
import { cutText } from './text/cut.ts';
import type { Gap } from './types.ts';
import { type Readers, rewrittenWords, shortNoticeOf, wordsFor } from './words.ts';

export { DEFAULT_LIMIT, LEAST_LIMIT, type Limit, parseLimit } from '../measure/limit.ts';
export { openSpool, type Spool, type SpoolOptions } from '../spool/spool.ts';
export { type Facts, META_KEY } from './facts.ts';
export type { Gap } from './types.ts';
export type { Readers } from './words.ts';

export interface BoundOptions {
  /** 100,000 characters unless given. A number counts characters; for a text, see {@link parseLimit}. */
  readonly limit?: number | string | Limit | undefined;
  /**
   * Where the whole is kept, as {@link openSpool} gives it: by default in the user's data folder or where
   * `PLIMSOLL_SPOOL_DIR` says. `false` keeps nothing, and the marker says so.
   */
  readonly spool?: Spool | false | undefined;
  /** What made the text or the result, for those who look for it later. */
  readonly origin?: Omit<Origin, 'kind'> | undefined;
  /** How whoever reads it gets at the rest: by the command `plimsoll spool` and by paths unless given. */
  readonly readers?: Readers | undefined;
}

export interface BoundResultOptions extends BoundOptions {
  /** The tool's `outputSchema`: `structuredContent` stays valid. */
  readonly outputSchema?: unknown;
  /** Whether the reader knows `resource_link` blocks (revision 2025-06-18 and later); true unless given. */
  readonly links?: boolean | undefined;
  /** Whether the reader counts base64 as text; false unless given. */
  readonly base64IsText?: boolean | undefined;
  /** Whether all text blocks are joined into one, for readers that hand on only one; false unless given. */
  readonly joinBlocks?: boolean | undefined;
}

/** A text within its limit. */
export interface BoundText {
  readonly text: string;
  /** What is missing, where and of how much; undefined if the text is whole. */
  readonly facts: Facts | undefined;
}

const HERE: Readers = { tools: undefined, paths: true };

/** The share of its room that the end of a text gets. */
const TAIL = 0.4;

const MOST_TRIES = 16;

/**
 * Bounds a text: within the limit it is the same text, over it keeps its head and its tail, with a notice at its start
 * and a marker between that say what is missing and how to read on; the whole is kept in the spool. JSON, CSV, diffs
 * and logs are cut by what they are. Where nothing can be kept, the text is bounded all the same and says so.
 *
 * Throws `BAD_LIMIT` for a limit that is none.
 */
export async function bound(text: string, options: BoundOptions = {}): Promise<BoundText> {
  const limit = limitOf(options.limit ?? DEFAULT_LIMIT);
  if ((await textExcess(text, limit)) <= 1) return { text, facts: undefined };
  const long = textOf(text, windowsFor(limit));
  const { kept, partAt } = await keepText(text, long.json, options);
  const readers = options.readers ?? HERE;
  const words = wordsFor({ at: '', part: '1', partAt }, kept, readers);
  const of = { chars: text.length, blocks: 1 };
  let chars = limit.chars;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const maxLines = limit.lines === undefined ? undefined : Math.floor(limit.lines / 1.1 ** tries);
    const cut = cutText({
      text: long,
      room: chars,
      cost: plainCost,
      tailShare: TAIL,
      words,
      part: '1',
      maxLines,
    });
    if (!cut) break;
    const said = cut.gaps.length > 0 ? cut : rewritten(text, cut.text, kept, readers);
    if (!tellsOf(kept, said.text)) break;
    const excess = await textExcess(priced(said.text, kept), limit);
    if (excess <= 1) {
      const gaps = said.gaps.map((gap) => placed(gap, '', false));
      const total = { ...sumOf(said.gaps), blocks: 0, of };
      return { text: said.text, facts: factsOf(total, gaps, kept, { limit, paths: readers.paths }) };
    }
    chars = Math.floor(Math.min(chars, said.text.length) / excess) - 8;
  }
  const total = { chars: text.length, bytes: long.bytes, lines: long.lines, blocks: 1, of };
  return {
    text: shortNoticeOf(total, kept, readers),
    facts: factsOf(total, [], kept, { limit, paths: readers.paths }),
  };
}

/**
 * Bounds a result of MCP (of `tools/call`, `resources/read`, `prompts/get`): within the limit it is the identical
 * object, over it a new one whose JSON is within the limit in each of its units, media counted by what they cost a model. Blocks keep
 * their order, count and fields; texts and data keep their ends and say what is missing; base64 is never cut but kept
 * whole in a file and linked to; `structuredContent` stays valid by `outputSchema`; `isError` keeps its value. The
 * whole is kept in the spool.
 *
 * Throws `BAD_LIMIT` for a limit that is none, and what `JSON.stringify` throws for what it can't write: a `TypeError`, or
 * a `RangeError` for thousands of levels.
 */
export async function boundResult<Result extends object>(
  result: Result,
  options: BoundResultOptions = {},
): Promise<Result> {
  const limit = limitOf(options.limit ?? DEFAULT_LIMIT);
  const json = JSON.stringify(result);
  const base64IsText = options.base64IsText ?? false;
  if ((await excessOf(json, result as HeldObject, limit, base64IsText)) <= 1) return result;
  const draft = await spoolOf(options)?.begin({ kind: 'tool', ...options.origin });
  const kept = await keep(await takeIn(Buffer.from(json), draft, windowsFor(limit)));
  const bounds: ResultOptions = {
    limit,
    readers: options.readers ?? HERE,
    links: options.links ?? true,
    base64IsText,
    joinBlocks: options.joinBlocks ?? false,
    schema: options.outputSchema === undefined ? undefined : await compileSchema(options.outputSchema),
  };
  return JSON.parse((await boundKept(kept, bounds)).json) as Result;
}

/** Whether a cut text has had room to tell where the whole is. */
function tellsOf(kept: Kept | NotKept, text: string): boolean {
  return 'reason' in kept || text.includes(kept.handle);
}

/** JSON that fits once it is written anew, with what is gone of it told. */
function rewritten(
  text: string,
  anew: string,
  kept: Kept | NotKept,
  readers: Readers,
): { text: string; gaps: readonly Gap[] } {
  const [of, chars] = [text.length, text.length - anew.length];
  const bytes = Buffer.byteLength(text) - Buffer.byteLength(anew);
  const gap: Gap = { unit: 'chars', from: 0, to: of, of, chars, bytes };
  return { text: withNotice(anew, rewrittenWords(gap, '1', kept, readers)), gaps: [gap] };
}

/** A text that is kept, and the parts with the files that stand as base64 in it, if it is JSON. */
interface KeptText {
  readonly kept: Kept | NotKept;
  partAt(pointer: string): string | undefined;
}

async function keepText(text: string, json: Held | undefined, options: BoundOptions): Promise<KeptText> {
  const files = new Map<string, string>();
  const partAt = (pointer: string) => files.get(pointer);
  const draft = await spoolOf(options)?.begin({ kind: 'text', ...options.origin });
  if (!draft) return { kept: { reason: 'keeping is switched off' }, partAt };
  const part = draft.part('1', '');
  part.write(encodeText(text));
  part.close({ kind: json === undefined ? 'text' : 'json' });
  if (json !== undefined) {
    const value = text.length <= MOST_PARSED ? (parseMarked(text) as Held) : json;
    new DataFiles(draft).keep(value, '', (at, name) => files.set(at, name));
  }
  return { kept: await draft.publish(), partAt };
}

let usersSpool: Spool | undefined;

/** The spool that was given, or the user's. */
function spoolOf({ spool }: BoundOptions): Spool | undefined {
  if (spool === false) return undefined;
  if (spool) return spool;
  usersSpool ??= openSpool(loadSettings(['spool'], { spool: {} }, process.cwd(), process.env).values.spool);
  return usersSpool;
}

const plainCost = (text: string) => text.length;

async function textExcess(text: string, { chars, bytes, tokens, lines }: Limit): Promise<number> {
  let excess = text.length / chars;
  if (bytes !== undefined) excess = Math.max(excess, Buffer.byteLength(text) / bytes);
  if (lines !== undefined) excess = Math.max(excess, text.split('\n').length / lines);
  if (tokens !== undefined && text.length * 3 > tokens && excess <= 1) {
    excess = Math.max(excess, (await measureOf('tokens'))(text) / tokens);
  }
  return excess;
}

function sumOf(gaps: readonly Gap[]): { chars: number; bytes: number; lines: number } {
  let [chars, bytes] = [0, 0];
  for (const gap of gaps) {
    chars += gap.chars;
    bytes += gap.bytes;
  }
  return { chars, bytes, lines: linesMissing(gaps) };
}
