import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { writeKey } from './context/keys.ts';
import { Memory } from './memory.ts';

test('a key that can be read can be deleted, and that undone, however many escapes it is written with', async () => {
  const folder = tempFolder();
  const path = join(folder, 'context.json');
  const memory = new Memory({ folder, who: 'test' });
  const dotted = Array(500).fill('a').join('.');
  for (const key of [dotted, writeKey([dotted])]) {
    const text = `{"${dotted}": 1}`;
    writeFileSync(path, text);
    expect(await memory.get(key)).toMatchObject({ key: writeKey([dotted]) });
    const { change } = await memory.delete(key);
    expect(readFileSync(path, 'utf8')).toBe('{}');
    await memory.undo(change as number);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(text));
  }
});

test('a key of many backslashes can be set, changed and deleted', async () => {
  const memory = new Memory({ folder: tempFolder(), who: 'test' });
  const key = Array(4).fill('\\a'.repeat(120)).join('.');
  expect(key).toHaveLength(963);
  for (const json of ['1', '2']) expect(await memory.set(key, json)).toMatchObject({ now: json });
  expect(await memory.delete(key)).toMatchObject({ was: '2' });
});
