// The transcripts of the benchmark: `node bench/extraction/make.mjs` writes them into bench/scratch/extraction, with what
// is to be found in them. The same each time.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { work } from '../lib/run.mjs';
import { coding } from './dialogues/coding.mjs';
import { languages } from './dialogues/languages.mjs';
import { talks } from './dialogues/talks.mjs';
import { WRITERS } from './writers.mjs';

const START = '2026-10-05T08:00:00.000Z';
const MINUTE = 60_000;

/**
 * All fixtures. Each has files in the order in which they are digested, `{ path, format, text, turns }`; the facts to be
 * found in them (`expected`), each with its places; texts that must not be in any fact (`never`); secrets that must not be
 * anywhere; and what memory says at the end (`stands`, each several ways to say it with bars between) and no more (`gone`).
 */
export function fixtures() {
  return [...coding, ...talks, ...languages].map(fixtureOf);
}

function fixtureOf({ name, about, never = [], secrets = [], stands = [], gone = [], files, ...file }) {
  const made = [];
  for (const [index, one] of (files ?? [file]).entries()) {
    const known = one.resumes === undefined ? [] : made[one.resumes].said;
    made.push(fileOf(one, `${name}/${index + 1}`, known));
  }
  return {
    name,
    about,
    expected: expectedIn(made),
    never,
    secrets,
    stands,
    gone,
    files: made.map(({ said, ...one }) => one),
  };
}

function fileOf({ writer, turns, title, start = START, torn = 0 }, folder, known) {
  const { format, file, write } = WRITERS[writer];
  const said = [...known];
  for (const turn of turns) {
    if (turn.by === 'again') said.push(...said.map(copyOf));
    else
      said.push({
        ...turn,
        at: timeAt(start, said.length),
        id: `${folder.replace('/', '-')}-${said.length}`,
      });
  }
  const { text, at } = write(said, { title });
  const placed = said.map((turn, index) => ({ ...turn, line: at[index] }));
  return {
    path: `${folder}/${file}`,
    format,
    text: text.slice(0, text.length - torn),
    turns: placed.filter(({ by }) => by !== 'client').map(({ by, line, text }) => ({ by, line, text })),
    said: placed,
  };
}

const copyOf = (turn) => ({ ...turn, expect: [] });

const timeAt = (start, index) => new Date(Date.parse(start) + index * MINUTE).toISOString();

/** The planted facts, each with the turns that say it. What the assistant proposed, the answer that agrees says as well. */
function expectedIn(files) {
  const expected = new Map();
  for (const [file, { said }] of files.entries()) {
    for (const [index, turn] of said.entries()) {
      for (const { isConfirmed = false, ...fact } of turn.expect ?? []) {
        const known = expected.get(fact.values) ?? { ...fact, places: [] };
        for (const { by, line } of isConfirmed ? [turn, said[index + 1]] : [turn]) {
          known.places.push({ file, line, by });
        }
        expected.set(fact.values, known);
      }
    }
  }
  return [...expected.values()];
}

/** Writes fixtures into a folder, which is emptied first; gives the path of each file. */
export function writeFixtures(folder, all = fixtures()) {
  rmSync(folder, { recursive: true, force: true });
  for (const { files } of all) {
    for (const { path, text } of files) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
}

const plain = (_, value) => (value instanceof RegExp ? String(value) : value);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = join(work, 'extraction');
  const all = fixtures();
  writeFixtures(folder, all);
  const expectations = all.map(({ files, ...fixture }) => ({
    ...fixture,
    files: files.map(({ text, turns, ...file }) => file),
  }));
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expectations, plain, 2)}\n`);
  console.log(`${all.length} fixtures in ${folder}`);
}
