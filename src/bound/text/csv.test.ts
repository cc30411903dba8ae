import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutCsv } from './csv.ts';
import { jobOf, type TextToCut } from './job.ts';
import { ESCAPED, keptOf, LENGTH, longText, WORDS } from './text.testing.ts';

function cut(text: TextToCut['text'], room: number, more: Partial<TextToCut> = {}) {
  return cutCsv(jobOf({ text, room, cost: LENGTH, tailShare: 0.5, words: WORDS, ...more }));
}

const rowsOf = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join('');
const people = `id,name,city\n${rowsOf(500, (index) => `${index},Ann ${index},Paris\n`)}`;

/** A plain reader of RFC 4180. */
function parse(csv: string, delimiter = ','): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}"\\r\\n]*))(${delimiter}|\\r?\\n|$)`, 'y');
  while (field.lastIndex < csv.length) {
    const match = field.exec(csv);
    if (!match) throw new Error('not CSV');
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === delimiter) continue;
    records.push(record);
    record = [];
  }
  return records;
}

describe('cutCsv', () => {
  it('keeps the header, the first and the last records, and tells of the others in a record', () => {
    const result = cut(people, 1000);
    const records = parse(result?.text ?? '');
    const said = records.findIndex(([first]) => first?.startsWith('[cut'));
    expect(result?.kind).toBe('csv');
    expect(records.every((record) => record.length === 3)).toBe(true);
    expect(records[0]).toEqual(['id', 'name', 'city']);
    expect(records[1]).toEqual(['0', 'Ann 0', 'Paris']);
    expect(records.at(-1)).toEqual(['499', 'Ann 499', 'Paris']);
    const [gap] = result?.gaps ?? [];
    expect(records[said]).toEqual([gap && `${WORDS.notice([gap])} ${WORDS.marker(gap)}`, '', '']);
    expect(gap?.lines).toEqual({
      from: said + 1,
      to: 501 - (records.length - said - 1),
      count: 502 - records.length,
    });
  });

  it('keeps to the line ends and the delimiter of the text', () => {
    const result = cut(people.replaceAll('\n', '\r\n').replaceAll(',', ';'), 1000);
    expect(result?.text.match(/(?<!\r)\n/)).toBeNull();
    expect(parse(result?.text ?? '', ';').every((record) => record.length === 3)).toBe(true);
    const tabs = cut(people.replaceAll(',', '\t'), 1000)?.text.trimEnd().split('\n');
    expect(tabs?.every((line) => line.split('\t').length === 3)).toBe(true);
  });

  it('does not take a line within a field for a record', () => {
    const text = `id,note\n${rowsOf(200, (index) => `${index},"first\n7,seven\nlast ""${index}"""\n`)}`;
    for (let room = 400; room < 460; room++) {
      const records = parse(cut(text, room)?.text ?? 'nothing');
      expect(records.every((record) => record.length === 2)).toBe(true);
      expect(records.at(-1)).toEqual(['199', 'first\n7,seven\nlast "199"']);
    }
  });

  it('cuts what is only held at its ends alike', () => {
    expect(cut(longText(people, 3000), 1000)).toEqual(cut(people, 1000));
  });

  it('gives up where the header and the words do not fit', () => {
    expect(cut(people, 150)).toBeUndefined();
    expect(cut(`id,${'x'.repeat(70)},${'y'.repeat(70)}\n${people}`, 300)).toBeUndefined();
  });

  it('leaves out a record that is too large at the end', () => {
    const result = cut(`${people}500,${'x'.repeat(5000)},Rome`, 1000);
    expect(parse(result?.text ?? '').at(-1)?.[0]).toMatch(/^\[cut below/);
  });

  it.each([
    ['prose', 'Apples, pears, and plums.\nReading, writing, and sums.\n'.repeat(100)],
    ['poetry', 'Roses are red, violets are blue, sugar is sweet\n'.repeat(100)],
    ['a log', rowsOf(200, (index) => `2024-05-01 12:00:00,${100 + index} INFO request done, status 200\n`)],
    ['a log of one form', rowsOf(200, (index) => `INFO: request ${index}, status: 200, took: 5 ms\n`)],
    ['rows without a header', rowsOf(200, (index) => `${index},2,3\n`)],
    ['code', rowsOf(200, (index) => `call(a${index}, b, c);\n`)],
    ['a ragged table', `${people}1,2\n${people}`],
    ['a table with a sum below', `${people}Total: 500\n`],
    ['broken quotes', `${people.slice(0, 60)}5,"a"b,c\n${people.slice(60)}`],
    ['too few records', `a,b,c\n1,2,3\n4,5,6\n`],
    ['one column', `name\n${rowsOf(200, (index) => `Ann ${index}\n`)}`],
  ])('is not for %s', (_, text) => {
    expect(cut(text, 1000)).toBeUndefined();
  });

  it('stays CSV within any room, with whole records of the text', () => {
    const field = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', '🎉', ' ', '1') }),
      fc.string({ unit: fc.constantFrom('a', '""', ',', '\n', '1', 'é') }).map((content) => `"${content}"`),
    );
    const rows = fc.array(fc.tuple(field, field, field), { minLength: 10, maxLength: 60 });
    const room = fc.integer({ min: 0, max: 1500 });
    const share = fc.constantFrom(0, 0.3, 0.5, 1);
    fc.assert(
      fc.property(rows, room, share, fc.boolean(), (rows, room, tailShare, ends) => {
        const text = ['a,b,c', ...rows.map((row) => row.join(','))].join('\n') + (ends ? '\n' : '');
        const result = cut(text, room, { tailShare, cost: ESCAPED });
        if (!result || ESCAPED(text) <= room) return;
        expect(ESCAPED(result.text)).toBeLessThanOrEqual(room);
        const records = parse(result.text);
        const all = parse(text);
        const [head = '', tail = ''] = keptOf(text, result.gaps);
        const [first, last] = [parse(head), parse(tail)];
        expect(all.slice(0, first.length)).toEqual(first);
        expect(all.slice(all.length - last.length)).toEqual(last);
        expect(first.length).toBeGreaterThan(0);
        expect([...first, records[first.length], ...last]).toEqual(records);
        expect(records[first.length]?.slice(1)).toEqual(['', '']);
      }),
    );
  });
});
