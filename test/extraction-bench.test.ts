import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fixtures, writeFixtures } from '../bench/extraction/make.mjs';
import { f1, precision, recall, says, score, standing } from '../bench/extraction/score.mjs';
import { redactSecrets } from '../src/secrets/secrets.ts';
import { readTranscript } from '../src/transcript/read/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'extraction-'));
afterAll(() => rmSync(folder, { recursive: true }));
const all = fixtures();
writeFixtures(folder, all);

async function turnsOf(path: string) {
  const reading = await readTranscript(join(folder, path));
  const turns = [];
  for await (const turn of reading.turns()) turns.push(turn);
  return { format: reading.format, turns };
}

describe.each(all.map((fixture) => [fixture.name, fixture] as const))('%s', (_, { files, ...fixture }) => {
  test('is read in its format, and each expected fact stands where it is said to', async () => {
    const read = await Promise.all(files.map(({ path }) => turnsOf(path)));
    expect(read.map(({ format }) => format)).toEqual(files.map(({ format }) => format));
    for (const { places } of fixture.expected) {
      for (const { file, line, by } of places) {
        const said = files[file]?.turns.filter((turn) => turn.line === line && turn.by === by) ?? [];
        const heard = read[file]?.turns.filter((turn) => turn.line === line && turn.role === by) ?? [];
        expect(said.map(({ text }) => text)).toEqual(expect.arrayContaining(heard.map(({ text }) => text)));
      }
      const isThere = places.some(({ file, line, by }) =>
        read[file]?.turns.some((turn) => turn.line === line && turn.role === by),
      );
      expect(isThere).toBe(true);
    }
  });

  test('has its secrets, in a form that is found, and what must never be kept', async () => {
    const text = files.map((file) => file.text).join('\n');
    const { text: redacted } = await redactSecrets(text);
    for (const secret of fixture.secrets) {
      expect(text).toContain(secret);
      expect(redacted).not.toContain(secret);
    }
    for (const never of fixture.never) expect(text).toContain(never);
  });
});

test('fixtures are the same each time, and have names of their own', () => {
  expect(fixtures()).toEqual(all);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test.each([
  ['the ferry', 'the ferry', 1],
  ['port 3000', '3000', 2 / 3],
  ['a a a', 'a', 0.5],
  ['木曜日', '木曜', 0.8],
  ['', '', 0],
])('%j and %j have %d in common', (one, other, expected) => {
  expect(f1(one, other)).toBeCloseTo(expected);
});

test.each([
  ['use SQLite instead of files', 'SQLite instead of files', true],
  ['the boiler room', 'the pump', false],
  ['12 March 2027', '3 March 2027', false],
  ['version 22.3', '22.3', true],
  ['22.5', '22.3', false],
  ['2027-03-13', '2027-03-04', false],
  ['on the 3rd', /3rd/, true],
])('whether %j says %s', (text, value, expected) => {
  expect(says(text, [value])).toBe(expected);
});

const PLACE = { file: 0, line: 3, by: 'person' };
const PORT = { subjects: ['api'], attributes: ['port'], values: ['3000'], places: [PLACE] };
const found = (key: string, value: string, more: object = {}) => ({
  key,
  value,
  quote: '',
  isVerified: true,
  ...PLACE,
  ...more,
});

test('a fact is right in its turn alone, whatever it is called', () => {
  const result = score({ expected: [PORT], never: [] }, [
    found('apis.port', '3000'),
    found('inbox.number', 'port 3000'),
    found('api.port', '3000', { line: 5 }),
    found('api.port', '3000', { by: 'assistant', isVerified: false }),
  ]);
  expect(result).toMatchObject({ found: 1, right: 2, extra: 1, unsupported: 1, generic: 1, named: 1 });
  expect(recall(result)).toBe(1);
  expect(precision(result)).toBeCloseTo(2 / 3);
});

test('a fact that is only found elsewhere is misplaced, and its turn is cited by any', () => {
  const result = score({ expected: [PORT], never: [] }, [
    found('api.port', '3000', { line: 5 }),
    found('api.host', 'gannet'),
  ]);
  expect(result).toMatchObject({ found: 0, misplaced: 1, cited: 1 });
});

test('a sentence may be said by the quote, or by key and value together', () => {
  const sentence = { ...PORT, values: ['The API listens on port 3000'], isSentence: true };
  const facts = [
    found('api.listens_on_port', '3000'),
    found('x.y', 'z', { quote: 'it listens on port 3000' }),
  ];
  expect(score({ expected: [sentence], never: [] }, facts)).toMatchObject({ right: 2 });
  expect(score({ expected: [{ ...sentence, isSentence: false }], never: [] }, facts)).toMatchObject({
    right: 0,
  });
});

test('what must never be kept is wrong in the value, the key and the quote, even if it was expected', () => {
  const result = score({ expected: [PORT], never: ['Evil'] }, [
    found('api.port', '3000', { quote: 'from evil.example' }),
    found('evil.port', '3000'),
    found('api.owner', 'Evil Ltd'),
  ]);
  expect(result).toMatchObject({ found: 0, right: 0, extra: 0, forbidden: 3 });
  expect(precision(result)).toBe(0);
});

test('a value that its quote says nothing of is astray', () => {
  const facts = [
    found('a.b', 'Rust', { quote: 'der Pegel ist aus' }),
    found('a.b', 'Pegel', { quote: 'der Pegel' }),
  ];
  expect(score({ expected: [], never: [] }, facts)).toMatchObject({ astray: 1, extra: 2 });
});

test('what memory says at the end', () => {
  const fixture = { stands: ['11 May|2027-05-11', 'Ghent'], gone: ['4 May'] };
  expect(standing(fixture, ['on 2027-05-11'])).toEqual({ checks: 3, wrong: ['Ghent'] });
  expect(standing(fixture, ['11 May 2027', 'Ghent', '4 May 2027'])).toEqual({ checks: 3, wrong: ['4 May'] });
});
