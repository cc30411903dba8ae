import { excessOf } from '../bound/result/measure.ts';
import type { Held } from '../json/held.ts';
import type { Limit } from '../measure/limit.ts';
import { fitted } from './room.ts';

/** The room that is always enough to show something. */
const LEAST_ROOM = 250;

/** About what an answer takes besides what it shows. */
const WRAPPING = 600;

/** Where a page's facts stand in `_meta`. */
export const PAGE_KEY = 'dev.plimsoll/page';

/** What a page shows, `to` not included, and where it goes on; more for some tools. */
export interface PageFacts {
  readonly handle?: string;
  readonly part?: string;
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly next?: number | undefined;
}

/** The result of a tool call, as MCP has it. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
  readonly _meta?: { readonly [PAGE_KEY]: PageFacts };
}

/** The answer with the most room that is within the limit; `make` makes one whose text takes at most `room`. */
export async function within<Result extends object>(
  limit: Limit,
  make: (room: number) => Result | Promise<Result>,
): Promise<Result> {
  let room = Math.max(LEAST_ROOM, limit.chars - WRAPPING);
  for (;;) {
    const answer = await make(room);
    const json = JSON.stringify(answer);
    const over = json.length - limit.chars;
    const excess = await excessOf(json, answer as Held, limit);
    if (excess <= 1 || room <= LEAST_ROOM) return answer;
    room = Math.max(LEAST_ROOM, over > 0 ? room - over : 0, Math.floor((room / excess) * 0.95));
  }
}

export function page(head: string, text: string, facts: PageFacts): ToolResult {
  return {
    content: [{ type: 'text', text: text === '' ? head : `${head}\n${text}` }],
    _meta: { [PAGE_KEY]: facts },
  };
}

/** A range whose end isn't included as it is told to readers, with both ends included. */
export function rangeText(from: number, to: number): string {
  return from === to ? 'none' : `${from}–${to - 1}`;
}

/** An error in one line. */
export function failure(message: string, limit: Limit): Promise<ToolResult> {
  return within(limit, (room) => ({
    content: [{ type: 'text', text: fitted(message, room) }],
    isError: true,
  }));
}
