import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEntries } from '../src/memory/diary/diary.ts';
import type { Change } from '../src/memory/journal/journal.ts';
import { Memory } from '../src/memory/memory.ts';
import { builtMemory, ended, quickFolder, startMemory } from './memories.ts';

const PROCESSES = 16;
const UPDATES = 500;
const ENTRIES = 200;
/** How many different keys a process sets. */
const KEYS = 20;

const built = builtMemory();

/** Sets values and adds entries from the given numbers on, and says of each, when it is done, that it is. */
const WRITER = `
  const [folder, who, update, updates, entry, entries, keys] = args.map((arg, i) => (i < 2 ? arg : Number(arg)));
  const memory = new Memory({ folder, who });
  let next = entry;
  for (let n = update; n <= updates; n++) {
    const { change = 0 } = await memory.set('section' + (n % 3) + '.' + who + '.key' + (n % keys), String(n));
    say('set', n, change);
    for (; next * updates <= n * entries; next++) {
      await memory.addDiary(who + ' ' + next + '\\n' + 'x'.repeat(next % 50) + '\\nend', { tag: who });
      say('added', next);
    }
  }`;

/** Reads all the while, and ends when it is told to; says how often it has looked, and what it has seen that can't be. */
const READER = `
  const [folder] = args;
  const memory = new Memory({ folder, who: 'reader' });
  let isOver = false;
  process.stdin.on('close', () => { isOver = true; }).resume();
  let looks = 0;
  let before = { facts: {}, diary: '' };
  const numbersIn = (value, path, into) => {
    if (typeof value !== 'object') into[path] = value;
    else for (const [key, inner] of Object.entries(value)) numbersIn(inner, path + '.' + key, into);
    return into;
  };
  for (; !isOver; looks++) {
    const facts = numbersIn(JSON.parse(look(folder + '/context.json') || '{}'), '', {});
    for (const [key, value] of Object.entries(before.facts)) {
      if (!(facts[key] >= value)) say('fault', key, 'was', value, 'is', facts[key]);
    }
    const diary = look(folder + '/diary.md');
    if (!diary.startsWith(before.diary)) say('fault the diary has changed');
    if (diary !== '' && !diary.endsWith('\\nend\\n\\n')) say('fault half an entry', JSON.stringify(diary.slice(-100)));
    before = { facts, diary };
    await memory.documents();
    for (const { text } of (await memory.readDiary({ last: 20 })).entries) {
      if (!text.endsWith('\\nend')) say('fault half an entry', JSON.stringify(text));
    }
    await pause(25);
  }
  say('looks', looks);`;

/** What a writer has said so far, of all its lives. */
interface Said {
  /** How many updates and entries are done. */
  updates: number;
  entries: number;
  /** The changes, by their numbers, with what they set. */
  readonly changes: Map<number, number>;
  /** How many entries were done when it was killed, each time. */
  readonly deaths: number[];
}

/** Has a writer do everything, and kills it after so many of its acknowledgements, each time a new one takes over. */
async function write(folder: string, who: string, kills: readonly number[]): Promise<Said> {
  const said: Said = { updates: 0, entries: 0, changes: new Map(), deaths: [] };
  const live = async (most: number): Promise<unknown> => {
    const args = [folder, who, said.updates + 1, UPDATES, said.entries + 1, ENTRIES, KEYS];
    const child = startMemory(built, WRITER, args);
    let count = 0;
    const { code, signal, errors } = await ended(child, (line) => {
      const [what, number = 0, change = 0] = line.split(' ').map((word, i) => (i ? Number(word) : word));
      if (what === 'set') said.changes.set(change as number, number as number);
      if (what === 'set') said.updates = number as number;
      else said.entries = number as number;
      if (++count === most) child.kill('SIGKILL');
    });
    return signal ?? (errors || code);
  };
  for (const most of kills) {
    expect(await live(most)).toBe('SIGKILL');
    said.deaths.push(said.entries);
  }
  expect(await live(Number.POSITIVE_INFINITY)).toBe(0);
  return said;
}

/** The changes of a journal that came about, oldest first. */
function landed(changes: readonly Change[]): Change[] {
  return changes.filter((change) => change.void === undefined).reverse();
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, i) => i + 1);
}

test('of what sixteen processes write at once, some of them killed, nothing that they were told is done is missing', async () => {
  const folder = quickFolder();
  const reader = startMemory(built, READER, [folder]);
  const read = ended(reader);
  const kills = (slot: number) =>
    slot % 3 === 0 ? [1 + Math.floor(Math.random() * 100), 1 + Math.floor(Math.random() * 400)] : [];
  const names = numbers(PROCESSES).map((slot) => `p${slot}`);
  const said = await Promise.all(names.map((who, slot) => write(folder, who, kills(slot))));
  reader.stdin?.end();
  const { lines, errors } = await read;
  expect([lines, errors]).toEqual([[expect.stringMatching(/^looks \d{3}/)], '']);

  const expected: Record<string, Record<string, Record<string, number>>> = {};
  for (const n of numbers(UPDATES)) {
    for (const who of names) {
      const { [`section${n % 3}`]: section = {} } = expected;
      expected[`section${n % 3}`] = { ...section, [who]: { ...section[who], [`key${n % KEYS}`]: n } };
    }
  }
  const context = readFileSync(join(folder, 'context.json'), 'utf8');
  expect(JSON.parse(context)).toEqual(expected);

  const memory = new Memory({ folder, who: 'test' });
  const { changes } = await memory.changes();
  const deaths = said.flatMap((one) => one.deaths);
  expect(changes.length - landed(changes).length).toBeLessThanOrEqual(deaths.length);
  expect(changes.map(({ change }) => change).reverse()).toEqual(numbers(changes.length));
  let hash = '';
  const values = new Map<string, string>();
  const set = new Map<number, number>();
  for (const { change, from, to, edits, who } of landed(changes)) {
    const [edit] = edits;
    expect([change, from, edit?.before]).toEqual([change, hash, values.get(edit?.key ?? '')]);
    hash = to;
    values.set(edit?.key ?? '', edit?.after ?? '');
    if (said[names.indexOf(who)]?.changes.has(change)) set.set(change, Number(edit?.after));
  }
  const acknowledged = new Map(said.flatMap((one) => [...one.changes].filter(([change]) => change > 0)));
  expect(set).toEqual(new Map([...acknowledged].sort(([a], [b]) => a - b)));

  const entries = readEntries(readFileSync(join(folder, 'diary.md'), 'utf8'));
  for (const [slot, who] of names.entries()) {
    const own = entries.filter(({ tag }) => tag === who).map(({ text }) => text);
    // What a process was killed in may be there although it was never told so, and be there twice then.
    expect(own.length - ENTRIES).toBeLessThanOrEqual(said[slot]?.deaths.length ?? 0);
    expect([...new Set(own)]).toEqual(numbers(ENTRIES).map((n) => `${who} ${n}\n${'x'.repeat(n % 50)}\nend`));
  }

  await memory.set('last', '1');
  await memory.addDiary('last');
  expect(readdirSync(folder).sort()).toEqual(['changes.jsonl', 'context.json', 'diary.md', 'last-good.json']);
}, 180_000);

/**
 * Sets and deletes values from the given number on. Says what it is about to do, and by which change that is done; and when
 * it might have overwritten another file: from the last look until it was renamed. Nothing is said between these, since
 * that would take longer than they do.
 */
const BUSY_WRITER = `
  const [folder, who, first, updates] = args.map((arg, i) => (i < 2 ? arg : Number(arg)));
  let looked;
  const files = {
    ...FILES,
    lstatSync: (...call) => {
      looked = process.hrtime.bigint();
      return FILES.lstatSync(...call);
    },
    renameSync: (...call) => {
      FILES.renameSync(...call);
      if (call[1].endsWith('context.json')) say('replaced', looked, process.hrtime.bigint());
    },
  };
  const memory = new Memory({ folder, who, files });
  for (let n = first; n <= updates; n++) {
    const key = who + '.key' + (n % 7);
    const isDeleted = n % 5 === 0 && (await memory.get(key)) !== undefined;
    say('begins', key, isDeleted ? 0 : n);
    const { change = 0 } = isDeleted ? await memory.delete(key) : await memory.set(key, String(n));
    say('done', n, change);
  }`;

/** Reads all the while, and ends when it is told to. */
const BUSY_READER = `
  const memory = new Memory({ folder: args[0], who: 'reader' });
  let isOver = false;
  process.stdin.on('close', () => { isOver = true; }).resume();
  for (; !isOver; ) {
    await memory.documents();
    await pause(25);
  }`;

/**
 * Saves the file as editors do, by turns: under a new name that becomes the old one, in place and in pieces, and under
 * the old name after the old file got another one, until its input ends. Each time adds a key and takes an older one away,
 * no faster than a person could. Says when each was saved.
 */
const EDITOR = `
  const [file, kept] = [args[0], Number(args[1])];
  let isOver = false;
  process.stdin.on('close', () => { isOver = true; }).resume();
  const pieces = (text) => [text.slice(0, 40), text.slice(40, 90), text.slice(90)];
  const facts = async () => {
    for (;;) {
      try { return JSON.parse(fs.readFileSync(file, 'utf8')); } catch { await pause(1); }
    }
  };
  const inPieces = async (text) => {
    const fd = fs.openSync(file, 'w');
    for (const piece of pieces(text)) {
      fs.writeSync(fd, piece);
      await pause(Math.random() * 5);
    }
    fs.closeSync(fd);
  };
  const saves = [];
  for (let edit = 0; !isOver; edit++) {
    const value = await facts();
    value['hand' + edit] = edit;
    delete value['hand' + (edit - kept)];
    const text = JSON.stringify(value, null, 2) + '\\n';
    await pause(200 + Math.random() * 300);
    let start = process.hrtime.bigint();
    if (edit % 3 === 0) {
      fs.writeFileSync(file + '~', text);
      await pause(Math.random() * 20);
      start = process.hrtime.bigint();
      fs.renameSync(file + '~', file);
    } else if (edit % 3 === 1) {
      await inPieces(text);
    } else {
      fs.renameSync(file, file + '~');
      await pause(Math.random() * 20);
      await inPieces(text);
      fs.unlinkSync(file + '~');
    }
    saves.push([Number(start), Number(process.hrtime.bigint())]);
    // What was written into a file that was just replaced has its place again within a moment.
    await pause(500);
  }
  say(JSON.stringify(saves));`;

/** What a writer said, in all its lives. */
interface Busy {
  /** What its keys may hold, 0 for nothing: what was set last and, where it was killed, what was about to be. */
  readonly may: Map<string, number[]>;
  /** The numbers of the changes that were done, 0 where there was nothing to change. */
  readonly changes: number[];
  readonly gaps: [from: number, to: number][];
}

/** Has a writer make all its changes; kills it after so many of them, each time a new one takes over. */
async function writeBusily(folder: string, who: string, kills: readonly number[]): Promise<Busy> {
  const said: Busy = { may: new Map(), changes: [], gaps: [] };
  let done = 0;
  const live = async (most: number): Promise<unknown> => {
    const child = startMemory(built, BUSY_WRITER, [folder, who, done + 1, UPDATES]);
    let current = '';
    let count = 0;
    const { code, signal, errors } = await ended(child, (line) => {
      const [what, ...words] = line.split(' ');
      if (what === 'begins') {
        current = words[0] as string;
        said.may.set(current, [...(said.may.get(current) ?? [0]), Number(words[1])]);
      } else if (what === 'done') {
        said.may.set(current, said.may.get(current)?.slice(-1) as number[]);
        done = Number(words[0]);
        said.changes.push(Number(words[1]));
        if (++count === most) child.kill('SIGKILL');
      } else {
        said.gaps.push(words.map(Number) as [number, number]);
      }
    });
    return signal ?? (errors || code);
  };
  for (const most of kills) expect(await live(most)).toBe('SIGKILL');
  expect(await live(Number.POSITIVE_INFINITY)).toBe(0);
  return said;
}

test('what is saved by an editor while sixteen processes write is not lost, nor is what they were told is done', async () => {
  const kept = 10;
  const folder = quickFolder();
  const file = join(folder, 'context.json');
  await new Memory({ folder, who: 'test' }).set('test', '1');
  const others = [startMemory(built, EDITOR, [file, kept]), startMemory(built, BUSY_READER, [folder])];
  const ends = others.map((child) => ended(child));
  const kills = (slot: number) => (slot % 3 === 0 ? [1 + Math.floor(Math.random() * 400)] : []);
  const names = numbers(PROCESSES).map((slot) => `p${slot}`);
  const written = await Promise.all(names.map((who, slot) => writeBusily(folder, who, kills(slot))));
  for (const child of others) child.stdin?.end();
  const [editor, reader] = await Promise.all(ends);
  expect([editor?.errors, reader?.errors]).toEqual(['', '']);

  const memory = new Memory({ folder, who: 'test' });
  const [source] = await memory.documents();
  const facts = new Map(Array.from(source?.document.facts() ?? [], ({ key, json }) => [key, Number(json)]));
  const may = written.flatMap((one) => [...one.may]);
  expect(may.filter(([key, values]) => !values.includes(facts.get(key) ?? 0))).toEqual([]);
  const { changes } = await memory.changes();
  const made = new Set(landed(changes).map(({ change }) => change));
  const acknowledged = written.flatMap((one) => one.changes).filter((change) => change > 0);
  expect(acknowledged.filter((change) => !made.has(change))).toEqual([]);

  const saves: [number, number][] = JSON.parse(editor?.lines[0] as string);
  expect(saves.length).toBeGreaterThan(kept);
  // One that takes its name in the very moment between another process's last look and its renaming is overwritten.
  const gaps = written.flatMap((one) => one.gaps);
  const isUnlucky = (edit: number) => {
    const [start, end] = saves[edit] as [number, number];
    return edit % 3 !== 1 && gaps.some(([from, to]) => from < end && start < to);
  };
  const isRight = (edit: number) =>
    facts.has(`hand${edit}`) === edit >= saves.length - kept ||
    isUnlucky(edit) ||
    (edit + kept < saves.length && isUnlucky(edit + kept));
  expect(Array.from(saves.keys()).filter((edit) => !isRight(edit))).toEqual([]);
}, 180_000);
