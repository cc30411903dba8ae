import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseKey, splitKey } from '../../memory/context/keys.ts';
import { inInboxOf, Keys } from './key.ts';

function keyOf(subject: string, attribute: string, existing: string[] = []): string {
  return new Keys(existing).of({ subject, attribute });
}

test.each([
  ['Maria', 'role', 'maria.role'],
  ['Staging Server', 'Base URL', 'staging_server.base_url'],
  ['the API server', 'port', 'api_server.port'],
  ["Maria's team", 'size', 'maria_team.size'],
  ['Jörg Müller', 'Rolle', 'jörg_müller.rolle'],
  ['東京', '人口', '東京.人口'],
  ['project', 'buildCommand', 'project.build_command'],
  ['PostgreSQL', 'version', 'postgresql.version'],
  ['C++', 'standard', 'c++.standard'],
  ['next.config.js', 'purpose', 'next\\.config\\.js.purpose'],
  ['Maria', 'maria_role', 'maria.role'],
])('%s, %s', (subject, attribute, key) => {
  expect(keyOf(subject, attribute)).toBe(key);
});

test.each([
  ['', 'status', 'inbox.status'],
  ['status', 'value', 'inbox.status.value'],
  ['The name', 'of it', 'inbox.name.of_it'],
  ['🎉', 'deadline', 'inbox.deadline'],
  ['assistant', 'name', 'inbox.assistant.name'],
  ['2026-10-05', 'region', 'inbox.2026_10_05.region'],
  ['2026-10-05 08:11:02', 'status', 'inbox.2026_10_05_08_11_02.status'],
  ['2026-10-05T08:00:00.733Z', 'level', 'inbox.2026_10_05t08_00_00\\.733z.level'],
])('what names nothing goes to the inbox: %s, %s', (subject, attribute, key) => {
  expect(keyOf(subject, attribute)).toBe(key);
});

test('names that lead to prototypes are changed', () => {
  expect(keyOf('constructor', 'prototype')).toBe('constructor_.prototype_');
  expect(keyOf('__proto__', 'polluted')).toBe('proto.polluted');
});

test.each([
  ['Build Commands', 'Default-Target', 'build_command.default_target'],
  ['MARIA', 'Roles', 'people.maria.role'],
  ['people.maria', 'role', 'people.maria.role'],
  ['next.config.js', 'purpose', 'next\\.config\\.js.purpose'],
])('an existing key is preferred: %s, %s', (subject, attribute, key) => {
  const existing = ['build_command.default_target', 'people.maria.role', 'next\\.config\\.js.purpose'];
  expect(keyOf(subject, attribute, existing)).toBe(key);
});

test('a path may begin with a section that exists', () => {
  expect(keyOf('people.jonas', 'role', ['people.maria.role'])).toBe('people.jonas.role');
  expect(keyOf('people.jonas', 'role')).toBe('people\\.jonas.role');
});

test('a key that could be one of two is neither', () => {
  expect(keyOf('maria', 'role', ['work.maria.role', 'home.maria.role'])).toBe('maria.role');
});

test('existing keys that nothing may be stored under are passed over', () => {
  expect(keyOf('constructor', 'name', ['constructor.name', 'name'])).toBe('constructor_.name');
});

test('keys made before are known', () => {
  const keys = new Keys();
  expect(keys.of({ subject: 'Release Note', attribute: 'owner' })).toBe('release_note.owner');
  expect(keys.of({ subject: 'release-notes', attribute: 'Owners' })).toBe('release_note.owner');
});

test('any names give a key that is accepted, of two segments or more, and the same one again', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[a-zA-Z._ \\]{0,30}$/),
    fc.constantFrom(
      '__proto__',
      'prototype',
      'ﬁ',
      '\u3164',
      '\u200d',
      '\ud800',
      'a\u034f',
      '.env',
      'x'.repeat(2000),
    ),
  );
  fc.assert(
    fc.property(name, name, fc.array(name, { maxLength: 4 }), (subject, attribute, existing) => {
      const key = new Keys(existing).of({ subject, attribute });
      expect(parseKey(key)).toEqual(splitKey(key));
      expect(splitKey(key).length).toBeGreaterThan(1);
      expect(new Keys([...existing, key]).of({ subject, attribute })).toBe(key);
    }),
  );
});

test('what names nothing does not take the key of something that has a part of that name', () => {
  expect(keyOf('user', 'name', ['smtp.user.name'])).toBe('user.name');
});

test('a key of the inbox has the name of its file', () => {
  expect(inInboxOf('/tmp/Call of 3 May.vtt', 'inbox.deadline')).toBe('inbox.call_of_3_may.deadline');
  expect(inInboxOf('/tmp/...', 'inbox.status.value')).toBe('inbox.file.status.value');
  expect(inInboxOf('/tmp/a.vtt', 'maria.inbox')).toBe('maria.inbox');
});
