import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, goldenSamples, type Sample } from './fuzz.ts';
import { languages } from './languages/languages.ts';
import { NAMES } from './names.ts';
import { parse } from './parse.ts';

const samples = goldenSamples();
const sample = fc.constantFrom(...samples);
const language = fc.constantFrom(...languages.keys());

/** A golden file without a part of it. */
const cut: fc.Arbitrary<Sample> = fc
  .tuple(sample, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([{ text, language }, a, b]) => {
    const [from, to] = [Math.floor(Math.min(a, b) * text.length), Math.floor(Math.max(a, b) * text.length)];
    return { language, text: text.slice(0, from) + text.slice(to) };
  });

/** The beginning of one golden file and the end of another, in the language of a third. */
const spliced: fc.Arbitrary<Sample> = fc
  .tuple(cut, cut, language)
  .map(([a, b, language]) => ({ language, text: a.text.slice(0, 800) + b.text.slice(-800) }));

const words = [
  'class',
  'def',
  '{',
  '}',
  '(',
  ')',
  'end',
  '"',
  "'",
  '`',
  '<',
  '>',
  '#',
  '/*',
  '*/',
  '//',
  '\n',
];
const soup: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary' })), { maxLength: 60 }),
    language,
  )
  .map(([parts, language]) => ({ language, text: parts.join(' ') }));

const holds = async ({ text, language }: Sample): Promise<void> => {
  const outline = await parse(text, language);
  expect('failure' in outline ? outline : faultOf(outline, text)).toBeUndefined();
};

describe('outlines', () => {
  it('are well made of what is whole', async () => {
    for (const each of samples) await holds(each);
  });

  it('are well made of what is cut anywhere', async () => {
    await fc.assert(fc.asyncProperty(cut, holds), { numRuns: 400 });
  });

  it('are well made of languages spliced', async () => {
    await fc.assert(fc.asyncProperty(spliced, holds), { numRuns: 300 });
  });

  it('are well made of any text in any language', async () => {
    await fc.assert(fc.asyncProperty(soup, holds), { numRuns: 300 });
  });

  it('don’t take a carriage return for a part of a name', async () => {
    for (const { text, language } of samples) {
      const outline = await parse(text.replaceAll('\n', '\r\n'), language);
      const found = 'failure' in outline ? [] : outline.definitions.map(({ name }) => name);
      expect(found.filter((name) => name.includes('\r'))).toEqual([]);
    }
  });

  it('are the same each time', async () => {
    for (const { text, language } of samples)
      expect(await parse(text, language)).toEqual(await parse(text, language));
  });
});

it('names the languages that there are tables for', () => {
  expect([...NAMES].sort()).toEqual([...languages.keys()].sort());
});
