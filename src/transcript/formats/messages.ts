import { objectsOf } from '../read/json-document.ts';
import { isObject, type LineRecord, parsed, recordsOf } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format } from './format.ts';
import { joined, listAt, textAt, textIn, timeOf, valueAt } from './parts.ts';

/** Files of JSON Lines whose first line is longer are read as a document, in bytes. */
const LONGEST_FIRST_LINE = 256 * 1024;

const ROLES = new Map<string, Role>([
  ['user', 'person'],
  ['human', 'person'],
  ['assistant', 'assistant'],
  ['gpt', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/** The lists in which a conversation has its messages. */
const LISTS = ['messages', 'conversations'] as const;

/** Can't be within a text, where quotes are escaped. */
const LIST_OF_MESSAGES = /"(?:messages|conversations)"\s*:\s*\[/;
const ROLE_OF_MESSAGE = new RegExp(`"(?:role|from)"\\s*:\\s*"(?:${[...ROLES.keys()].join('|')})"`);

/**
 * Messages as the interfaces of models take them, which many tools write down: a list of `{role, content}`, an object with
 * such a list in `messages`, or one of either in each line. OpenAI's and Anthropic's are read, what Cline and Roo Code keep
 * (`api_conversation_history.json`), and ShareGPT's `conversations` of `{from, value}`.
 */
export const messages: Format = {
  name: 'API messages',

  recognises({ text, records, keys, isList }) {
    if (!ROLE_OF_MESSAGE.test(text)) return false;
    if (LISTS.some((key) => keys.has(key))) return LIST_OF_MESSAGES.test(text) && !keys.has('sessionId');
    const isMessage = keys.has('role') && (keys.has('content') || keys.has('tool_calls'));
    return isMessage && (isList || (records.length > 0 && !keys.has('timestamp')));
  },

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of await valuesOf(source, tally)) {
      const list = LISTS.map((key) => listAt(record, key)).find((list) => list !== undefined);
      const conversation = list && (textAt(record, 'title') || textAt(record, 'id'));
      for (const message of list ?? [record]) {
        for (const turn of turnsOf(message, line, tally)) {
          yield conversation ? { ...turn, conversation } : turn;
        }
      }
    }
  },
};

/** The objects of a file that has one in each line, or is one document. */
async function valuesOf(source: Source, tally: Tally): Promise<AsyncIterable<LineRecord>> {
  const head = (await headOf(source, LONGEST_FIRST_LINE)).toString();
  const [first = ''] = head.trimStart().split('\n', 1);
  return isObject(parsed(first)) ? recordsOf(source, tally) : objectsOf(source, tally);
}

function* turnsOf(message: unknown, line: number, tally: Tally): Generator<Turn> {
  const name = textAt(message, 'role') ?? textAt(message, 'from') ?? '';
  const role = ROLES.get(name);
  if (role === undefined) {
    tally.add('unknown', name || 'no role', line);
    return;
  }
  if (role === 'system') {
    tally.add('injected', name, line);
    return;
  }
  if (valueAt(message, 'isSummary') === true || valueAt(message, 'isTruncationMarker') === true) {
    tally.add('injected', 'summary of a compaction', line);
    return;
  }
  const parts = partsOf(message, role);
  const time = timeOf(valueAt(message, 'ts'));
  const speaker = role === 'person' ? textAt(message, 'name') : undefined;
  for (const spoken of new Set<Role>([role, 'tool'])) {
    const text = joined(parts.filter((part) => part.role === spoken).map((part) => part.text));
    if (text !== '') yield { role: spoken, text, line, time, ...(spoken === role && speaker && { speaker }) };
  }
  for (const { leftOut } of parts) if (leftOut) tally.add(...leftOut, line);
  if (parts.every(({ text, leftOut }) => !text?.trim() && !leftOut)) tally.add('empty', name, line);
}

/** A piece of a message: what somebody said in it, or what is left out. */
interface Part {
  readonly role?: Role;
  readonly text?: string | undefined;
  readonly leftOut?: readonly ['injected' | 'other', string];
}

function partsOf(message: unknown, role: Role): Part[] {
  const content = valueAt(message, 'content') ?? valueAt(message, 'value');
  const blocks = Array.isArray(content) ? content : [content];
  const parts = isOfClient(blocks) && role === 'person' ? partsOfClient(blocks) : blocks.map(partOf(role));
  const calls = listAt(message, 'tool_calls') ?? [];
  return [...parts, ...calls.map((): Part => ({ leftOut: ['other', 'tool call'] }))];
}

const TEXTS = new Set(['text', 'input_text', 'output_text']);

function partOf(role: Role): (block: unknown) => Part {
  return (block) => {
    if (typeof block === 'string') return { role, text: block };
    if (!isObject(block)) return {};
    const type = textAt(block, 'type') ?? '';
    if (TEXTS.has(type)) return { role, text: textAt(block, 'text') };
    if (type === 'tool_result') return { role: 'tool', text: textIn(valueAt(block, 'content')) };
    return { leftOut: ['other', type] };
  };
}

const TASK = /^\s*<task>/;
const ENVIRONMENT = /^\s*<environment_details>/;
/** Above what a tool gave: `[read_file for 'notes.md'] Result:`. */
const RESULT = /^\[([a-z]+(?:_[a-z]+)+|[a-z]+(?=\] Result:\n))(?: (?:for|in) [\s\S]*?)?\] Result:/;
/** These tools give what a person said. */
const ASKING = new Set(['ask_followup_question', 'attempt_completion', 'plan_mode_respond']);
/** Before the tags only words of the client stand, one of which names a tag. */
const WORDS = /^(?:[^<]|<response>)*<(task|feedback|answer|user_message)>([\s\S]*?)<\/\1>/;

/** Whether Cline or Roo Code put a user's message together. */
function isOfClient(blocks: readonly unknown[]): boolean {
  return blocks.some((block) => {
    const text = textAt(block, 'text') ?? '';
    return [TASK, ENVIRONMENT, RESULT].some((mark) => mark.test(text));
  });
}

/** In such a message a person's words are between tags; below the heading of a tool's result everything is the tool's. */
function partsOfClient(blocks: readonly unknown[]): Part[] {
  let role: Role = 'person';
  return blocks.map((block): Part => {
    const text = textAt(block, 'text');
    if (text === undefined) return partOf(role)(block);
    if (ENVIRONMENT.test(text)) return { leftOut: ['injected', 'environment'] };
    const [heading = '', tool = ''] = RESULT.exec(text) ?? [];
    if (heading !== '') role = ASKING.has(tool) ? 'person' : 'tool';
    const rest = text.slice(heading.length);
    if (role === 'tool' || rest.trim() === '') return { role, text: rest };
    const words = WORDS.exec(rest)?.[2];
    return words === undefined ? { leftOut: ['injected', 'text of the client'] } : { role, text: words };
  });
}
