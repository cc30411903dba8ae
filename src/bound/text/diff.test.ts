import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutDiff } from './diff.ts';
import { jobOf, type TextToCut } from './job.ts';
import { ESCAPED, keptOf, LENGTH, longText, WORDS } from './text.testing.ts';

function cut(text: TextToCut['text'], room: number, more: Partial<TextToCut> = {}) {
  return cutDiff(jobOf({ text, room, cost: LENGTH, tailShare: 0.5, words: WORDS, ...more }));
}

const hunk = (line: number, lines = 3, word = 'text') =>
  `@@ -${line},${lines + 2} +${line},${lines + 2} @@ function f()\n ${word} a\n${`-old ${word}\n+new ${word}\n`.repeat(lines)} ${word} z\n`;
const header = (name: string) =>
  `diff --git a/${name} b/${name}\nindex 1234567..89abcde 100644\n--- a/${name}\n+++ b/${name}\n`;
const file = (name: string, hunks: number, lines?: number) =>
  header(name) + Array.from({ length: hunks }, (_, index) => hunk(10 * index + 1, lines)).join('');

describe('cutDiff', () => {
  const diff = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => file(name, 10)).join('');

  it('keeps whole hunks of the start and the end, and the header of the last file', () => {
    const result = cut(diff, 2000);
    expect(result?.kind).toBe('diff');
    const [head, middle, tail] = keptOf(diff, result?.gaps ?? []);
    expect(head).toBe(header('a.ts') + [1, 11, 21, 31, 41, 51, 61].map((line) => hunk(line)).join(''));
    expect(middle).toBe(header('d.ts'));
    expect(tail).toBe([21, 31, 41, 51, 61, 71, 81, 91].map((line) => hunk(line)).join(''));
    expect(result?.text).toContain('...] (23 hunks, 2 files)\ndiff --git a/d.ts');
    expect(result?.text).toContain('[... 212 ...] (2 hunks, 0 files)\n@@ -21,5');
  });

  it('is one in colours too', () => {
    const signs: Record<string, string> = { '@': '36', '-': '31', '+': '32', d: '1', i: '1' };
    const coloured = diff.replace(
      /^([@+di-])(.*)$/gm,
      (line, sign) => `\u001b[${signs[sign]}m${line}\u001b[m`,
    );
    const text = `\u001b[33mcommit 1234567\u001b[m\n\n    fix an error\n\n${coloured}`;
    const result = cut(text, 3000);
    expect(result?.kind).toBe('diff');
    expect(result?.text).toMatch(/\] \(\d+ hunks, \d files?\)\n\u001b\[(?:1mdiff|36m@@)/);
    const [head = '', ...rest] = keptOf(text, result?.gaps ?? []);
    expect(head).toContain(coloured.slice(0, 500));
    for (const piece of rest) expect(piece).toMatch(/^\u001b\[(?:1mdiff|36m@@)/);
  });

  it('needs no header in the middle where the head has it, or the tail starts with a file', () => {
    const one = file('a.ts', 40);
    const result = cut(one, 2000);
    expect(result?.gaps).toHaveLength(1);
    expect(result?.text.match(/diff --git/g)).toHaveLength(1);
    expect(result?.text).toMatch(/\(24 hunks, 0 files\)/);
    const many = Array.from({ length: 40 }, (_, index) => file(`${index}.ts`, 1)).join('');
    const [head, tail, ...rest] = keptOf(many, cut(many, 2000)?.gaps ?? []);
    expect(head).toMatch(/^diff --git/);
    expect(tail).toMatch(/^diff --git/);
    expect(rest).toEqual([]);
  });

  it('cuts a giant hunk at lines', () => {
    const text = header('a.ts') + hunk(1, 1000);
    const result = cut(text, 1000);
    expect(result?.kind).toBe('diff');
    const [head, tail] = keptOf(text, result?.gaps ?? []);
    expect(head).toMatch(/^diff --git.*\n$/s);
    expect(tail).toMatch(/^[-+].*\n/);
    expect((head?.length ?? 0) + (tail?.length ?? 0)).toBeGreaterThan(600);
  });

  it('knows plain unified diffs, also where lines look like headers', () => {
    const lines = '@@ -1,2 +1,2 @@\n--- x\n+++ y\n \n@@ -9 +9 @@\n-a\n+b\n\\ No newline at end of file\n';
    const text = Array.from(
      { length: 50 },
      (_, index) => `--- ${index}.old\n+++ ${index}.new\n${lines}`,
    ).join('');
    const result = cut(text, 1000);
    expect(result?.text).toMatch(/\(\d+ hunks, \d+ files\)/);
    const [head = '', ...rest] = keptOf(text, result?.gaps ?? []);
    expect(head).toMatch(/(?:new|y)\n \n$|at end of file\n$/);
    expect(rest.at(-1)).toMatch(/^(?:--- \d|@@)/);
    const [hunks = 0, files = 0] =
      /\((\d+) hunks, (\d+) files\)/
        .exec(result?.text ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    expect(hunks).toBe(text.slice(head.length, result?.gaps[0]?.to).match(/^@@/gm)?.length);
    expect(files).toBe(text.slice(head.length, result?.gaps[0]?.to).match(/\.old$/gm)?.length);
  });

  it('finds the last hunks of what is only held at its ends', () => {
    const result = cut(longText(diff, 1500), 2000);
    expect(result?.gaps).toEqual(cut(diff, 2000)?.gaps);
    expect(result?.text).not.toMatch(/\d hunks/);
  });

  it.each([
    ['prose', 'A line.\n'.repeat(1000)],
    ['a text that shows a hunk', `@@ -1,2 +1,2 @@\n${'A line.\n'.repeat(1000)}`],
    ['a document with a diff far below', `${'A line.\n'.repeat(2000)}${file('a.ts', 10)}`],
  ])('is not for %s', (_, text) => {
    expect(cut(text, 1000)).toBeUndefined();
  });

  it('keeps to any room, with whole hunks unless one is larger than it', () => {
    const files = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 })), {
      minLength: 1,
      maxLength: 12,
    });
    const space = fc.record({
      room: fc.integer({ min: 0, max: 3000 }),
      tailShare: fc.constantFrom(0, 0.3, 0.5, 1),
      maxLines: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(files, space, fc.boolean(), (files, { room, ...more }, isLong) => {
        const diff = files.map(([hunks, lines], index) => file(`${index}.ts`, hunks, lines)).join('');
        if (ESCAPED(diff) <= room) return;
        const text = isLong ? longText(diff, 1000) : diff;
        const result = cut(text, room, { cost: ESCAPED, ...more });
        if (!result) return;
        expect(ESCAPED(result.text)).toBeLessThanOrEqual(room);
        expect(result.text.split('\n').length).toBeLessThanOrEqual((more.maxLines ?? 1e6) + 1);
        for (const kept of keptOf(diff, result.gaps)) expect(result.text).toContain(kept);
        for (const gap of result.gaps) expect(gap.chars).toBe(gap.to - gap.from);
      }),
    );
  });
});
