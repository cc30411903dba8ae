import { expect, test } from 'vitest';
import { type Held, LongList } from '../json/held.ts';
import { JsonWalk } from '../json/walk.ts';
import { fittedJson } from './items.ts';
import { holding } from './takers.ts';

function heldOf(json: string, room: number): Held {
  let held: Held = null;
  const taker = holding(room, (value) => {
    held = value;
  });
  const walk = new JsonWalk(taker);
  walk.write(Buffer.from(json));
  walk.finish();
  taker.done();
  return held;
}

test('of a list of small items no more is held than could be shown, and enough to fill the room', () => {
  const room = 10_000;
  const list = heldOf(`[${'1,'.repeat(300_000)}1]`, room) as LongList;
  expect(list).toBeInstanceOf(LongList);
  expect(list.first.length + list.last.length).toBeLessThan(2 * room);
  expect(fittedJson(list, room).json.length).toBeGreaterThan(0.9 * room);
});
