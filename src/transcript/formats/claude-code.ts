import { recordsOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, timeOf, valueAt } from './parts.ts';

const NAME = 'Claude Code';

/** What Claude Code writes into a user's turn by itself. */
const INJECTED =
  /^(?:This session is being continued|\[Request interrupted|<command-(?:name|message)>|<local-command-|<task-notification>|Stop hook feedback:|Caveat: The messages below)/;
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/**
 * Sessions of Claude Code: JSON Lines in `~/.claude/projects/FOLDER/SESSION.jsonl`, one record a line. A turn of the
 * assistant is split over several of them. Compacting, resuming and forking write records again, under the same `uuid`.
 */
export const claudeCode: Format = {
  name: NAME,

  recognises: ({ records }) =>
    records.some(
      (record) =>
        (textAt(record, 'sessionId') !== undefined &&
          textAt(record, 'type') !== undefined &&
          'uuid' in record) ||
        (record.type === 'summary' && 'leafUuid' in record),
    ),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of recordsOf(source, tally)) {
      const type = textAt(record, 'type') ?? '';
      if (type !== 'user' && type !== 'assistant') tally.add('other', type, line);
      else if (record.isMeta === true) tally.add('injected', 'note of the client', line);
      else if (record.isCompactSummary === true) tally.add('injected', 'summary of a compaction', line);
      else yield* turnsOf(record, type, line, tally);
    }
  },
};

function* turnsOf(
  record: JsonObject,
  type: 'user' | 'assistant',
  line: number,
  tally: Tally,
): Generator<Turn> {
  const content = valueAt(objectAt(record, 'message'), 'content');
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [];
  const time = timeOf(record.timestamp);
  const id = textAt(record, 'uuid');
  const said = joined(
    blocks.map((block) => (textAt(block, 'type') === 'text' ? textAt(block, 'text') : undefined)),
  );
  const told = joined(blocks.map(resultIn));
  let isEmpty = true;
  const turn = (role: Role, text: string): Turn => {
    isEmpty = false;
    return { role, text, line, id: role === 'tool' ? id && `${id} tool` : id, time };
  };
  const text = type === 'user' ? said.replace(REMINDER, '').trim() : said;
  if (text !== said) tally.add('injected', 'system reminder', line);
  if (INJECTED.test(text) && type === 'user') tally.add('injected', 'text of the client', line);
  else if (text !== '')
    yield turn(isSidechain(record) || type === 'assistant' ? 'assistant' : 'person', text);
  if (told !== '') yield turn('tool', told);
  for (const block of blocks) {
    const kind = textAt(block, 'type') ?? '';
    if (kind !== 'text' && kind !== 'tool_result') tally.add('other', kind, line);
  }
  if (isEmpty && blocks.length === 0) tally.add('empty', type, line);
}

/** What an agent of the assistant is told to do is the assistant's own. */
const isSidechain = (record: JsonObject) => record.isSidechain === true;

function resultIn(block: unknown): string | undefined {
  if (textAt(block, 'type') !== 'tool_result') return undefined;
  return (
    textAt(block, 'content') ?? joined((listAt(block, 'content') ?? []).map((part) => textAt(part, 'text')))
  );
}
