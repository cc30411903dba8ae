import { objectsOf } from '../read/json-document.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { branchOf, joined, listAt, textAt, textIn, timeOf, valueAt } from './parts.ts';

/**
 * Conversations of Claude.ai: `conversations.json` of its export, a list of conversations with their messages in
 * `chat_messages`; or one such conversation as its API gives it, where messages have their text in `content` alone and
 * those that were edited or answered anew are in it too.
 */
export const claudeAi: Format = {
  name: 'Claude.ai',

  recognises: ({ keys }) => keys.has('chat_messages'),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of objectsOf(source, tally)) {
      const messages = listAt(record, 'chat_messages');
      if (messages) yield* turnsOf(record, messages, line, tally);
      else tally.add('other', 'item', line);
    }
  },
};

function* turnsOf(
  record: JsonObject,
  messages: readonly unknown[],
  line: number,
  tally: Tally,
): Generator<Turn> {
  const conversation = textAt(record, 'name') || textAt(record, 'uuid');
  const branch = activeBranch(record, messages);
  for (const message of messages) {
    if (branch && !branch.has(textAt(message, 'uuid') ?? '')) tally.add('hidden', 'other branch', line);
    else yield* turnsIn(message, { line, conversation }, tally);
  }
}

/** The messages up to the one that was shown last, if the conversation tells which that is. */
function activeBranch(record: JsonObject, messages: readonly unknown[]): Set<string> | undefined {
  const leaf = textAt(record, 'current_leaf_message_uuid') ?? '';
  const parents = new Map(
    messages.map((message) => [textAt(message, 'uuid'), textAt(message, 'parent_message_uuid')]),
  );
  return parents.get(leaf) === undefined ? undefined : branchOf(leaf, (id) => parents.get(id));
}

function* turnsIn(
  message: unknown,
  { line, conversation }: Pick<Turn, 'line' | 'conversation'>,
  tally: Tally,
): Generator<Turn> {
  const sender = textAt(message, 'sender') ?? '';
  if (sender !== 'human' && sender !== 'assistant') {
    tally.add('unknown', sender, line);
    return;
  }
  const content = listAt(message, 'content') ?? [];
  const blocks = content.length > 0 ? content : [{ type: 'text', text: textAt(message, 'text') }];
  const id = textAt(message, 'uuid');
  const time = timeOf(valueAt(message, 'created_at'));
  const said: (string | undefined)[] = [];
  const told: string[] = [];
  const others: string[] = [];
  for (const block of blocks) {
    const type = textAt(block, 'type') ?? '';
    if (type === 'text' || type === 'voice_note') said.push(textAt(block, 'text'));
    else if (type === 'tool_result') told.push(textIn(valueAt(block, 'content')));
    else others.push(type);
  }
  others.push(...(listAt(message, 'attachments') ?? []).map(() => 'attachment'));
  others.push(...(listAt(message, 'files') ?? []).map(() => 'file'));
  const role: Role = sender === 'human' ? 'person' : 'assistant';
  const turns: Turn[] = [
    { role, text: joined(said), line, id, time, conversation },
    { role: 'tool', text: joined(told), line, id: id && `${id} tool`, time, conversation },
  ];
  const spoken = turns.filter(({ text }) => text !== '');
  yield* spoken;
  for (const other of others) tally.add('other', other, line);
  if (spoken.length + others.length === 0) tally.add('empty', sender, line);
}
