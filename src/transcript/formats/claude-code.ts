import { recordsOf } from '../read/lines.ts';
import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Role, Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, objectAt, textAt, textIn, timeOf, valueAt, withoutElements } from './parts.ts';

/** What Claude Code writes into a user's turn by itself. */
const INJECTED =
  /^(?:This session is being continued|\[Request interrupted|\[SYSTEM NOTIFICATION|<command-(?:name|message)>|<local-command-|<bash-(?:input|stdout|stderr)>|<task-notification>|Stop hook feedback:|Caveat: The messages below)/;
/** It puts these beside what the user wrote. */
const CONTEXTS = ['system-reminder', 'ide_opened_file', 'ide_selection', 'ide_diagnostics'];
/** What is said to be the model of answers that Claude Code makes up, as when the network fails. */
const NO_MODEL = '<synthetic>';

/**
 * Sessions of Claude Code: JSON Lines in `~/.claude/projects/FOLDER/SESSION.jsonl`, one record a line; or what it prints
 * with `--output-format stream-json`. A turn of the assistant is split over several of them. Compacting, resuming and
 * forking write records again, under the same `uuid`.
 */
export const claudeCode: Format = {
  name: 'Claude Code',

  recognises: ({ records }) => records.some(isRecord),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    for await (const { line, record } of recordsOf(source, tally)) {
      const type = textAt(record, 'type') || 'no type';
      const queued = queuedIn(record, type);
      if (queued !== undefined) yield* turnsOf(record, 'user', queued, line, tally);
      else if (type !== 'user' && type !== 'assistant') tally.add('other', type, line);
      else {
        const content = valueAt(objectAt(record, 'message'), 'content');
        const injected = injectedIn(record);
        if (injected === undefined) yield* turnsOf(record, type, content, line, tally);
        else tally.add('injected', injected, line);
      }
    }
  },
};

function isRecord(record: JsonObject): boolean {
  const type = textAt(record, 'type');
  if (type === 'summary') return 'leafUuid' in record;
  if (type === undefined) return false;
  const isOfSession = textAt(record, 'sessionId') !== undefined && 'uuid' in record;
  const message = type === 'user' || type === 'assistant' ? objectAt(record, 'message') : undefined;
  return isOfSession || valueAt(message, 'content') !== undefined;
}

/** What the user wrote while the assistant was at work, and what took it in before its turn ended. */
function queuedIn(record: JsonObject, type: string): unknown {
  const attachment = type === 'attachment' ? objectAt(record, 'attachment') : undefined;
  if (textAt(attachment, 'type') !== 'queued_command') return undefined;
  const isTyped = (textAt(attachment, 'commandMode') ?? 'prompt') === 'prompt' && isHuman(attachment);
  return isTyped ? valueAt(attachment, 'prompt') : undefined;
}

/** What a record is that Claude Code made up; `undefined` for others. */
function injectedIn(record: JsonObject): string | undefined {
  if (record.isCompactSummary === true) return 'summary of a compaction';
  if (record.isMeta === true || record.isVisibleInTranscriptOnly === true) return 'note of the client';
  if (textAt(objectAt(record, 'message'), 'model') === NO_MODEL) return 'answer of the client';
  return isHuman(record) ? undefined : 'text of the client';
}

/** Newer versions tell where a user's record comes from. */
function isHuman(record: JsonObject | undefined): boolean {
  return (textAt(objectAt(record, 'origin'), 'kind') ?? 'human') === 'human';
}

function* turnsOf(
  record: JsonObject,
  type: 'user' | 'assistant',
  content: unknown,
  line: number,
  tally: Tally,
): Generator<Turn> {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const time = timeOf(record.timestamp);
  const id = textAt(record, 'uuid');
  const said: string[] = [];
  const told: string[] = [];
  let isEmpty = true;
  for (const block of blocks) {
    const kind = kindOf(block);
    if (kind === 'text') said.push(textIn(block));
    else if (kind === 'tool_result') told.push(textIn(valueAt(block, 'content')));
    else if (kind !== undefined) {
      isEmpty = false;
      tally.add('other', kind, line);
    }
  }
  const written = said.filter((text) => text !== '');
  const texts = type === 'user' ? written.map(typedIn) : written;
  if (joined(texts) !== joined(written)) tally.add('injected', 'text of the client', line);
  const role: Role = type === 'user' && !isSidechain(record) ? 'person' : 'assistant';
  const turns: Turn[] = [
    { role, text: joined(texts), line, id, time },
    { role: 'tool', text: joined(told), line, id: id && `${id} tool`, time },
  ];
  yield* turns.filter(({ text }) => text !== '');
  if (isEmpty && joined([...written, ...told]) === '') tally.add('empty', type, line);
}

/** The type of a block of content; a text alone is one. */
function kindOf(block: unknown): string | undefined {
  return typeof block === 'string' ? 'text' : textAt(block, 'type');
}

/** What of a text the user of Claude Code typed. */
export function typedIn(text: string): string {
  const rest = withoutElements(text, CONTEXTS).trim();
  return INJECTED.test(rest) ? '' : rest;
}

/** What an agent of the assistant is told to do is the assistant's own. */
function isSidechain(record: JsonObject): boolean {
  return record.isSidechain === true || textAt(record, 'parent_tool_use_id') !== undefined;
}
