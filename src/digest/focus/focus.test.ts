import { describe, expect, it } from 'vitest';
import { languageOf } from '../language/language.ts';
import { type Candidate, candidateMaker } from '../rank/candidate.ts';
import { FocusFinder } from './focus.ts';

function focusOn(
  question: string,
  texts: Record<string, string>,
  weightOf: (file: Candidate) => number = () => 1,
) {
  const finder = new FocusFinder(question, weightOf);
  const toCandidate = candidateMaker();
  const files = Object.entries(texts).map(([path, text]) => {
    const traits = { language: languageOf(path), vendored: false, binaryName: false, named: false };
    const file = toCandidate({ path, kind: 'file', size: text.length }, traits);
    finder.add(file, text);
    return file;
  });
  const focus = finder.finish();
  const order = files
    .filter((file) => focus.relevanceOf(file))
    .sort((a, b) => (focus.relevanceOf(a)?.place ?? 0) - (focus.relevanceOf(b)?.place ?? 0))
    .map(({ entry }) => entry.path);
  return { focus, files, order };
}

describe('focus', () => {
  it('finds identifiers by their words, and words by their identifiers', () => {
    const texts = {
      'a.ts': 'const parseBudget = 1;',
      'b.ts': 'const other = 2;',
      'c.py': 'parse_budget = 3',
    };
    expect(focusOn('how is the budget parsed', texts).order.toSorted()).toEqual(['a.ts', 'c.py']);
    expect(focusOn('parseBudget fails', texts).order.toSorted()).toEqual(['a.ts', 'c.py']);
  });

  it('takes rare words for more than common ones', () => {
    const common = 'error error error';
    const texts = { 'a.ts': common, 'b.ts': common, 'c.ts': common, 'd.ts': 'error zstd' };
    const { order, focus, files } = focusOn('an error in zstd', texts);
    expect(order[0]).toBe('d.ts');
    expect(focus.relevanceOf(files[3] as Candidate)).toMatchObject({ place: 0, share: 1 });
    expect(focus.relevanceOf(files[3] as Candidate)?.terms[0]).toBe('zstd');
  });

  it('takes a word in a path for more than one in a text', () => {
    expect(focusOn('retry', { 'x/retry.ts': 'nothing else here', 'y.ts': 'retry once here' }).order[0]).toBe(
      'x/retry.ts',
    );
  });

  it('does not prefer long files', () => {
    const long = `cache ${'filler words of all sorts '.repeat(500)}`;
    expect(focusOn('cache', { 'long.ts': long, 'short.ts': 'cache it' }).order[0]).toBe('short.ts');
  });

  it('weighs files by their kind', () => {
    const texts = { 'a.ts': 'cache', 'b.test.ts': 'cache' };
    expect(focusOn('cache', texts, ({ name }) => (name === 'a.ts' ? 0.1 : 1)).order[0]).toBe('b.test.ts');
  });

  it('scores lines by what they have of the question', () => {
    const { focus } = focusOn('parse the budget', { 'a.ts': 'parse\nbudget', 'b.ts': 'parse' });
    expect(focus.lineScore('parseBudget(x)')).toBeGreaterThan(focus.lineScore('budget'));
    expect(focus.lineScore('budget')).toBeGreaterThan(focus.lineScore('parse'));
    expect(focus.lineScore('the nothing')).toBe(0);
  });

  it.each(['', 'the of and', '!!! ???', '\u0000', 'x'.repeat(100_000)])(
    'finds nothing for %j',
    (question) => {
      expect(focusOn(question.slice(0, 200_000), { 'a.ts': 'the cat', 'b.ts': '' }).order).toEqual([]);
    },
  );
});
