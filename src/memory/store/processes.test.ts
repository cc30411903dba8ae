import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../digest/source/fixture.ts';
import { buildStore, runScript, startScript } from './store.testing.ts';
import { readFile, updateFile } from './update.ts';

const built = mkdtempSync(join(tmpdir(), 'plimsoll-store-'));

beforeAll(() => buildStore(built));

afterAll(() => rmSync(built, { recursive: true }));

function newFile(text: string): string {
  const file = join(tempFolder(), 'a.json');
  writeFileSync(file, text);
  return file;
}

/** Starts a module that doesn't outlive the test. */
function start(script: string, ...args: string[]): ChildProcess {
  const child = startScript(built, script, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('of processes that count in one file, some of them killed, no count is lost, and a reader sees no half', async () => {
  const file = newFile('{"count":0}');
  const counting = `
    for (let round = 0; round < Number(args[1]); round++) {
      await change(args[0], (value) => { value.count++; value.filler = 'x'.repeat(20_000); });
      fs.writeSync(1, '+');
    }`;
  let counted = 0;
  const count = (rounds: number, stop: (own: number, child: ChildProcess) => void = () => {}) => {
    const child = start(counting, file, `${rounds}`);
    let own = 0;
    child.stdout?.on('data', (said: Buffer) => {
      counted += said.length;
      own += said.length;
      stop(own, child);
    });
    return once(child, 'close') as Promise<[number | null]>;
  };
  const victims = async (moments: readonly number[]) => {
    for (const moment of moments) {
      const [code] = await count(1_000_000, (own, child) => {
        if (own >= moment) child.kill('SIGKILL');
      });
      expect(code).toBeNull();
    }
    return moments.length;
  };
  const all = Promise.all([victims([1, 7, 20]), victims([4, 13, 9]), count(40), count(40), count(40)]);
  let isDone = false;
  void all.finally(() => {
    isDone = true;
  });
  for (let last = 0; !isDone; ) {
    const value = JSON.parse(`${await readFile(file)}`);
    expect(value.count).toBeGreaterThanOrEqual(last);
    last = value.count;
    await new Promise(setImmediate);
  }
  const [killed, alsoKilled, ...ends] = await all;
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
  const { count: found } = JSON.parse(readFileSync(file, 'utf8'));
  expect(counted).toBeGreaterThanOrEqual(3 * 40);
  expect(found).toBeGreaterThanOrEqual(counted);
  expect(found).toBeLessThanOrEqual(counted + killed + alsoKilled);
  await updateFile(file, () => ({ answer: 0 }));
  expect(readdirSync(dirname(file))).toEqual(['a.json']);
});

test('of what an editor saves in place while others change the file, nothing is lost', async () => {
  const file = newFile('{"edits":[]}');
  const counters = [1, 2].map(() =>
    start(
      `for (let count = 1; ; count++) {
        await change(args[0], (value) => { value[process.pid] = count; });
        if (count === 1) fs.writeSync(1, '+');
        await pause(2);
      }`,
      file,
    ),
  );
  await Promise.all(counters.map((child) => once(child.stdout as Readable, 'data')));
  const editing = `
    const [file] = args;
    async function look() {
      for (;;) {
        const bytes = fs.readFileSync(file);
        if (isWhole(bytes)) return JSON.parse(bytes);
        await pause(1);
      }
    }
    async function save(text) {
      const fd = fs.openSync(file, 'w');
      await pause(1);
      fs.writeSync(fd, text.slice(0, 20));
      await pause(1);
      fs.writeSync(fd, text.slice(20));
      fs.closeSync(fd);
    }
    for (let edit = 0; edit < 15; edit++) {
      const value = await look();
      value.edits.push(edit);
      await save(JSON.stringify(value));
      // A person who saves looks at what is there before the next time.
      const until = performance.now() + 3000;
      while (performance.now() < until && !(await look()).edits.includes(edit)) await pause(5);
      await pause(10);
    }
    console.log(JSON.stringify((await look()).edits));`;
  const [code, output] = await runScript(built, editing, [file]);
  expect([code, output]).toEqual([0, `${JSON.stringify(Array.from({ length: 15 }, (_, edit) => edit))}\n`]);
  expect(counters.map(({ exitCode }) => exitCode)).toEqual([null, null]);
  await Promise.all(counters.map(kill));
  await updateFile(file, () => ({ answer: 0 }));
  expect(readdirSync(dirname(file))).toEqual(['a.json']);
});
