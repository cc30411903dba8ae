import { recordsOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { listAt, textAt, textIn, timeOf, valueAt, withoutElements } from './parts.ts';

const ROLES = new Set(['system', 'user', 'assistant']);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const THINKING = ['think', 'thinking'];

/**
 * Conversations of gptme: JSON Lines in `LOGS/CONVERSATION/conversation.jsonl`, each `{role, content, timestamp}`; times
 * are local ones. Its system messages are prompts until somebody has said something, and what tools gave from then on.
 */
export const gptme: Format = {
  name: 'gptme',

  recognises({ records: [first] }) {
    const content = valueAt(first, 'content');
    return (
      ROLES.has(textAt(first, 'role') ?? '') &&
      (typeof content === 'string' || Array.isArray(content)) &&
      ISO_TIME.test(textAt(first, 'timestamp') ?? '') &&
      textAt(first, 'type') === undefined
    );
  },

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    let hasBegun = false;
    for await (const { line, record } of recordsOf(source, tally)) {
      const name = textAt(record, 'role') ?? '';
      if (!ROLES.has(name)) tally.add('unknown', name || 'no role', line);
      else if (name === 'system' && (!hasBegun || isOfClient(record))) tally.add('injected', name, line);
      else if (record.hide === true) tally.add('hidden', name, line);
      else {
        hasBegun = true;
        for (const _ of listAt(record, 'files') ?? []) tally.add('other', 'file', line);
        const role: Role = name === 'user' ? 'person' : name === 'assistant' ? 'assistant' : 'tool';
        const content = textIn(record.content);
        const text = role === 'assistant' ? withoutElements(content, THINKING).trim() : content;
        if (text !== content) tally.add('other', 'thinking', line);
        if (text !== '') yield { role, text, line, time: timeOf(record.timestamp) };
        else if (content === '') tally.add('empty', name, line);
      }
    }
  },
};

/** What is always shown to the model, or never to the user, no tool gave. */
function isOfClient(record: JsonObject): boolean {
  return record.pinned === true || record.hide === true;
}
