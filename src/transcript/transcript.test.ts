import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { Memory } from '../memory/memory.ts';
import { digestTranscript, type Model } from './transcript.ts';

const FACT = { subject: 'Maria', attribute: 'role', value: 'CTO', line: 1, quote: 'Maria is our CTO' };

/** A model that answers with a fact where it reads of it, and with prose elsewhere. */
const MODEL: Model = {
  name: 'half',
  address: 'http://127.0.0.1:1',
  window: async () => 8192,
  ask: async ({ user }) => ({
    text: user.includes('Maria') && !user.includes('weather') ? JSON.stringify({ facts: [FACT] }) : 'Well.',
    tokensIn: 1,
    tokensOut: 1,
  }),
};

test('a fact of a turn that could be read only in part is stored', async () => {
  const folder = tempFolder();
  const path = join(folder, 'talk.txt');
  writeFileSync(path, `Maria is our CTO. ${'x '.repeat(300)}${'The weather is fine today. '.repeat(40)}`);
  const memory = new Memory({ folder: join(folder, 'memory'), who: 'test' });
  const { digest } = await digestTranscript(path, { memory, by: MODEL });
  expect(digest.leftOut).toMatchObject([{ reason: 'failed', count: 1 }]);
  expect((await memory.get('maria.role'))?.found.json()).toBe('"CTO"');
});

test('a time that is none is refused', async () => {
  const folder = tempFolder();
  const path = join(folder, 'talk.txt');
  writeFileSync(path, 'Remember that the office is in Husum.');
  const memory = new Memory({ folder: join(folder, 'memory'), who: 'test' });
  const asked = digestTranscript(path, { memory, by: 'rules', at: 'last week' });
  await expect(asked).rejects.toMatchObject({ code: 'BAD_USAGE' });
});
