import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { usualSpool } from '../settings/data-folder.ts';
import type { Kept } from '../spool/types.ts';
import { bound, boundResult, openSpool } from './bound.ts';
import { wordsFor } from './words.ts';

const readers = { tools: undefined, paths: true };

function noticeIn(spool: string, paths = true): string {
  const folder = join(spool, 'session', 'handle');
  const part = { name: '1', at: '', kind: 'text', path: join(folder, '1.txt') } as Kept['parts'][number];
  const kept = { handle: 'handle', folder, parts: [part] };
  return wordsFor({ at: '', part: '1' }, kept, { ...readers, paths }).notice([]);
}

test('the command is told the folder of a spool that it does not find by itself', () => {
  expect(noticeIn("/it's")).toContain(`plimsoll spool read handle --part 1 --spool '/it'\\''s' or /it's/`);
  expect(noticeIn(usualSpool() as string)).not.toContain('--spool');
});

test('no folder is told to readers on other machines, nor one that a line can not hold', () => {
  expect(noticeIn('/folder', false)).not.toContain('folder');
  expect(noticeIn('/fol\nder')).not.toContain('--spool');
});

test('what passes is within the least limit, however long the name of the folder', async () => {
  const spool = openSpool({ folder: join(tempFolder(), ...Array(4).fill('f'.repeat(250))) });
  const text = 'word "quoted"\n'.repeat(1000);
  const cut = await bound(text, { limit: 1000, spool });
  expect(cut.text.length).toBeLessThanOrEqual(1000);
  expect(cut.text).toContain(`plimsoll spool read ${cut.facts?.handle} --part`);
  const content = Array.from({ length: 20 }, () => ({ type: 'text', text }));
  const bounded = await boundResult({ content, structuredContent: { text } }, { limit: 1000, spool });
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(1000);
  expect(JSON.stringify(bounded)).toContain('plimsoll spool read');
});
