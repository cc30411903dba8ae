// An update of a memory beside a bare rewriting of the same file, and a search beside the MCP reference memory server's:
// `node bench/memory.mjs [ROUNDS]`. Prints Markdown; exits with 1 where a bar is missed.
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bars, count, median, ms, table } from './lib/figures.mjs';
import { machine } from './lib/machine.mjs';
import { root } from './lib/run.mjs';

const KEYS = 10_000;
const FACTS = 100_000;
const WARM_UP = 10;
const TIMES_BARE = 3;
const TOWNS = ['Lyon', 'Porto', 'Gent', 'Graz', 'Turku', 'Brno', 'Cork', 'Malmö', 'Split', 'Kyoto'];

const rounds = Number(process.argv[2] ?? 100);
const setting = machine();
const verdicts = bars();
const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
const { Memory } = await import(join(root, 'dist/memory/memory.js'));
const open = (name) => new Memory({ folder: join(folder, name), who: 'bench' });

/** So many facts, a hundred to a section. */
function facts(number) {
  const sections = {};
  for (let i = 0; i < number; i++) {
    const text = `Number ${FACTS + i} lives in ${TOWNS[i % TOWNS.length]} since ${1900 + (i % 120)}.`;
    sections[`section${Math.floor(i / 100)}`] ??= {};
    sections[`section${Math.floor(i / 100)}`][`fact_${i}`] = text;
  }
  return sections;
}

const jsonOf = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Runs contenders in turn, so many rounds after the warm-up; gives the milliseconds of each, by name. */
async function inTurn(contenders, number) {
  const times = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < number; round++) {
    for (const { name, before, run } of contenders) {
      await before?.(round);
      const start = performance.now();
      await run(round);
      if (round >= 0) times.get(name).push(performance.now() - start);
    }
    process.stderr.write(`\rround ${Math.max(0, round + 1)} of ${number}   `);
  }
  process.stderr.write('\n');
  return times;
}

/** A row for each contender; ratios are to the first one's median. */
function rowsOf(times) {
  const [[, first]] = times;
  return [...times].map(([name, own]) => [
    name,
    ms(median(own)),
    ms(Math.min(...own)),
    `${(median(own) / median(first)).toFixed(2)}x`,
  ]);
}

/** What any program must do that changes one value of a JSON file in place, and has it on the disk. */
function bareUpdate(path, number) {
  const value = JSON.parse(readFileSync(path, 'utf8'));
  value.section7.fact_777 = number;
  const fd = openSync(path, 'w');
  writeSync(fd, jsonOf(value));
  fsyncSync(fd);
  closeSync(fd);
}

async function update() {
  const bare = join(folder, 'bare.json');
  writeFileSync(bare, jsonOf(facts(KEYS)));
  for (const name of ['own', 'shared']) {
    const path = join(folder, name, 'context.json');
    await open(name).set('section7.fact_777', '0');
    writeFileSync(path, readFileSync(bare));
  }
  const own = open('own');
  const both = [open('shared'), open('shared')];
  const names = ['bare', 'update', 'update, another process having made the last one'];
  const times = await inTurn(
    [
      { name: names[0], run: (round) => bareUpdate(bare, round) },
      { name: names[1], run: (round) => own.set('section7.fact_777', `${round}`) },
      {
        name: names[2],
        before: (round) => both[0].set('section7.fact_777', `${round}`),
        run: (round) => both[1].set('section7.fact_777', `${round}.5`),
      },
    ],
    rounds,
  );
  const [first, second] = names.map((name) => median(times.get(name)));
  verdicts.atMost(`update of ${count(KEYS)} keys, times a bare one`, second / first, TIMES_BARE);
  return { size: statSync(bare).size, table: table(['', 'median', 'least', 'ratio'], rowsOf(times)) };
}

async function search() {
  const path = join(folder, 'graph.jsonl');
  const all = facts(FACTS);
  const entities = Object.values(all).flatMap((section) =>
    Object.entries(section).map(([name, text]) => ({
      type: 'entity',
      name,
      entityType: 'fact',
      observations: [text],
    })),
  );
  writeFileSync(path, entities.map((entity) => JSON.stringify(entity)).join('\n'));
  // The server's module starts a server as well, which reads nothing until it is asked.
  process.env.MEMORY_FILE_PATH = path;
  const { KnowledgeGraphManager } = await import('@modelcontextprotocol/server-memory/dist/index.js');
  const { version } = createRequire(import.meta.url)('@modelcontextprotocol/server-memory/package.json');
  const reference = new KnowledgeGraphManager(path);
  await open('search').set('section0.fact_0', '0');
  writeFileSync(join(folder, 'search', 'context.json'), jsonOf(all));
  const kept = open('search');
  const queryOf = (round) => `number ${FACTS + (round + WARM_UP + 1) * 797} lives`;
  const searched = async (memory, round) => {
    const { total } = await memory.search(queryOf(round));
    if (total !== 1) throw new Error(`${total} facts for '${queryOf(round)}'`);
  };
  const names = [`MCP reference server ${version}`, 'Plimsoll', 'Plimsoll, the facts read anew'];
  let fresh;
  const times = await inTurn(
    [
      {
        name: names[0],
        run: async (round) => {
          const found = await reference.searchNodes(queryOf(round));
          if (found.entities.length !== 1) throw new Error('not found');
        },
      },
      { name: names[1], run: (round) => searched(kept, round) },
      {
        name: names[2],
        before: () => {
          fresh = open('search');
        },
        run: (round) => searched(fresh, round),
      },
    ],
    Math.ceil(rounds / 2),
  );
  const [first, second] = names.map((name) => median(times.get(name)));
  verdicts.atMost(`search of ${count(FACTS)} facts, share of the reference server's`, second / first, 1);
  return table(['', 'median', 'least', 'ratio'], rowsOf(times));
}

try {
  const updates = await update();
  const searches = await search();
  console.log(`## Memory

${setting}
- ${rounds} rounds after ${WARM_UP}, in turn, within one process: starting is left out

An update of one of ${count(KEYS)} keys, in a file of ${count(updates.size)} bytes in the temporary folder. "Bare" reads the
file, parses it, writes it in place and has it on the disk (\`fsync\`). Plimsoll also locks, writes a journal, renames
and has each of these on the disk.

${updates.table}

A search for one of ${count(FACTS)} facts, ${Math.ceil(rounds / 2)} rounds. The reference server's \`search_nodes\` is called as its class has it, over as
many entities with one observation each.

${searches}

${verdicts.table()}`);
  process.exitCode = verdicts.kept() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// The reference server would go on reading standard input.
process.exit();
