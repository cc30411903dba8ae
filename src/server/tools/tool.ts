import type { Limit } from '../../measure/limit.ts';
import { shortLine } from '../../memory/answers/frame.ts';
import { within } from '../../read/answer.ts';
import type { ArgumentsSchema } from '../../read/arguments.ts';
import type { Services } from '../services.ts';

/** What a tool gives. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: object;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One call of a tool, or the reading of a resource. */
export interface Call {
  /** The most that the whole result may take, as JSON. */
  readonly limit: Limit;
  /** What the client calls itself. */
  readonly client: string | undefined;
  readonly services: Services;
  readonly signal: AbortSignal;
  /** The folders that the client works in, absolute; undefined if it doesn't tell. Only for tools that ask for them. */
  readonly roots: readonly string[] | undefined;
  /** Tells the client, if it asked, what is being done. */
  readonly progress: (message: string) => void;
  /** Puts into the client's log what an answer lacks or may surprise by. */
  readonly warn: (message: string) => void;
}

/** What an answer's data is (JSON Schema). */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  /** Of a tool whose answer is data: see {@link dataWithin}. */
  readonly outputSchema?: OutputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Whether the client is asked for its roots before the call; or for which arguments, which aren't checked yet. */
  readonly asksForRoots?: true | ((args: Readonly<Record<string, unknown>>) => boolean);
  /** `args` are as `inputSchema` says. Throws a `PlimsollError` whose message tells the model what to do. */
  readonly run: (args: Readonly<Record<string, unknown>>, call: Call) => Promise<ToolResult>;
}

/** What is told of settings at most, in UTF-16 code units. */
const LONGEST_NOTE = 600;

const ENV_FILE = ' plimsoll serve --env-file FILE takes all of a file for the environment.';

/** The least room that the answers of memory work with, in UTF-16 code units. */
export const LEAST_ROOM = 500;

/** The least room that data works with, in UTF-16 code units: it may take many times that as JSON in a text. */
const LEAST_DATA = 250;

/** A text that fits a call's limit: `make` makes one of at most `room` UTF-16 code units. */
export function textWithin(
  { limit }: Pick<Call, 'limit'>,
  make: (room: number) => string | Promise<string>,
): Promise<ToolResult> {
  return within(limit, async (room) => ({
    content: [{ type: 'text' as const, text: await make(Math.max(LEAST_ROOM, room)) }],
  }));
}

/** As {@link textWithin}, of a job whose settings may not be as the user set them: then the answer begins with that. */
export function answerWithin(
  call: Pick<Call, 'limit' | 'services'>,
  job: keyof Services['settings']['warnings'],
  make: (room: number) => string,
): Promise<ToolResult> {
  const note = warningNote(call.services.settings.warnings[job]);
  const start = note === '' ? '' : `${note}\n\n`;
  return textWithin(call, (room) => start + make(Math.max(LEAST_ROOM, room - start.length)));
}

/** Data of a tool: `note` has what a model must know of it. */
export interface Data {
  readonly note: string;
}

/**
 * Data that fits a call's limit, as structured content and as its JSON in a text, since clients show a model the one or the
 * other. `make` makes data whose texts take at most `room` UTF-16 code units.
 */
export function dataWithin(
  { limit }: Pick<Call, 'limit'>,
  make: (room: number) => Data,
): Promise<ToolResult> {
  return within(limit, (room) => {
    const structuredContent = make(Math.max(LEAST_DATA, Math.floor(room / 2)));
    const text = JSON.stringify(structuredContent);
    return { content: [{ type: 'text' as const, text }], structuredContent };
  });
}

/** As {@link dataWithin}, of memory, whose settings may not be as the user set them: then the note begins with that. */
export function recalledWithin(
  call: Pick<Call, 'limit' | 'services'>,
  make: (room: number) => Data,
): Promise<ToolResult> {
  const note = warningNote(call.services.settings.warnings.memory);
  const start = note === '' ? '' : `${note} `;
  return dataWithin(call, (room) => {
    const data = make(Math.max(LEAST_DATA, room - start.length));
    return { ...data, note: start + data.note };
  });
}

/** What isn't as the user set it; empty if all is. */
export function warningNote(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  const advice = warnings.some((warning) => warning.includes('.env is not used')) ? ENV_FILE : '';
  return shortLine(`The user should know: ${warnings.join('; ')}.${advice}`, LONGEST_NOTE);
}
