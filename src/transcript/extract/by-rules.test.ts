import { expect, test } from 'vitest';
import { random } from '../../secrets/secrets.testing.ts';
import { takenOf } from '../take/take.testing.ts';
import { extractByRules } from './by-rules.ts';

test('facts have keys, values and evidence, in the order of the transcript', async () => {
  const time = '2026-03-01T10:00:00.000Z';
  const turns = await takenOf(
    { role: 'person', text: 'Hi! I work at Harbour Labs.', time, speaker: 'Mara', id: 'a' },
    { role: 'tool', text: 'We decided to use Bun.' },
    'The deadline for the grant report is 3 March 2027.',
  );
  const { facts, read, unread, refused, secrets } = await extractByRules(turns, [
    'people.grant_report.deadline',
  ]);
  expect(facts).toEqual([
    {
      key: 'mara.employer',
      value: 'Harbour Labs',
      evidence: {
        line: 1,
        id: 'a',
        time,
        role: 'person',
        speaker: 'Mara',
        quote: 'I work at Harbour Labs.',
        isVerified: true,
      },
    },
    {
      key: 'people.grant_report.deadline',
      value: '3 March 2027',
      evidence: expect.objectContaining({ line: 3, isVerified: true }),
    },
  ]);
  expect(read).toEqual(turns.map(({ fingerprint }) => fingerprint));
  expect({ unread, refused, secrets }).toEqual({ unread: [], refused: [], secrets: 0 });
});

test('what repeats where a secret was taken out is refused; it counts where it was taken out', async () => {
  const turns = await takenOf(
    `Remember that the token of the bot is ghp_${random(36)}.`,
    `The staging server runs at https://stage.example and its token is ghp_${random(36)}.`,
    'I prefer tabs over spaces.',
  );
  const { facts, refused, secrets } = await extractByRules(turns, []);
  expect(facts.map(({ key }) => key)).toEqual(['preferences.tabs_over_spaces']);
  expect(refused).toEqual([
    { candidate: expect.anything(), reason: expect.stringContaining(': it holds a secret') },
    {
      candidate: 'staging_server.url',
      reason: '"staging_server.url": the words that say it hold a secret',
    },
  ]);
  expect(secrets).toBe(0);
});

test('after some thousands of facts no more turns are read, and it is told', async () => {
  const [turn] = await takenOf('TODO: mend the sail');
  if (!turn) throw new Error('nothing was taken');
  const many = async function* () {
    for (let line = 1; line <= 6000; line++) {
      yield { ...turn, line, fingerprint: `f${line}`, text: `TODO: mend sail ${line}` };
    }
  };
  const { facts, read, unread } = await extractByRules(many(), []);
  expect(facts).toHaveLength(5000);
  expect(read).toHaveLength(5000);
  expect(unread).toEqual([{ reason: '5000 facts were found before', count: 1000, line: 5001 }]);
});
