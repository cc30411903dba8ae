import { recordsOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, timeOf, valueAt } from './parts.ts';

const EVENT = /^(?:session|user|assistant|tool)\.[a-z_]+$/;

/** What the client writes into a user's message by itself. */
const INJECTED = /^\s*<(?:system[_-]reminder|system[_-]notification|skill-context|reminder)\b/;

/**
 * Sessions of the Copilot CLI: JSON Lines in `~/.copilot/session-state/SESSION/events.jsonl`, each an event
 * `{id, timestamp, type, data}`. A user's message is in `content` as it was typed, and in `transformedContent` as the model
 * got it; `source` tells of those that no user typed.
 */
export const copilotCli: Format = {
  name: 'Copilot CLI',

  recognises: ({ records: [first] }) =>
    EVENT.test(textAt(first, 'type') ?? '') && objectAt(first, 'data') !== undefined,

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of recordsOf(source, tally)) {
      const spoken = spokenIn(record, line, tally);
      if (spoken) yield { ...spoken, line, id: textAt(record, 'id'), time: timeOf(record.timestamp) };
    }
  },
};

type Spoken = Pick<Turn, 'role' | 'text'>;

function spokenIn(event: JsonObject, line: number, tally: Tally): Spoken | undefined {
  const type = textAt(event, 'type') ?? '';
  const data = objectAt(event, 'data');
  const spoken = SPEAKING.get(type)?.(event, data);
  if (!spoken) {
    tally.add('other', type, line);
    return undefined;
  }
  const others = othersIn(data);
  for (const other of others) tally.add('other', other, line);
  if (spoken.role === 'system') tally.add('injected', 'text of the client', line);
  else if (spoken.text !== '') return spoken;
  else if (others.length === 0) tally.add('empty', type, line);
  return undefined;
}

/** The events in which something is said. */
const SPEAKING = new Map<string, (event: JsonObject, data: JsonObject | undefined) => Spoken>([
  ['user.message', messageOf],
  ['assistant.message', (_, data) => ({ role: 'assistant', text: joined([textAt(data, 'content')]) })],
  ['tool.execution_complete', (_, data) => ({ role: 'tool', text: resultIn(data) })],
]);

function messageOf(event: JsonObject, data: JsonObject | undefined): Spoken {
  const text = joined([textAt(data, 'content')]);
  const isTyped = (textAt(data, 'source') ?? 'user') === 'user' && !INJECTED.test(text);
  if (!isTyped) return { role: 'system', text };
  // What an agent of the assistant is told to do is the assistant's own.
  const isAgents = textAt(event, 'agentId') ?? textAt(data, 'parentToolCallId');
  return { role: isAgents === undefined ? 'person' : 'assistant', text };
}

function resultIn(data: JsonObject | undefined): string {
  const result = valueAt(data, 'result');
  if (typeof result === 'string') return joined([result]);
  return joined([textAt(result, 'content') ?? textAt(objectAt(data, 'error'), 'message')]);
}

function othersIn(data: JsonObject | undefined): string[] {
  return [
    ...(listAt(data, 'attachments') ?? []).map(() => 'attachment'),
    ...(listAt(data, 'toolRequests') ?? []).map(() => 'tool request'),
    ...(textAt(data, 'reasoningText') ? ['reasoning'] : []),
  ];
}
