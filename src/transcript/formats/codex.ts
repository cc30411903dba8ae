import { parsed, recordsOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, textIn, timeOf, valueAt } from './parts.ts';

const RECORDS = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);

/** Events that tell once more what a response item says. */
const ECHOES = new Set(['user_message', 'agent_message']);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output']);
/** The tool with which the assistant asks the user. */
const ASKING = 'request_user_input';

/** What Codex writes into a user's turn by itself. */
const INJECTED =
  /^\s*(?:# AGENTS\.md\b|<(?:environment_context|INSTRUCTIONS|user_instructions|recommended_plugins|skill|turn_aborted|user_shell_command|subagent_notification)>|Another language model started to solve this problem)/i;
/** What an editor puts above a user's request. */
const CONTEXT =
  /^\s*(?:# (?:Context from my IDE setup|Files mentioned by the user):[\s\S]*?\n)?## My request for Codex:\s*/;
const IMAGE_TAG = /^\s*<\/?image\b[^>]*>\s*$/;

/** Items, which stood alone before they were put into records. */
const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'local_shell_call',
  'custom_tool_call',
  ...OUTPUTS,
]);

/**
 * Sessions of Codex: JSON Lines in `~/.codex/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, also packed (`.zst`), each
 * `{timestamp, type, payload}`. What was said is in records of the type `response_item`; events repeat it. Until September
 * 2025 a line was what `payload` is now, and only the first one, `{id, timestamp, instructions}`, has a time.
 */
export const codex: Format = {
  name: 'Codex',

  recognises: ({ records: [first, ...others] }) => isHeader(first) || [first, ...others].some(isRecord),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const session = new Session(tally);
    for await (const { line, record } of recordsOf(source, tally)) yield* session.turnsOf(record, line);
  },
};

function isRecord(record: JsonObject | undefined): boolean {
  return RECORDS.has(textAt(record, 'type') ?? '') && objectAt(record, 'payload') !== undefined;
}

function isHeader(record: JsonObject | undefined): boolean {
  const isNamed = textAt(record, 'id') !== undefined && textAt(record, 'timestamp') !== undefined;
  return isNamed && valueAt(record, 'instructions') !== undefined;
}

class Session {
  readonly #tally: Tally;
  /** What the first line tells, if others have no time. */
  #header: JsonObject | undefined;
  /** The calls with which the assistant asks the user something. */
  readonly #questions = new Set<string>();
  /** What an agent of the assistant is told to do is the assistant's own. */
  #userRole: Role | undefined;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  *turnsOf(record: JsonObject, line: number): Generator<Turn> {
    const type = textAt(record, 'type') || 'no type';
    const payload = objectAt(record, 'payload');
    const kind = textAt(payload, 'type') ?? (textAt(payload, 'role') === undefined ? 'no type' : 'message');
    if (payload && type === 'response_item') {
      const turn = this.#turnOf(payload, kind, line);
      if (turn) yield { ...turn, line, time: timeOf(record.timestamp) };
    } else if (!payload && ITEMS.has(type)) {
      const turn = this.#turnOf(record, type, line);
      const id = this.#header && `${textAt(this.#header, 'id')} ${line}`;
      if (turn) yield { ...turn, line, id, time: timeOf(this.#header?.timestamp) };
    } else if (type === 'event_msg') {
      this.#tally.add(ECHOES.has(kind) ? 'copy' : 'other', kind, line);
    } else {
      if (isHeader(record)) this.#header ??= record;
      if (type === 'session_meta') this.#userRole ??= isAgents(payload) ? 'assistant' : 'person';
      this.#tally.add('other', type, line);
    }
  }

  #turnOf(item: JsonObject, kind: string, line: number): Omit<Turn, 'line'> | undefined {
    if (kind === 'message') return this.#messageOf(item, line);
    const call = textAt(item, 'call_id');
    if (OUTPUTS.has(kind)) return this.#outputOf(item, call, kind, line);
    if (call !== undefined && textAt(item, 'name') === ASKING) this.#questions.add(call);
    this.#tally.add('other', kind, line);
    return undefined;
  }

  #messageOf(item: JsonObject, line: number): Omit<Turn, 'line'> | undefined {
    const role = textAt(item, 'role') ?? '';
    if (role !== 'user' && role !== 'assistant') {
      this.#tally.add(role === 'developer' || role === 'system' ? 'injected' : 'unknown', role, line);
      return undefined;
    }
    const blocks = listAt(item, 'content') ?? [];
    const said: string[] = [];
    for (const block of blocks) {
      const leftOut = leftOutIn(block, role);
      if (leftOut) this.#tally.add(...leftOut, line);
      else said.push(textAt(block, 'text') ?? '');
    }
    const written = joined(said);
    const text = role === 'user' ? written.replace(CONTEXT, '') : written;
    if (text !== written) this.#tally.add('injected', 'context of the editor', line);
    else if (text === '' && said.length === blocks.length) this.#tally.add('empty', role, line);
    if (text === '') return undefined;
    return { role: role === 'user' ? (this.#userRole ?? 'person') : role, text, id: textAt(item, 'id') };
  }

  #outputOf(
    item: JsonObject,
    call: string | undefined,
    kind: string,
    line: number,
  ): Omit<Turn, 'line'> | undefined {
    const answers = call !== undefined && this.#questions.delete(call) ? answersIn(item) : '';
    const text = answers || toldIn(item);
    if (text === '') this.#tally.add('empty', kind, line);
    return text === '' ? undefined : { role: answers === '' ? 'tool' : 'person', text, id: call };
  }
}

/** Why a block is nothing that was said. */
function leftOutIn(block: unknown, role: string): ['other' | 'injected', string] | undefined {
  const text = textAt(block, 'text');
  if (text === undefined) return ['other', textAt(block, 'type') ?? 'block'];
  if (role !== 'user') return undefined;
  if (IMAGE_TAG.test(text)) return ['other', 'name of an image'];
  return INJECTED.test(text) ? ['injected', 'text of the client'] : undefined;
}

function isAgents(meta: JsonObject | undefined): boolean {
  const isSpawned = valueAt(objectAt(meta, 'source'), 'subagent') !== undefined;
  return isSpawned || textAt(meta, 'thread_source') === 'subagent';
}

/** An output is a text, a list of blocks, or JSON that has the text in `output`. */
function toldIn(item: JsonObject): string {
  const output = valueAt(item, 'output');
  const text = typeof output === 'string' ? textAt(parsed(output), 'output') : textAt(output, 'content');
  return textIn(text ?? output);
}

/** What a user answered: `{answers: {QUESTION: {answers: […]}}}`. */
function answersIn(item: JsonObject): string {
  const answers = objectAt(parsed(textAt(item, 'output') ?? ''), 'answers') ?? {};
  return joined(Object.values(answers).map((answer) => textIn(listAt(answer, 'answers') ?? [])));
}
