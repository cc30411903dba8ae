import { describe, expect, it } from 'vitest';
import { languageOf } from '../language/language.ts';
import { isMinified } from './minified.ts';

const minified = (path: string, text: string) => isMinified(path, text, languageOf(path));
const packed = 'function a(b,c){return b?c:d(e)}var f=a(1,2);'.repeat(400);
const base64 = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(600);
const written = '  const answer = ask(question);\n'.repeat(100);

describe('isMinified', () => {
  it.each([
    ['lib.js', packed],
    ['lib.js', `/*! A library, MIT. */\n${packed}\n`],
    ['lib.js', `${packed.slice(0, 500)}\n`.repeat(40)],
    ['lib.css', 'a{color:red}b{margin:0 1px}'.repeat(400)],
    ['bundle', packed],
    ['page.html', `<!doctype html><html>${'<p><b>x</b></p>'.repeat(2_000)}</html>`],
    ['data.json', JSON.stringify(Array.from({ length: 2_000 }, (_, i) => ({ id: i, name: 'a b c' })))],
    ['logo.svg', `<svg><path d="${'M1 2 L3 4 '.repeat(900)}"/></svg>`],
    ['blob.py', `DATA = "${base64}"\n`],
  ])('knows %s', (path, text) => {
    expect(minified(path, text)).toBe(true);
  });

  it.each([
    ['code in lines', 'a.js', written],
    ['a short one-liner', 'a.js', packed.slice(0, 1_500)],
    [
      'code with long strings of words',
      'messages.js',
      `m = {\n${`a: '${'some words of a message '.repeat(20)}',\n`.repeat(30)}}`,
    ],
    ['code that holds a blob', 'a.py', `${written}BLOB = "${base64.slice(0, 8_000)}"\n${written}`],
    [
      'a page with an inline image',
      'a.html',
      `${'<p>Some words</p>\n'.repeat(100)}<img src="data:${base64}">\n`,
    ],
    [
      'prose with a line a paragraph',
      'a.md',
      `${'Words that make a very long paragraph. '.repeat(60)}\n\n`.repeat(20),
    ],
    ['one enormous line of prose', 'a.txt', 'x'.repeat(50_000)],
    [
      'TeX with a line a paragraph',
      'a.tex',
      `${'Words that make a very long paragraph. '.repeat(60)}\n\n`.repeat(20),
    ],
    ['a table', 'a.csv', `${'1,2,3,'.repeat(2_000)}\n`],
    ['JSON Lines', 'a.jsonl', `${JSON.stringify({ text: 'x'.repeat(6_000) })}\n`.repeat(5)],
    [
      'JSON in lines',
      'a.json',
      JSON.stringify(
        Array.from({ length: 2_000 }, (_, i) => i),
        null,
        1,
      ),
    ],
    ['short JSON in one line', 'a.json', JSON.stringify(Array.from({ length: 900 }, (_, i) => i))],
    ['a notebook', 'a.ipynb', `{"cells": [{"source": "x", "png": "${base64}"}]}`],
    ['SQL with long rows', 'a.sql', `INSERT INTO t VALUES (${'1,'.repeat(9_000)}1);\n`],
    ['nothing', 'a.js', ''],
  ])('keeps %s', (_, path, text) => {
    expect(minified(path, text)).toBe(false);
  });
});
