import { JsonError, type JsonEvents, JsonWalk } from '../../json/walk.ts';
import { isObject, parsed } from '../read/lines.ts';
import { headOf, type Source } from '../read/source.ts';
import { aider } from './aider.ts';
import { captions } from './captions.ts';
import { chatgpt } from './chatgpt.ts';
import { claudeAi } from './claude-ai.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotChat } from './copilot-chat.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursorExport } from './cursor.ts';
import { cursorAgent } from './cursor-agent.ts';
import type { Format, JsonObject, Sample } from './format.ts';
import { gemini } from './gemini.ts';
import { gptme } from './gptme.ts';
import { markdown } from './markdown.ts';
import { messages } from './messages.ts';
import { slack } from './slack.ts';
import { specstory } from './specstory.ts';

/** So much of a file is looked at, in bytes: its first records may hold pictures and whole files. */
const SAMPLE = 8 * 1024 * 1024;
const MOST_RECORDS = 500;

/** So much of it as text. */
const SAMPLE_TEXT = 256 * 1024;

/** Every format, the more particular ones first: the first that recognises a file is the file's. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  gemini,
  copilotChat,
  copilotCli,
  gptme,
  claudeAi,
  chatgpt,
  slack,
  messages,
  cursorExport,
  cursorAgent,
  specstory,
  aider,
  captions,
  markdown,
];

/** The format of a file, by what is in it. */
export async function formatOf(source: Source): Promise<Format | undefined> {
  const sample = sampleOf(await headOf(source, SAMPLE));
  return FORMATS.find((format) => format.recognises(sample));
}

/** What can be seen in the first bytes of a file. */
export function sampleOf(head: Buffer): Sample {
  const text = head.toString('utf8', 0, SAMPLE_TEXT);
  const isList = /^\s*\[/.test(text);
  return { text, records: recordsIn(head), keys: keysIn(head), isList };
}

function recordsIn(head: Buffer): JsonObject[] {
  const records: JsonObject[] = [];
  for (let at = 0; at < head.length && records.length < MOST_RECORDS; ) {
    const end = head.indexOf('\n', at);
    const line = head.toString('utf8', at, end < 0 ? head.length : end);
    at = end < 0 ? head.length : end + 1;
    if (line.trim() === '') continue;
    const record = parsed(line);
    if (!isObject(record)) break;
    records.push(record);
  }
  return records;
}

/** The keys of the first object of a JSON text, as far as it goes. */
function keysIn(head: Buffer): Set<string> {
  const keys = new Set<string>();
  let depth = 0;
  let isDone = false;
  const open = () => {
    depth++;
  };
  const events: JsonEvents = {
    openObject: open,
    openArray: (at) => (depth > 0 ? at.skip() : undefined),
    key: (key) => depth === 1 && !isDone && keys.add(key),
    closeObject: () => {
      depth--;
      isDone ||= depth === 0;
    },
    closeArray: () => {},
    value: () => {},
    openText: (at) => at.skip(),
    text: () => {},
    closeText: () => {},
  };
  try {
    new JsonWalk(events).write(head);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return keys;
}
