import { expect, it } from 'vitest';
import { parse } from '../parse.ts';

/** Names of what is for others, then of what isn't. */
async function split(language: string, text: string): Promise<[string[], string[]]> {
  const outline = await parse(text, language);
  if ('failure' in outline) throw new Error(outline.failure);
  const names = (exported: boolean) =>
    outline.definitions.filter((each) => each.exported === exported).map(({ name }) => name);
  return [names(true), names(false)];
}

it.each([
  [
    'Python',
    'what __all__ names alone',
    '__all__ = ["a", "_b"]\ndef a(): ...\ndef _b(): ...\ndef c(): ...\n',
    ['a', '_b'],
    ['c'],
  ],
  [
    'Python',
    'what is added to __all__',
    '__all__ = []\n__all__ += ["a"]\n__all__.extend(["b"])\na = b = c = 1\n',
    ['a', 'b'],
    [],
  ],
  [
    'JavaScript',
    'what is exported afterwards',
    'function a() {}\nfunction b() {}\nclass C {}\nexport { a, C as default };\n',
    ['a', 'C'],
    ['b'],
  ],
  [
    'JavaScript',
    'the one thing that is all',
    'module.exports = Store;\nfunction Store() {}\nStore.prototype.get = function () {};\nHidden.run = () => 1;\nfunction Hidden() {}\n',
    ['Store', 'get'],
    ['run', 'Hidden'],
  ],
  [
    'JavaScript',
    'a chain of assignments',
    'exports = module.exports = create;\nfunction create() {}\nexports.other = exports.same = function () {};\n',
    ['create', 'same', 'other'],
    [],
  ],
  [
    'JavaScript',
    'a function without a name',
    'module.exports = function (app) {\n  return app;\n};\n',
    ['module.exports'],
    [],
  ],
  [
    'TypeScript',
    'what a definition in one that is not exported says',
    'class A { run() {} }\nexport class B { private no() {} yes() {} }\n',
    ['B', 'yes'],
    ['A', 'run', 'no'],
  ],
  [
    'C',
    'of a source what is not static',
    '#include "a.h"\n#ifndef LIMIT\n#define LIMIT 1\n#endif\nstruct s { int x; };\nstatic int a(void) { return 1; }\nint b(void) { return 1; }\n',
    ['b'],
    ['LIMIT', 's', 'x', 'a'],
  ],
  [
    'C',
    'of a header all',
    '/* License */\n#ifndef A_H\n#define A_H\nstruct s { int x; };\nstatic inline int a(void) { return 1; }\n#endif\n',
    ['s', 'x', 'a'],
    [],
  ],
  [
    'Rust',
    'the methods of a type as the type itself',
    'pub struct A;\nstruct B;\nimpl A { pub fn a(&self) {} }\nimpl B { pub fn b(&self) {} }\nimpl Other { pub fn c(&self) {} }\n',
    ['A', 'A', 'a', 'Other', 'c'],
    ['B', 'B', 'b'],
  ],
  [
    'Lua',
    'tables that the file returns',
    'local M, H = {}, {}\nlocal late\nfunction M.a() end\nfunction H.b() end\nlate = function() end\nreturn M\n',
    ['M', 'a'],
    ['b', 'late'],
  ],
  [
    'Ruby',
    'what stands after private',
    'class A\n  def a; end\n  private\n  def b; end\n  class C\n    def c; end\n  end\n  def d; end\nend\n',
    ['A', 'a', 'C', 'c'],
    ['b', 'd'],
  ],
])('%s: %s', async (language, _what, text, exported, hidden) => {
  expect(await split(language, text)).toEqual([exported, hidden]);
});

it('takes a comment for what follows it, a line apart only if it is there for that', async () => {
  const doc = async (text: string) => {
    const outline = await parse(text, 'JavaScript');
    return 'failure' in outline ? outline.failure : outline.definitions[0]?.doc;
  };
  expect(await doc('a();\n/** Says it. */\n\nfunction f() {}\n')).toBe(1);
  expect(await doc('a();\n/** Says it. */\n\n\nfunction f() {}\n')).toBeUndefined();
  expect(await doc('a();\n// Says something.\n\nfunction f() {}\n')).toBeUndefined();
  expect(await doc('/** The file. */\n\nfunction f() {}\n')).toBeUndefined();
  expect(await doc('a(); // About that.\nfunction f() {}\n')).toBeUndefined();
  expect(await doc('/* eslint-disable no-var */\n// ------\n// In words.\nfunction f() {}\n')).toBe(2);
});
