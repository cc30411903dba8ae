import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HeldObject, LongText } from '../json/held.ts';
import { chunksOf } from '../json/json.testing.ts';
import { JsonError } from '../json/walk.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool } from '../spool/spool.ts';
import { takeInOf } from './taking.ts';

const LIMITS = { textChars: 3_000 };
const LONG = 'é'.repeat(300_000);

async function taking(json: string, path: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-taking-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const draft = await openSpool({ folder }).begin({ kind: 'tool' });
  const pieces = (async function* () {
    yield* chunksOf(Buffer.from(json), [10, 70_000, 300_001]);
  })();
  return { draft, taken: takeInOf(pieces, path, draft, LIMITS) };
}

test('a value is taken in, with its place, and all of it kept', async () => {
  const result = { content: [{ type: 'text', text: LONG }], structuredContent: { list: [1, 2] } };
  const value = JSON.stringify(result);
  const json = `{"result": ${value} ,"extra":[1.0],"id":5}`;
  const taken = await (await taking(json, ['result'])).taken;
  expect(taken).toMatchObject({ from: 11, to: 11 + Buffer.byteLength(value) });
  expect(taken?.takenIn).toMatchObject({ chars: value.length, bytes: Buffer.byteLength(value) });
  const held = taken?.takenIn.held as { content: HeldObject[] } | undefined;
  expect(held?.content[0]?.text).toBeInstanceOf(LongText);
  const kept = await taken?.takenIn.draft?.publish();
  if (!kept || 'reason' in kept) throw new Error('it was not kept');
  expect(await restore(kept)).toEqual(result);
});

test('so is all there is, and a value within others', async () => {
  const whole = await (await taking(`{"text":"${LONG}"}`, [])).taken;
  expect(whole?.takenIn.held).toMatchObject({ text: { chars: LONG.length } });
  const json = `{"id":1,"result":{"n":[{"result":1}],"result":{"content":[{"text":"${LONG}"}]},"ttl":null}}`;
  const inner = await (await taking(json, ['result', 'result'])).taken;
  expect(inner?.takenIn.held).toMatchObject({ content: [{ text: { chars: LONG.length } }] });
});

test('where nothing stands, nothing is taken in, and the draft is given up', async () => {
  const { draft, taken } = await taking(`{"result":{"x":"${LONG}"}}`, ['result', 'result']);
  expect(await taken).toBeUndefined();
  expect(await draft.publish()).toMatchObject({ reason: 'it was given up' });
});

test('of two values nobody knows which counts: none is taken in, and the draft is given up', async () => {
  const { draft, taken } = await taking(`{"result":{"a":"${LONG}"},"result":{"b":1}}`, ['result']);
  await expect(taken).rejects.toThrow(JsonError);
  expect(await draft.publish()).toMatchObject({ reason: 'it was given up' });
});
