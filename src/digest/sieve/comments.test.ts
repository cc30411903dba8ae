import { describe, expect, it } from 'vitest';
import { languageOf } from '../language/language.ts';
import { leadingComments } from './comments.ts';

const linesOf = (path: string, text: string) =>
  leadingComments(text, languageOf(path)).map((line) => line.text);

describe('leadingComments', () => {
  it.each([
    ['a.go', '// one\n\n//two\npackage a\n\n// three\nvar x = 1 // four\n', ['one', 'two', 'three']],
    ['a.c', '/* one\n * two\n */\n#include <x.h>\n// three\n', ['one', 'two', '']],
    ['a.py', '#!/bin/x\n# one\n"""two\nthree"""\nx = 1\n# four\n', ['bin/x', 'one', 'two', 'three']],
    ['a.php', '<?php\ndeclare(strict_types=1);\n/** one */\n$x = 1;\n', ['one']],
    ['a.html', '<!DOCTYPE html>\n<!-- one\ntwo -->\n<body>\n<!-- three -->\n', ['one', 'two']],
    ['a.rs', '#![allow(x)]\n// one\n', ['one']],
    ['a.rs', '#[derive(X)]\n// one\n', []],
    ['a.md', '# One\n<!-- two -->\n', []],
    ['a.md', '---\ntitle: x\n---\n<!-- one -->\n# Two\n', ['one']],
    ['a.txt', '# one\r\n# two\r\nx\r\n', ['one', 'two']],
    ['a.c', '\ufeff/***** one *****/ int x;\n// two\n', ['one ****']],
    ['a.c', '/* one\n two */ int x;\n// three\n', ['one', 'two']],
    ['a.c', '/* one', ['one']],
    ['a.c', '', []],
  ])('finds those of %s: %j', (path, text, lines) => {
    expect(linesOf(path, text)).toEqual(lines);
  });

  it('says which lines are set in', () => {
    expect(leadingComments('// a\n//   b\n//\tc\n/*\n * d\n *    e\n */', undefined)).toEqual([
      { text: 'a', flush: true },
      { text: 'b', flush: false },
      { text: 'c', flush: false },
      { text: '', flush: true },
      { text: 'd', flush: true },
      { text: 'e', flush: false },
      { text: '', flush: true },
    ]);
  });
});
