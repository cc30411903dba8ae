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

/** Base64 of bytes without a pattern, the same every time. */
function base64(bytes: number, seed: number): string {
  let state = seed + 1;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state & 0xff;
  };
  return Buffer.from(Array.from({ length: bytes }, next)).toString('base64');
}

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
    expect(records[said]).toEqual([
      gap && `${WORDS.notice([gap])} ${WORDS.marker(gap)}`.replaceAll('"', "'"),
      '',
      '',
    ]);
    expect(result?.text).toContain(`left out; read 'on' from ${gap?.from}`);
    expect(gap?.lines).toEqual({
      from: said + 1,
      to: 502 - (records.length - said - 1),
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

  it('shortens a record that is too large at the end', () => {
    const result = cut(`${people}500,${'x'.repeat(5000)},Rome`, 1000);
    const last = parse(result?.text ?? '').at(-1);
    expect(last).toEqual(['500', expect.stringMatching(/^x+\[\.\.\. \d+ \.\.\.\]$/), 'Rome']);
  });

  it.each([
    ['', 0],
    ['', 1],
    ['"', 0],
    ['"', 1],
  ])(
    'leaves out base64 in a column with quotes like %j from row %i on, and shows the rows around',
    (quote, at) => {
      const row = (index: number) =>
        `${index},${quote}${index % 3 === at ? base64(3000, index) : ''}${quote},z${index}\n`;
      const text = `id,img,z\n${rowsOf(60, row)}`;
      for (const what of [text, longText(text, 8000)]) {
        const result = cut(what, 1500);
        const records = parse(result?.text ?? '');
        expect(records.every((record) => record.length === 3)).toBe(true);
        expect(records.slice(0, 3)).toEqual([
          ['id', 'img', 'z'],
          ['0', at === 0 ? '[... 4000 ...]' : '', 'z0'],
          ['1', at === 1 ? '[... 4000 ...]' : '', 'z1'],
        ]);
        expect(records.slice(-3).map(([id, , z]) => [id, z])).toEqual([
          ['57', 'z57'],
          ['58', 'z58'],
          ['59', 'z59'],
        ]);
        expect(result?.text).not.toMatch(/[A-Za-z0-9+/]{100}/);
        for (const [id = '', , z] of records.filter(([id = '']) => /^\d/.test(id))) {
          expect(['', `z${id}`]).toContain(z);
        }
      }
    },
  );

  it.each([
    ['base64', base64(30_000, 1)],
    ['words', 'word '.repeat(10_000)],
  ])('of a single record with %s that is longer than the room, one field is shortened', (_, field) => {
    const text = `id,note,z\n1,${field},end\n`;
    for (const what of [text, longText(text, 8000)]) {
      const result = cut(what, 3000);
      const records = parse(result?.text ?? '');
      expect(records.map((record) => record.length)).toEqual([3, 3, 3]);
      expect(records[1]).toEqual([
        '1',
        expect.stringMatching(/^(?:word )*\w?.*\[\.\.\. \d+ \.\.\.\]$/),
        'end',
      ]);
      expect(result?.text.length).toBeLessThanOrEqual(3000);
      if (field.startsWith('word')) expect(result?.text.length).toBeGreaterThan(2800);
    }
  });

  describe('of a field that is too large', () => {
    const rows = rowsOf(60, (index) => `${index + 2},"Bob ${index}",x,Rome\n`);
    const long = 'one, ""two"",\nthree '.repeat(1000);

    it.each([
      ['the first record', `id,name,note,city\n1,"${long}",x,Oslo\n${rows}`, 1],
      ['a later record', `id,name,note,city\n5,"a",b,c\n1,"${long}",x,Oslo\n${rows}`, 2],
      ['the last record', `id,name,note,city\n5,"a",b,c\n1,"${long}",x,Oslo`, 2],
      ['the only record', `id,name,note,city\n1,"${long}",x,Oslo\n`, 1],
    ])('in %s, it is shortened within its quotes', (_, text, index) => {
      for (const what of [text, longText(text, 3000)]) {
        const result = cut(what, 3000);
        const records = parse(result?.text ?? '');
        expect(records.every((record) => record.length === 4)).toBe(true);
        expect(records[0]).toEqual(['id', 'name', 'note', 'city']);
        const [id, name = '', ...others] = records[index] ?? [];
        expect([id, ...others]).toEqual(['1', 'x', 'Oslo']);
        expect(name).toMatch(/^(?:one, "two",\nthree ){20,}[^[]*\[\.\.\. \d+ \.\.\.\]$/);
        expect(records.filter(([first]) => first?.startsWith('[cut below'))).toHaveLength(1);
        expect(result?.text.length).toBeLessThanOrEqual(3000);
        for (const kept of keptOf(text, result?.gaps ?? []).slice(0, -1))
          expect(result?.text).toContain(kept);
        for (const { from, to, bytes } of result?.gaps ?? []) {
          expect(bytes).toBe(Buffer.byteLength(text.slice(from, to)));
        }
      }
    });

    it('fields that are not held stay empty', () => {
      const text = `id,name,note,city\n1,"${long}",x,Oslo\n${rows.repeat(5)}`;
      const result = cut(longText(text, 2000), 2000);
      const [, large = [], said = [], ...others] = parse(result?.text ?? '');
      expect(large[1]).toMatch(/^one, .*\[\.\.\. \d+ \.\.\.\]$/s);
      expect([large.slice(2), said.slice(1), others.at(-1)]).toEqual([
        ['', ''],
        ['', '', ''],
        ['61', 'Bob 59', 'x', 'Rome'],
      ]);
    });

    it('one without quotes gets them, but not in TSV', () => {
      const text = `id,name,note\n1,${'word '.repeat(2000)},x\n${rowsOf(300, (index) => `${index},a,b\n`)}`;
      const [, csv = []] = parse(cut(text, 2000)?.text ?? '');
      expect(csv).toEqual(['1', expect.stringMatching(/^(?:word )+.*\[\.\.\. \d+ \.\.\.\]$/), 'x']);
      const tsv = cut(text.replaceAll(',', '\t'), 2000)?.text.split('\n')[1]?.split('\t');
      expect(tsv).toEqual(['1', expect.stringMatching(/^(?:word )+.*\[\.\.\. \d+ \.\.\.\]$/), 'x']);
    });
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
        expect(records.every((record) => record.length === 3)).toBe(true);
        const said = records.findIndex(([first]) => first?.startsWith('[cut below'));
        expect([records[0], records[said]?.slice(1)]).toEqual([all[0], ['', '']]);
        const tail = records.slice(said + 1);
        const shown = [...records.slice(0, said), ...tail];
        const originals = [...all.slice(0, said), ...all.slice(all.length - tail.length)];
        for (const [index, record] of shown.entries()) {
          for (const [column, field] of record.entries()) {
            const [, start] = /^(.*)\[\.\.\. \d+ \.\.\.\]$/s.exec(field) ?? [];
            if (start === undefined) expect(field).toBe(originals[index]?.[column]);
            else expect(originals[index]?.[column]?.startsWith(start)).toBe(true);
          }
        }
        for (const kept of keptOf(text, result.gaps)) expect(result.text).toContain(kept.trim());
      }),
    );
  });
});
