import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Lines, Outline } from '../outline.ts';
import { parse } from '../parse.ts';
import { languages } from './languages.ts';

const FOLDER = new URL('golden/', import.meta.url);
/** Outlined as one of the others is, to the letter. */
const SAME = new Set(['Cuda', 'Gradle Kotlin DSL', 'MDX', 'PLSQL', 'PLpgSQL', 'SQLPL', 'Starlark', 'TSQL']);

const read = (name: string): string => readFileSync(new URL(encodeURIComponent(name), FOLDER), 'utf8');
const goldens = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length));

/** Lines as editors count them. */
const lines = ({ start, end }: Lines): string => (start + 1 === end ? `${end}` : `${start + 1}-${end}`);

function written({ imports, definitions }: Outline): string {
  const rows = definitions.map(({ name, signature, doc, whole, body, depth, exported }) =>
    [
      `${'  '.repeat(depth)}${lines(whole)}`,
      ...(exported ? ['exported'] : []),
      name,
      `| ${lines(signature)}`,
      ...(doc === undefined ? [] : [`doc ${doc + 1}`]),
      ...(body ? [`body ${lines(body)}`] : []),
    ].join(' '),
  );
  return `${[...imports.map((each) => `import ${lines(each)}`), ...rows].join('\n')}\n`;
}

it.each(goldens)('outlines %s', async (language) => {
  const outline = await parse(read(`${language}.txt`), language);
  expect('failure' in outline ? outline.failure : written(outline)).toBe(read(`${language}.outline`));
});

it('has a golden file for every language', () => {
  expect([...languages.keys()].filter((name) => !goldens.includes(name) && !SAME.has(name))).toEqual([]);
});
