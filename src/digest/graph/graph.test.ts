import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GraphBuilder, hasImports } from './graph.ts';
import { LANGUAGES } from './languages.ts';

/** Beginnings, middles and ends of imports and comments in all languages. */
const FRAGMENTS = [
  ...['import ', 'import a.b', "import './a'", 'from . import ', 'from a import (', 'from a import b, \\\n'],
  ...[
    'export * from "./b"',
    'export {',
    '} from ',
    "require('./c",
    'require(',
    'require ',
    'import(',
    "'./a.js'",
  ],
  ...[
    'use ',
    'use a::{',
    'use crate::a::{b, ',
    'mod a;',
    'pub(',
    'use A\\B\\{C, ',
    'use A.B.',
    'alias A.{',
    'A.',
    'A::',
  ],
  ...[
    '#include "',
    '#include "a.h"',
    '#include <',
    'package a.b',
    'package ',
    'namespace A',
    'using A.B;',
    '@a ',
  ],
  ...[
    'source ',
    '. "$',
    '[[ a ',
    '}/a.sh',
    '@import("',
    'include("a.jl")',
    '/*',
    '*/',
    '"""',
    "'''",
    '#',
    '//',
    '--[[',
  ],
  ...[
    '{-',
    '=begin',
    '=head1',
    '<!--',
    '"',
    "'",
    '`',
    ';',
    '{',
    '}',
    '(',
    ')',
    ',',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\\',
    'a',
    '../',
  ],
];

/** So that imports can mean files. */
const ENDINGS: Readonly<Record<string, string>> = {
  Python: '.py',
  TypeScript: '.ts',
  Rust: '.rs',
  Go: '.go',
  C: '.h',
};

const FILES = [...LANGUAGES.keys()].flatMap((language) =>
  ['a', 'b/a', 'b/index', 'c/__init__', 'c/d/mod'].map((name) => ({
    path: `${name}.${language}${ENDINGS[language] ?? ''}`,
    language,
  })),
);

const someText = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 5, unit: 'binary' })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));
const someTexts = fc.uniqueArray(fc.tuple(fc.constantFrom(...FILES.map(({ path }) => path)), someText), {
  selector: ([path]) => path,
  maxLength: 12,
});

function graphOf(texts: Iterable<readonly [string, string]>): [string, number, number][] {
  const builder = new GraphBuilder(FILES, new Map([['a', 'b']]));
  for (const [path, text] of texts) builder.add(path, text);
  const graph = builder.finish();
  return FILES.map(({ path }) => [path, graph.importersOf(path), graph.importsOf(path)]);
}

describe('links', () => {
  it('are kept one by one of the files that are marked, either way', () => {
    const texts = { 'a.ts': "import './b';", 'b.ts': "import './c';\nimport './d';", 'c.ts': '', 'd.ts': '' };
    const builder = new GraphBuilder(Object.keys(texts).map((path) => ({ path, language: 'TypeScript' })));
    for (const [path, text] of Object.entries(texts)) builder.add(path, text);
    const { linksOf } = builder.finish(new Set(['b.ts', 'c.ts']));
    expect(linksOf('a.ts')).toEqual({ imports: ['b.ts'], importedBy: [] });
    expect(linksOf('b.ts')).toEqual({ imports: ['c.ts'], importedBy: [] });
    expect(linksOf('c.ts')).toEqual({ imports: [], importedBy: ['b.ts'] });
    expect(linksOf('d.ts')).toEqual({ imports: [], importedBy: ['b.ts'] });
    expect(builder.finish().linksOf('a.ts')).toEqual({ imports: [], importedBy: [] });
  });
});

describe('GraphBuilder', () => {
  it('counts what imports a file and what it imports', () => {
    const builder = new GraphBuilder([
      { path: 'a.py', language: 'Python' },
      { path: 'b.py', language: 'Python' },
      { path: 'c.py', language: 'Python' },
    ]);
    builder.add('a.py', 'import b\nfrom b import x\nimport c');
    builder.add('b.py', 'import c');
    const graph = builder.finish();
    expect([graph.importersOf('c.py'), graph.importsOf('a.py'), graph.importersOf('b.py')]).toEqual([
      2, 2, 1,
    ]);
    expect([graph.importersOf('a.py'), graph.importsOf('c.py'), graph.importersOf('none')]).toEqual([
      0, 0, 0,
    ]);
  });

  it('heeds no file that it was not told of, and no language without imports', () => {
    const builder = new GraphBuilder([{ path: 'a.md', language: 'Markdown' }]);
    builder.add('a.md', "import './b.js'");
    builder.add('b.js', "import './a.md'");
    expect(builder.finish().importsOf('b.js')).toBe(0);
    expect([hasImports('Markdown'), hasImports('TSX')]).toEqual([false, true]);
  });

  it('makes the same graph in whichever order files come, with as many importers as imports', () => {
    fc.assert(
      fc.property(
        someTexts.chain((texts) =>
          fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length })),
        ),
        ([texts, shuffled]) => {
          const graph = graphOf(texts);
          expect(graphOf(shuffled)).toEqual(graph);
          const sum = (which: 1 | 2): number => graph.reduce((total, file) => total + file[which], 0);
          expect(sum(1)).toBeCloseTo(sum(2), 6);
        },
      ),
    );
  });
});

describe('what a text imports', () => {
  const readers = [...new Set(LANGUAGES.values())].map((language) => [language.names[0], language] as const);

  const LENGTH = 100_000;

  // What isn't linear would take minutes.
  it.each(readers)('is read in linear time in %s', (_, { read }) => {
    for (const fragment of FRAGMENTS) {
      const repeated = [fragment, `${fragment}\n`].map((part) => part.repeat(LENGTH / part.length));
      const drawn = [' ', 'a', '('].map((part) => fragment + part.repeat(LENGTH));
      for (const hostile of [...repeated, ...drawn])
        expect(count(read(hostile))).toBeLessThanOrEqual(hostile.length);
    }
  });

  it.each(readers)('is read out of 5 MB of anything in %s', (_, { read }) => {
    for (const text of [' ', 'a', 'A.', 'import a, ', 'use a, ', '\n\t'])
      expect(count(read(text.repeat(5_000_000 / text.length)))).toBeLessThanOrEqual(5_000_000);
  });
});

function count(specs: Iterable<string>): number {
  let found = 0;
  for (const _ of specs) found++;
  return found;
}
