import { dirname, join } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { objectsOf } from '../read/json-document.ts';
import { headOf, openSource, type Source } from '../read/source.ts';
import { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';
import type { Format, JsonObject } from './format.ts';
import { joined, listAt, objectAt, textAt, timeOf } from './parts.ts';

/** No more is read of a list of users, in bytes. */
const MOST_OF_USERS = 32 * 1024 * 1024;

/** Messages that somebody wrote; others tell what happened in the channel. */
const WRITTEN = new Set(['', 'bot_message', 'file_share', 'me_message', 'thread_broadcast']);

/**
 * One day in a channel, of an export of Slack: `CHANNEL/YYYY-MM-DD.json`, a list of messages in the order of their times,
 * replies in threads among them. People go by ids there; their names are in `users.json`, next to the channels' folders.
 */
export const slack: Format = {
  name: 'Slack',

  recognises: ({ keys, isList, text }) =>
    isList && keys.has('type') && keys.has('ts') && !keys.has('role') && /"ts"\s*:\s*"\d+\.\d+"/.test(text),

  async *turns(source: Source, tally: Tally): AsyncGenerator<Turn> {
    const names = await namesNear(source.path);
    for await (const { line, record } of objectsOf(source, tally)) {
      const turn = turnOf(record, names, line, tally);
      if (turn) yield turn;
    }
  },
};

type Names = ReadonlyMap<string, string>;

function turnOf(record: JsonObject, names: Names, line: number, tally: Tally): Turn | undefined {
  const type = textAt(record, 'type') ?? '';
  const subtype = textAt(record, 'subtype') ?? '';
  if (record.hidden === true) {
    tally.add('hidden', subtype, line);
    return undefined;
  }
  if (type !== 'message' || !WRITTEN.has(subtype)) {
    tally.add('other', subtype || type, line);
    return undefined;
  }
  const others = ['files', 'attachments'].flatMap((kind) => (listAt(record, kind) ?? []).map(() => kind));
  for (const kind of others) tally.add('other', kind, line);
  const text = joined([plain(textAt(record, 'text') ?? '', names)]);
  if (text === '') {
    if (others.length === 0) tally.add('empty', type, line);
    return undefined;
  }
  const ts = textAt(record, 'ts') || undefined;
  const role = isOfBot(record) ? 'assistant' : 'person';
  return { role, text, line, id: ts, time: timeOf(Number(ts)), speaker: speakerOf(record, names) };
}

function isOfBot(record: JsonObject): boolean {
  return (
    textAt(record, 'bot_id') !== undefined ||
    textAt(record, 'subtype') === 'bot_message' ||
    textAt(record, 'user') === 'USLACKBOT'
  );
}

function speakerOf(record: JsonObject, names: Names): string | undefined {
  const user = textAt(record, 'user');
  const ownName = textAt(record, 'username') || textAt(objectAt(record, 'bot_profile'), 'name');
  if (isOfBot(record) && ownName) return ownName;
  return (
    nameIn(objectAt(record, 'user_profile')) ||
    (user && names.get(user)) ||
    ownName ||
    user ||
    textAt(record, 'bot_id')
  );
}

/** The name that Slack shows. */
function nameIn(profile: JsonObject | undefined): string | undefined {
  return textAt(profile, 'display_name') || textAt(profile, 'real_name') || textAt(profile, 'name');
}

/** The names of `users.json` two folders up from a day's file, as an export has it, or beside the file. */
async function namesNear(path: string): Promise<Names> {
  const folder = dirname(path);
  const users =
    (await opened(join(folder, '..', 'users.json'))) ?? (await opened(join(folder, 'users.json')));
  const names = new Map<string, string>();
  if (!users) return names;
  const head = await headOf(users, MOST_OF_USERS);
  const source: Source = {
    path: users.path,
    async *chunks() {
      yield head;
    },
  };
  for await (const { record } of objectsOf(source, new Tally())) {
    const id = textAt(record, 'id');
    const name = nameIn(objectAt(record, 'profile')) || textAt(record, 'real_name') || textAt(record, 'name');
    if (id && name) names.set(id, name);
  }
  return names;
}

async function opened(path: string): Promise<Source | undefined> {
  try {
    return await openSource(path);
  } catch (error) {
    if (error instanceof PlimsollError) return undefined;
    throw error;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** A message without Slack's markup: mentions by name, links with their address. */
function plain(text: string, names: Names): string {
  return text
    .replace(/<([^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label = '') => linked(target, label, names))
    .replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function linked(target: string, label: string, names: Names): string {
  const rest = target.slice(1);
  if (target.startsWith('@')) return `@${names.get(rest) ?? (label || rest)}`;
  if (target.startsWith('#')) return `#${label || rest}`;
  if (target.startsWith('!')) return label || `@${rest}`;
  const address = target.replace(/^mailto:/, '');
  return label === '' || address.endsWith(label) ? address : `${label} (${address})`;
}
