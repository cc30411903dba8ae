import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attributes } from '../types.ts';
import { AttributeFiles } from './attributes.ts';
import { git, tempFolder, write } from './fixture.ts';

function attributesOf(path: string, files: Readonly<Record<string, string>>): Attributes {
  const attributes = new AttributeFiles();
  for (const [folder, content] of Object.entries(files)) attributes.add(folder, Buffer.from(content));
  return attributes.of(path);
}

test.each<[string, Attributes]>([
  ['a.ts linguist-generated', { generated: true }],
  ['a.ts linguist-generated=true', { generated: true }],
  ['a.ts linguist-generated=false', { generated: false }],
  ['a.ts -linguist-vendored', { vendored: false }],
  ['*.ts linguist-documentation\n*.ts !linguist-documentation', {}],
  ['*.ts linguist-vendored\na.ts -linguist-vendored', { vendored: false }],
  ['*.ts linguist-vendored linguist-language=Python text', { vendored: true, language: 'Python' }],
  ['*.ts filter=lfs diff=lfs merge=lfs -text', { lfs: true }],
  ['*.ts filter=lfs\na.ts -filter', {}],
  ['*.ts filter=crypt', {}],
  ['*.ts linguist-language', {}],
  ['# a.ts linguist-generated', {}],
  ['  a.ts\tlinguist-generated\r', { generated: true }],
  ['\ufeffa.ts linguist-generated', { generated: true }],
  ['"a.ts" linguist-generated', { generated: true }],
  ['"\\141.ts" linguist-generated', { generated: true }],
  ['!a.ts linguist-generated', {}],
  ['[attr]mine linguist-generated\na.ts mine', {}],
  ['a.ts linguist-generated in,valid', {}],
  ['a.ts/ linguist-generated', {}],
  [`a.ts linguist-generated ${'x'.repeat(2048)}`, {}],
  ['b.ts linguist-generated', {}],
])('%j', (content, expected) => {
  expect(attributesOf('a.ts', { '': content })).toEqual(expected);
});

test('a pattern for a folder says nothing about what is in it', () => {
  expect(
    attributesOf('lib/x.ts', { '': 'lib linguist-vendored\nlib/ linguist-vendored\n/lib linguist-vendored' }),
  ).toEqual({});
  expect(attributesOf('lib/x.ts', { '': 'lib/** linguist-vendored' })).toEqual({ vendored: true });
});

test('deeper files are stronger, each attribute for itself', () => {
  const files = { '': '*.ts linguist-vendored linguist-generated', 'a/b': 'x.ts -linguist-vendored' };
  expect(attributesOf('a/b/x.ts', files)).toEqual({ vendored: false, generated: true });
  expect(attributesOf('a/x.ts', files)).toEqual({ vendored: true, generated: true });
});

const name = fc.constantFrom('a', 'b', 'ab', 'a b', 'é', 'x.c', '.d');
const part = fc.oneof(name, fc.constantFrom('*', '?', '**', '*.c', '[ab]', '[!a]', 'a*', '\\a', '??'));
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '/'),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '/'),
  )
  .map(([start, parts, end]) => start + parts.join('/') + end)
  .map((text) => (text.includes(' ') ? `"${text.replaceAll('\\', '\\\\')}"` : text));
const change = fc
  .tuple(
    fc.constantFrom('', '-', '!'),
    fc.constantFrom('linguist-generated', 'linguist-vendored', 'linguist-documentation', 'text', 'binary'),
  )
  .map((pair) => pair.join(''));
const setting = fc.oneof(
  change,
  fc.constantFrom(
    'filter=lfs',
    '-filter',
    'filter=other',
    'linguist-language=C++',
    '!linguist-language',
    'linguist-generated=false',
  ),
);
const line = fc
  .tuple(pattern, fc.array(setting, { minLength: 1, maxLength: 3 }))
  .map(([glob, sets]) => [glob, ...sets].join(' '));
const content = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

test('it agrees with git', () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  const property = fc.property(
    fc.tuple(content, content),
    fc.uniqueArray(path, { minLength: 1, maxLength: 20 }),
    ([outer, inner], paths) => {
      write(root, { '.gitattributes': outer, 'a/.gitattributes': inner });
      const ours = paths.map((each) => [each, attributesOf(each, { '': outer, a: inner })]);
      expect(ours).toEqual(paths.map((each) => [each, gitAttributes(root, paths).get(each)]));
    },
  );
  fc.assert(property, { numRuns: 60 });
});

const KEYS = new Map([
  ['linguist-generated', 'generated'],
  ['linguist-vendored', 'vendored'],
  ['linguist-documentation', 'documentation'],
]);

function gitAttributes(root: string, paths: readonly string[]): Map<string, Attributes> {
  const out = execFileSync(
    'git',
    ['check-attr', '-z', '--stdin', ...KEYS.keys(), 'filter', 'linguist-language'],
    {
      cwd: root,
      input: paths.map((each) => `${each}\0`).join(''),
      encoding: 'utf8',
    },
  ).split('\0');
  const found = new Map<string, Attributes>(paths.map((each) => [each, {}]));
  for (let at = 0; at + 2 < out.length; at += 3) {
    const [each, attribute, value] = out.slice(at, at + 3) as [string, string, string];
    if (value === 'unspecified') continue;
    const key = KEYS.get(attribute);
    if (key) Object.assign(found.get(each) as object, { [key]: value !== 'unset' && value !== 'false' });
    else if (attribute === 'filter' && value === 'lfs')
      Object.assign(found.get(each) as object, { lfs: true });
    else if (attribute === 'linguist-language') Object.assign(found.get(each) as object, { language: value });
  }
  return found;
}
