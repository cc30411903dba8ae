import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../secrets/secrets.ts';
import { parse } from '../outline/parse.ts';
import { Excerpts } from './excerpt.ts';
import { contentOf } from './fixture.ts';

const CODE = `import { a } from './a';

/** Adds up. */
export function sum(x: number, y: number): number {
  const total = x + y;
  return total;
}

function own(): void {
  const needle = 'haystack';
  console.log(needle);
}

export class Counter {
  count = 0;
  /** One more. */
  next(): number {
    this.count += 1;
    return this.count;
  }
}
`;

async function excerptsOf(text: string, lineScore?: (line: string) => number): Promise<Excerpts> {
  const outline = await parse(text, 'TypeScript');
  if ('failure' in outline) throw new Error(outline.failure);
  return new Excerpts(contentOf(text), outline, lineScore);
}

const numbersIn = (text = ''): number[] =>
  [...text.matchAll(/^(\d+): /gm)].map(([, number]) => Number(number));

describe('an excerpt', () => {
  it('has what is exported first, then its comments, own definitions and imports', async () => {
    const excerpts = await excerptsOf(CODE.replace(/.+/g, (line) => line.padEnd(70)));
    const order: number[] = [];
    for (let room = 0; room < 2000; room += 76)
      for (const line of numbersIn(excerpts.within(room)?.text)) if (!order.includes(line)) order.push(line);
    const place = (line: number): number => order.indexOf(line);
    const inOrder = [4, 17, 3, 9, 1, 5];
    expect(inOrder.map(place)).toEqual(inOrder.map(place).toSorted((a, b) => a - b));
    expect(inOrder.map(place)).not.toContain(-1);
  });

  it('stands in the order of the file, each line with its number', async () => {
    const lines = CODE.split('\n');
    const { text = '', shown, lines: all } = (await excerptsOf(CODE)).within(200) ?? {};
    const numbers = numbersIn(text);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(text).toBe(numbers.map((number) => `${number}: ${lines[number - 1]}\n`).join(''));
    expect([shown, all]).toEqual([numbers.length, lines.length - 1]);
  });

  it('has what is wanted first, with the lines beside it and the signature that it stands in', async () => {
    const excerpts = await excerptsOf(CODE, (line) => (line.includes("'haystack'") ? 1 : 0));
    expect(numbersIn(excerpts.within(60)?.text)).toEqual([9, 10]);
    expect(numbersIn(excerpts.within(90)?.text)).toEqual([9, 10, 11]);
  });

  it('counts a line as it stands in the file where a secret of several lines went', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA1234567890abcdefghij\n'.repeat(4)}-----END RSA PRIVATE KEY-----`;
    const text = `const key = \`${key}\`;\nexport function after(): void {}\n`;
    const found = await redactSecrets(text);
    const outline = await parse(found.text, 'TypeScript');
    if ('failure' in outline) throw new Error(outline.failure);
    const excerpts = new Excerpts({ ...contentOf(found.text), secrets: found.found }, outline);
    const line = text.split('\n').findIndex((each) => each.includes('after')) + 1;
    expect(excerpts.within(60)?.text).toContain(`${line}: export function after`);
  });

  it('never has more than its room, and more room never shows less', async () => {
    const excerpts = await excerptsOf(CODE);
    fc.assert(
      fc.property(fc.nat(800), fc.nat(300), (room, more) => {
        const short = excerpts.within(room);
        const long = excerpts.within(room + more);
        expect(short?.text.length ?? 0).toBeLessThanOrEqual(room);
        expect(long?.chars ?? 0).toBeGreaterThanOrEqual(short?.chars ?? 0);
      }),
    );
    expect(excerpts.within(2 * CODE.length)?.chars).toBe(CODE.length);
    expect(excerpts.within(3)).toBeUndefined();
  });
});
