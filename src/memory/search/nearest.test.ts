import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contextText } from '../context/context.testing.ts';
import { readDocument } from '../context/document.ts';
import { nearestKeys } from './nearest.ts';

const FACTS = {
  people: { maria: { role: 'CTO', since: 2019 }, mark: { role: 'CEO' } },
  project: { deadline: 'May', 'v1.2': { date: 'June' } },
  Größe: 1,
};

function nearest(text: string, facts: unknown = FACTS): string[] {
  return nearestKeys(readDocument(Buffer.from(JSON.stringify(facts))).facts(), text);
}

it.each([
  ['people.mria', 'people.maria'],
  ['people.maria.rloe', 'people.maria.role'],
  ['maria.role', 'people.maria.role'],
  ['project.dead_line', 'project.deadline'],
  ['GROSE', 'Größe'],
  ['project.v1.3.date', 'project.v1\\.2.date'],
])('%s is like %s', (text, key) => {
  expect(nearest(text)[0]).toBe(key);
});

it.each(['', '...', 'zzzz', '漢'])('nothing is like %j', (text) => {
  expect(nearest(text)).toEqual([]);
});

it('gives at most three, each once, and first those that are most alike', () => {
  expect(nearest('people.maria.role')).toEqual([
    'people.maria.role',
    'people.mark.role',
    'people.maria.since',
  ]);
});

it('gives a key that is in several files once', () => {
  const facts = [...readDocument(Buffer.from('{"a.b": {"a": 1}}')).facts()];
  expect(nearestKeys([...facts, ...facts], 'a.b')).toEqual(['a\\.b', 'a\\.b.a']);
});

it('names keys that are there, the key itself first', () => {
  fc.assert(
    fc.property(contextText, fc.nat(), (text, at) => {
      const document = readDocument(Buffer.from(text));
      const facts = [...document.facts()];
      const { key = '' } = facts[at % Math.max(1, facts.length)] ?? {};
      const keys = nearestKeys(facts, key);
      for (const one of keys)
        expect(facts.some((fact) => fact.key === one || fact.key.startsWith(`${one}.`))).toBe(true);
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});
