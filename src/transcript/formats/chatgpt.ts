import { objectsOf } from '../read/json-document.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { branchOf, joined, listAt, objectAt, textAt, timeOf, valueAt } from './parts.ts';

/**
 * Conversations of ChatGPT: `conversations.json` of its export, or several of them (`conversations-000.json`), a list of
 * conversations. The messages of one are a tree in `mapping`, from id to node: whoever edits a message or asks for another
 * answer begins a branch. What was shown last is the branch that ends in `current_node`.
 */
export const chatgpt: Format = {
  name: 'ChatGPT',

  recognises: ({ keys }) => keys.has('mapping') && (keys.has('title') || keys.has('create_time')),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of objectsOf(source, tally)) {
      const mapping = objectAt(record, 'mapping');
      if (mapping) yield* turnsOf(record, mapping, line, tally);
      else tally.add('other', 'item', line);
    }
  },
};

function* turnsOf(record: JsonObject, mapping: JsonObject, line: number, tally: Tally): Generator<Turn> {
  const conversation = textAt(record, 'title') || textAt(record, 'conversation_id') || textAt(record, 'id');
  const branch = activeBranch(record, mapping);
  for (const id of [...branch].reverse()) {
    const message = objectAt(objectAt(mapping, id), 'message');
    const turn = message && turnIn(message, { line, conversation }, tally);
    if (turn) yield turn;
  }
  for (const id of Object.keys(mapping)) {
    if (!branch.has(id) && objectAt(objectAt(mapping, id), 'message'))
      tally.add('hidden', 'other branch', line);
  }
}

/** The nodes from the current one, or else the one that was added last, to the root. */
function activeBranch(record: JsonObject, mapping: JsonObject): Set<string> {
  const current = textAt(record, 'current_node') ?? '';
  const leaf = Object.hasOwn(mapping, current) ? current : Object.keys(mapping).at(-1);
  return branchOf(leaf ?? '', (id) => textAt(objectAt(mapping, id), 'parent'));
}

function turnIn(
  message: JsonObject,
  { line, conversation }: Pick<Turn, 'line' | 'conversation'>,
  tally: Tally,
): Turn | undefined {
  const author = textAt(objectAt(message, 'author'), 'role') ?? '';
  const recipient = textAt(message, 'recipient') ?? 'all';
  const content = objectAt(message, 'content');
  const type = textAt(content, 'content_type') ?? '';
  if (valueAt(objectAt(message, 'metadata'), 'is_visually_hidden_from_conversation') === true) {
    tally.add('hidden', author, line);
  } else if (author !== 'user' && author !== 'assistant') {
    tally.add('other', author, line);
  } else if (recipient !== 'all') {
    tally.add('other', `to ${recipient}`, line);
  } else if (type !== 'text' && type !== 'multimodal_text') {
    tally.add('other', type, line);
  } else {
    const parts = listAt(content, 'parts') ?? [];
    const others = parts.filter((part) => saidIn(part) === undefined);
    for (const part of others) tally.add('other', textAt(part, 'content_type') ?? 'part', line);
    const text = joined(parts.map(saidIn));
    const time = timeOf(message.create_time);
    const role = author === 'user' ? 'person' : 'assistant';
    if (text !== '') return { role, text, line, id: textAt(message, 'id'), time, conversation };
    if (others.length === 0) tally.add('empty', author, line);
  }
  return undefined;
}

/** A part is a text, or what was heard of a voice; images and sounds say nothing. */
function saidIn(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return textAt(part, 'content_type') === 'audio_transcription' ? textAt(part, 'text') : undefined;
}
