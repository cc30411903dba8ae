import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outline } from '../outline/outline.ts';
import { FileIndex } from './file-index.ts';

const line = fc.nat({ max: 100_000 });
const lines = fc.tuple(line, line).map(([start, length]) => ({ start, end: start + length }));
const outline: fc.Arbitrary<Outline> = fc.record({
  imports: fc.array(lines),
  definitions: fc.array(
    fc.record(
      {
        name: fc.string({ unit: 'binary' }),
        signature: lines,
        whole: lines,
        doc: line,
        body: lines,
        depth: fc.nat({ max: 50 }),
        exported: fc.boolean(),
      },
      { requiredKeys: ['name', 'signature', 'whole', 'depth', 'exported'] },
    ),
  ),
});
const LANGUAGES = ['Rust', 'TypeScript'];
const language = fc.constantFrom(...LANGUAGES);

describe('an index', () => {
  it('gives what was kept, also when it is read again, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), language, fc.array(fc.string({ unit: 'binary' })))),
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), language, outline)),
        (imports, outlines) => {
          const index = new FileIndex('1');
          for (const one of imports) index.keepImports(...one);
          for (const one of outlines) index.keepOutline(...one);
          const wantedImports = new Map(imports.map(([id, name, list]) => [`${name} ${id}`, list]));
          const wantedOutlines = new Map(outlines.map(([text, name, one]) => [`${name} ${text}`, one]));
          for (const held of [index, new FileIndex('1', index.text())]) {
            for (const name of LANGUAGES) {
              for (const [id] of imports)
                expect(held.importsOf(id, name)).toEqual(wantedImports.get(`${name} ${id}`));
              for (const [text] of outlines)
                expect(held.outlineOf(text.toWellFormed(), name)).toEqual(
                  outlineWanted(wantedOutlines, name, text),
                );
            }
          }
        },
      ),
    );
  });

  /** Texts are told apart as they are written in UTF-8. */
  function outlineWanted(known: ReadonlyMap<string, Outline>, name: string, text: string) {
    const like = [...known].filter(([key]) => key.toWellFormed() === `${name} ${text}`.toWellFormed());
    return like.at(-1)?.[1];
  }

  it('has grown once something was kept', () => {
    const index = new FileIndex('1', '["1",[0,"Rust a",["b"]]]');
    expect(index.importsOf('a', 'Rust')).toEqual(['b']);
    expect(index.hasGrown).toBe(false);
    index.keepImports('c', 'Rust', []);
    expect(index.hasGrown).toBe(true);
  });

  it('takes nothing from another version', () => {
    const index = new FileIndex('1');
    index.keepImports('a', 'Rust', ['b']);
    const text = index.text();
    expect(new FileIndex('2', text).importsOf('a', 'Rust')).toBeUndefined();
    expect(new FileIndex('1', text).importsOf('a', 'Rust')).toEqual(['b']);
  });

  it('is written as far as it is not too long, without what was used longest ago', () => {
    const index = new FileIndex('1');
    const megabyte = ['x'.repeat(1024 * 1024)];
    for (let i = 0; i < 20; i++) index.keepImports(String(i), 'Rust', megabyte);
    index.importsOf('0', 'Rust');
    const text = index.text();
    expect(text.length).toBeLessThan(17 * 1024 * 1024);
    const held = new FileIndex('1', text);
    expect(['0', '1', '4', '6', '19'].map((id) => held.importsOf(id, 'Rust') !== undefined)).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });
});
