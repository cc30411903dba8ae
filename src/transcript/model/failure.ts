import { type ErrorCode, PlimsollError } from '../../errors.ts';
import { withoutCredentials } from '../../text/credentials.ts';
import { visibleName } from '../../text/visible.ts';
import { valueAt } from '../formats/parts.ts';
import { parsed } from '../read/lines.ts';
import type { Whole } from './server.ts';

/** How much of what a server says is told, in characters. */
const MOST_WORDS = 300;

/** How many models are named. */
const MOST_NAMES = 12;

const OUT_OF_MEMORY =
  /out of (?:device )?memory|outofmemory|requires more system memory|(?:not enough|insufficient) memory|failed to allocate|allocation failed|malloc failed/i;

const TOO_LONG =
  /longer than the context|exceeds? the (?:available )?context|exceed_context_size|context_length_exceeded|maximum context length|exceed context window|greater than the context length/i;

const NOT_THERE = /not found|not exist|no such/i;

/** What went wrong, and what to do, of a model that is asked for. */
export function failure(code: ErrorCode, message: string, cause?: unknown): PlimsollError {
  return new PlimsollError(code, message, { cause });
}

/** What a server says of a failure: short, on one line, without anything that could deceive. */
export function wordsOf(body: unknown): string {
  const value = typeof body === 'string' ? (parsed(body) ?? body) : body;
  const error = valueAt(value, 'error') ?? value;
  const words = [error, valueAt(error, 'message'), valueAt(error, 'detail')].find(
    (one) => typeof one === 'string' && !one.trimStart().startsWith('<'),
  ) as string | undefined;
  const line = (words ?? '').replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return visibleName(withoutCredentials(line).slice(0, MOST_WORDS));
}

/** Whether an answer says that there is no such model, and not that there is no such path. */
export function isNotThere({ status, body }: Whole): boolean {
  return status === 404 && NOT_THERE.test(wordsOf(body)) && /model/i.test(wordsOf(body));
}

/** The failure that an answer with an error is, by its status and the server's words. */
export function failureOf({ status, body }: Whole, model: string, address: string): PlimsollError {
  const words = wordsOf(body);
  const said = words === '' ? `status ${status}` : words;
  if (OUT_OF_MEMORY.test(words)) {
    return failure(
      'MODEL_OUT_OF_MEMORY',
      `There is not enough memory for ${model} (${said}): take a smaller model or a smaller window, or end what else uses memory.`,
    );
  }
  if (TOO_LONG.test(JSON.stringify(body) ?? '')) {
    return failure(
      'MODEL_PROMPT_TOO_LONG',
      `The prompt is too long for ${model} (${said}): ask for a larger window, or less at once.`,
    );
  }
  if (status === 429 || status === 503) {
    return failure('MODEL_BUSY', `${address} is busy, or still loads ${model} (${said}): try again later.`);
  }
  return failure('MODEL_REFUSED', `${address} did not let ${model} answer: ${said}.`);
}

/** Whether a status is of any server, and tells nothing about whether it is one of the right kind. */
export function isOfAnyServer(status: number): boolean {
  return [401, 403, 429, 503].includes(status);
}

/** Names in a line, the first ones if there are many. */
export function namesIn(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map(visibleName).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
