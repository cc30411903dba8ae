import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excessOf } from '../bound/result/measure.ts';
import type { Held } from '../json/held.ts';
import type { Limit } from '../measure/limit.ts';
import type { Found, Kept, Listed, Origin, Part } from '../spool/types.ts';
import { keptOf } from './read.testing.ts';
import {
  callReader,
  listResources,
  PAGE_KEY,
  READER_TOOLS,
  readResource,
  resourceTemplates,
  type ToolResult,
} from './tools.ts';

const LIMIT: Limit = { chars: 100_000 };
const ORIGIN: Origin = {
  kind: 'tool',
  server: 'files',
  name: 'read_file',
  arguments: '{"path":"/var/log/x"}',
};
const HANDLE = 'testhandle2345abcdef';

/** A spool of one kept result, and one that has expired. */
function spoolOf(kept: Kept) {
  const listed: Listed[] = [{ kept, origin: ORIGIN, at: Date.now(), bytes: 1 }];
  const find = async (handle: string): Promise<Found | undefined> => {
    if (handle === kept.handle) return { kept, origin: ORIGIN, at: 0 };
    return handle === 'expired' ? { expired: ORIGIN, at: 0 } : undefined;
  };
  return { find, list: async () => listed };
}

const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('');
const headOf = (result: ToolResult) => textOf(result).split('\n')[0] ?? '';
const bodyOf = (result: ToolResult) => textOf(result).split('\n').slice(1).join('\n');

/** The call that an answer tells to go on with. */
function nextCall(result: ToolResult): { name: string; args: Record<string, unknown> } | undefined {
  const [, name = '', json = ''] = /^.*: (plimsoll_\w+) (\{.*\})$/.exec(headOf(result)) ?? [];
  return json === '' ? undefined : { name, args: JSON.parse(json) };
}

const call = (kept: Kept, name: string, args: Record<string, unknown>, limit = LIMIT) =>
  callReader(spoolOf(kept), name, { handle: HANDLE, ...args }, limit);

describe('every answer is within its limit, and following its calls shows everything', () => {
  const texts = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('line\n', '\t"', '漢字', 'x'.repeat(900)),
      ),
      {
        maxLength: 40,
      },
    )
    .map((pieces) => pieces.join(''));
  const limits = fc.record(
    {
      chars: fc.integer({ min: 1000, max: 4000 }),
      bytes: fc.integer({ min: 1000, max: 4000 }),
      tokens: fc.integer({ min: 1000, max: 2000 }),
      lines: fc.integer({ min: 20, max: 40 }),
    },
    { requiredKeys: ['chars'] },
  );

  async function follow(
    kept: Kept,
    name: string,
    args: Record<string, unknown>,
    limit: Limit,
  ): Promise<ToolResult[]> {
    const answers: ToolResult[] = [];
    let next: { name: string; args: Record<string, unknown> } | undefined = {
      name,
      args: { handle: HANDLE, ...args },
    };
    while (next) {
      const answer: ToolResult = await callReader(spoolOf(kept), next.name, next.args, limit);
      const json = JSON.stringify(answer);
      expect(json.length).toBeLessThanOrEqual(limit.chars);
      expect(await excessOf(json, answer as unknown as Held, limit)).toBeLessThanOrEqual(1);
      expect(json.isWellFormed()).toBe(true);
      answers.push(answer);
      if (answers.length > 2000) throw new Error('It never ends.');
      next = nextCall(answer);
    }
    return answers;
  }

  test('plimsoll_read', async () => {
    const units = fc.constantFrom('chars', 'bytes', 'lines');
    await fc.assert(
      fc.asyncProperty(texts, units, limits, async (text, unit, limit) => {
        const answers = await follow(keptOf({ 1: text }), 'plimsoll_read', { unit }, limit);
        expect(answers.map(bodyOf).join('')).toBe(text);
      }),
    );
  });

  test('plimsoll_search', async () => {
    await fc.assert(
      fc.asyncProperty(texts, limits, async (text, limit) => {
        const answers = await follow(
          keptOf({ 1: text }),
          'plimsoll_search',
          { pattern: 'n', context: 1 },
          limit,
        );
        const found = answers.map((answer) => Number(/^(\d+) match/.exec(headOf(answer))?.[1] ?? 0));
        expect(found.reduce((sum, count) => sum + count, 0)).toBe(text.split('n').length - 1);
      }),
    );
  });

  test('plimsoll_select', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 10 }), limits, async (list, limit) => {
        const kept = keptOf({ 1: JSON.stringify(list) }, { kind: 'json' });
        const answers = await follow(kept, 'plimsoll_select', { path: '.' }, limit);
        const items = answers.flatMap((answer) => JSON.parse(bodyOf(answer)));
        expect(items).toHaveLength(list.length);
        for (const answer of answers) {
          const { from = 0 } = answer._meta?.[PAGE_KEY] ?? {};
          if (!headOf(answer).includes('Shortened')) expect(JSON.parse(bodyOf(answer))[0]).toBe(list[from]);
        }
      }),
    );
  });

  test('plimsoll_list', async () => {
    const names = fc.string({ unit: 'binary', maxLength: 300 });
    const listed = fc
      .record({ name: names, server: names, parts: fc.nat(60) })
      .map(({ name, server, parts }): Listed => {
        const [part] = keptOf({ 1: 'text' }).parts as [Part];
        const all = Array.from({ length: parts }, (_, index) => ({ ...part, name: String(index + 1) }));
        return {
          kept: { handle: HANDLE, folder: '/', parts: all },
          origin: { kind: 'tool', name, server },
          at: 0,
          bytes: 1,
        };
      });
    await fc.assert(
      fc.asyncProperty(fc.array(listed, { maxLength: 30 }), limits, async (all, limit) => {
        const spool = { find: async () => undefined, list: async () => all };
        let shown = 0;
        let next: Record<string, unknown> | undefined = {};
        while (next) {
          const answer: ToolResult = await callReader(spool, 'plimsoll_list', next, limit);
          expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limit.chars);
          expect(
            await excessOf(JSON.stringify(answer), answer as unknown as Held, limit),
          ).toBeLessThanOrEqual(1);
          if (all.length > 0) shown += bodyOf(answer).split('\n').length;
          next = nextCall(answer)?.args;
        }
        expect(shown).toBe(all.length);
      }),
      { numRuns: 50 },
    );
  });

  test('errors', async () => {
    const any = fc.string({ unit: 'binary', maxLength: 3000 });
    await fc.assert(
      fc.asyncProperty(any, any, limits, async (one, other, limit) => {
        const kept = keptOf({ 1: JSON.stringify({ [other]: 1, [`${other}2`]: 2 }) });
        for (const [name, args] of [
          ['plimsoll_read', { handle: one }],
          ['plimsoll_read', { [one]: other }],
          ['plimsoll_search', { pattern: one, regex: true }],
          ['plimsoll_select', { path: one }],
          ['plimsoll_select', { path: `/${one}` }],
        ] as const) {
          const answer = await call(kept, name, args, limit);
          expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limit.chars);
          expect(
            await excessOf(JSON.stringify(answer), answer as unknown as Held, limit),
          ).toBeLessThanOrEqual(1);
          expect(JSON.stringify(answer).isWellFormed()).toBe(true);
          if (answer.isError) expect(textOf(answer).split('\n')).toHaveLength(1);
        }
      }),
    );
  });
});

describe('an answer', () => {
  const kept = keptOf({ 1: 'one\ntwo\nthree\n' });

  test('of plimsoll_read says what it shows', async () => {
    expect(await call(kept, 'plimsoll_read', { count: 5 })).toEqual({
      content: [
        {
          type: 'text',
          text: `Characters 0–4 of 14 of part 1. Go on: plimsoll_read {"handle":"${HANDLE}","count":5,"from":5}\none\nt`,
        },
      ],
      _meta: {
        'dev.plimsoll/page': { handle: HANDLE, part: '1', unit: 'chars', from: 0, to: 5, of: 14, next: 5 },
      },
    });
    expect(headOf(await call(kept, 'plimsoll_read', { unit: 'lines', from: '2', part: 1 }))).toBe(
      'Lines 2–3 of 3 of part 1. There is no more.',
    );
    const euro = keptOf({ 1: '€uro' });
    expect(headOf(await call(euro, 'plimsoll_read', { unit: 'bytes', from: 1 }))).toBe(
      'Bytes 3–5 of 6, moved to where a character starts of part 1. There is no more.',
    );
  });

  test('of plimsoll_read goes on inside a line by characters', async () => {
    const long = keptOf({ 1: `a\n${'x'.repeat(5000)}\nb` });
    const answer = await call(long, 'plimsoll_read', { unit: 'lines', from: 2, count: 1 }, { chars: 1500 });
    const { to = 0 } = { to: 2 + bodyOf(answer).length };
    expect(headOf(answer)).toBe(
      `Lines 2–2 of 3 of part 1. Line 2 goes on: plimsoll_read {"handle":"${HANDLE}","unit":"chars","from":${to}}`,
    );
  });

  test('of plimsoll_read tells of a medium where it is', async () => {
    const medium = keptOf({ 1: 'PNG' }, { kind: 'media', mimeType: 'image/png' });
    const path = medium.parts[0]?.path;
    const answer = await call(medium, 'plimsoll_read', {});
    expect(textOf(answer)).toBe(`Part 1 is a file and no text: image/png, 3 bytes. It is kept at ${path}`);
    expect(answer.isError).toBeUndefined();
    const remote = await callReader(spoolOf(medium), 'plimsoll_read', { handle: HANDLE }, LIMIT, {
      paths: false,
    });
    expect(textOf(remote)).toContain(`It is kept at plimsoll://spool/${HANDLE}/1`);
    const view = { paths: false, resources: false };
    const told = await callReader(spoolOf(medium), 'plimsoll_read', { handle: HANDLE }, LIMIT, view);
    expect(textOf(told)).not.toContain('plimsoll://');
    expect(textOf(told)).toContain(
      `at the machine where it was cut (plimsoll spool read ${HANDLE} --part 1 --raw)`,
    );
    const refused = await callReader(
      spoolOf(medium),
      'plimsoll_search',
      { handle: HANDLE, pattern: 'x' },
      LIMIT,
      { paths: false },
    );
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).not.toContain(path);
  });

  test('of plimsoll_search says how to read it', async () => {
    const answer = await call(kept, 'plimsoll_search', { pattern: 'o', context: 0, most: 1 });
    expect(textOf(answer)).toBe(
      `1 match in characters 0–5 of 14 of part 1, shown as LINE @CHARACTER: TEXT. Go on: plimsoll_search {"handle":"${HANDLE}","pattern":"o","context":0,"most":1,"from":6}\n1 @0: one`,
    );
    expect(textOf(await call(kept, 'plimsoll_search', { pattern: 'zzz' }))).toBe(
      'No match in characters 0–13 of 14 of part 1. There is no more.',
    );
  });

  test('does not repeat a long call', async () => {
    const long = keptOf({ 1: 'y'.repeat(10_000).replaceAll('yy', 'xy') });
    const answer = await call(long, 'plimsoll_search', { pattern: 'xy'.repeat(400), most: 1 });
    expect(headOf(answer)).toMatch(/Go on: the same call with "from":800$/);
  });

  test('of plimsoll_select says what it shows', async () => {
    const json = keptOf({ 1: '{"a":[1,2,3],"b":"text"}' }, { kind: 'json' });
    expect(textOf(await call(json, 'plimsoll_select', { path: '.a', count: 2 }))).toBe(
      `Items 0–1 of 3 of .a of part 1. Go on: plimsoll_select {"handle":"${HANDLE}","path":".a","count":2,"from":2}\n[\n1,\n2\n]`,
    );
    expect(textOf(await call(json, 'plimsoll_select', { path: '.b' }))).toBe(
      'Characters 0–3 of 4 of .b of part 1. There is no more.\ntext',
    );
    expect(textOf(await call(json, 'plimsoll_select', { path: '.a[1]' }))).toBe(
      'The value .a[1] of part 1.\n2',
    );
  });

  test('of plimsoll_select tells where the rest is of what is shortened', async () => {
    const json = keptOf({ 1: JSON.stringify({ a: { b: 'x'.repeat(5000) }, c: 1 }) }, { kind: 'json' });
    const head = headOf(await call(json, 'plimsoll_select', { path: '' }, { chars: 2000 }));
    const from = Number(/"from":(\d+)\}\. Go/.exec(head)?.[1]);
    expect(head).toBe(
      `Entries 0–0 of 2 of . of part 1. Shortened to fit; the rest of it: plimsoll_select {"handle":"${HANDLE}","part":"1","path":"/a/b","from":${from}}. Go on: plimsoll_select {"handle":"${HANDLE}","path":"","from":1}`,
    );
    const rest = await call(json, 'plimsoll_select', { part: '1', path: '/a/b', from });
    expect(bodyOf(rest)).toBe('x'.repeat(5000 - from));
  });

  test('of several parts names them, and the call for the next one', async () => {
    const several = keptOf({ 1: 'one', 2: 'two', structured: '{}' });
    const call = (part: string) =>
      `Next is part ${part}: plimsoll_read {"handle":"${HANDLE}","part":"${part}","from":0}`;
    const ask = (part: string | undefined) =>
      callReader(spoolOf(several), 'plimsoll_read', { handle: HANDLE, part }, LIMIT).then(headOf);
    const names = '(of the parts 1, 2, structured)';
    expect(await ask('1')).toBe(
      `Characters 0–2 of 3 of part 1 ${names}. There is no more of it. ${call('2')}`,
    );
    expect(await ask('2')).toBe(
      `Characters 0–2 of 3 of part 2 ${names}. There is no more of it. ${call('structured')}`,
    );
    expect(await ask('structured')).toBe(
      `Characters 0–1 of 2 of part structured ${names}. There is no more.`,
    );
  });

  test('of plimsoll_list names the results', async () => {
    const answer = textOf(await callReader(spoolOf(kept), 'plimsoll_list', {}, LIMIT));
    expect(answer).toContain(
      `Results 0–0 of 1, the newest first. There is no more.\n${HANDLE}: tool read_file of files, `,
    );
    expect(answer).toContain('parts: 1 (text, 14 characters)');
    const none = { find: async () => undefined, list: async () => [] };
    expect(textOf(await callReader(none, 'plimsoll_list', undefined, LIMIT))).toBe(
      'No result of this session is kept: none was cut, or those that were have expired or could not be kept.',
    );
  });

  test('names the tools as the client sees them', async () => {
    const answer = await callReader(spoolOf(kept), 'plimsoll_read', { handle: HANDLE, count: 1 }, LIMIT, {
      suffix: '_2',
    });
    expect(headOf(answer)).toContain('Go on: plimsoll_read_2 {');
    const unknown = await callReader(spoolOf(kept), 'plimsoll_read', { handle: 'x' }, LIMIT, {
      suffix: '_2',
    });
    expect(textOf(unknown)).toBe("There is no result 'x' in the spool. plimsoll_list_2 tells what there is.");
  });
});

describe('an error', () => {
  const kept = keptOf({ 1: 'text' });

  test.each([
    [
      'plimsoll_read',
      { handle: 'expired' },
      'Result expired has expired. To make it again, call read_file {"path":"/var/log/x"} of files.',
    ],
    [
      'plimsoll_read',
      { handle: 'nothing' },
      "There is no result 'nothing' in the spool. plimsoll_list tells what there is.",
    ],
    [
      'plimsoll_read',
      { offset: 3 },
      "plimsoll_read takes no 'offset'; it takes handle, part, unit, from, count.",
    ],
    ['plimsoll_read', { from: -1 }, "plimsoll_read: 'from' has to be a whole number from 0 on."],
    ['plimsoll_read', { from: 1.5 }, "plimsoll_read: 'from' has to be a whole number from 0 on."],
    ['plimsoll_read', { count: 0 }, "plimsoll_read: 'count' has to be a whole number from 1 on."],
    ['plimsoll_read', { unit: 'words' }, "plimsoll_read: 'unit' has to be one of chars, bytes, lines."],
    ['plimsoll_read', { from: 9 }, 'There is nothing from 9 on: part 1 has 4 characters.'],
    ['plimsoll_read', { part: '7' }, `There is no part '7' of ${HANDLE}; there are: 1.`],
    ['plimsoll_search', {}, "plimsoll_search needs 'pattern'."],
    [
      'plimsoll_search',
      { pattern: 'x', context: 21 },
      "plimsoll_search: 'context' has to be a whole number from 0 to 20.",
    ],
    ['plimsoll_search', { pattern: 'x', regex: 'yes' }, "plimsoll_search: 'regex' has to be true or false."],
    ['plimsoll_search', { pattern: '(', regex: true }, 'Not a regular expression of RE2'],
    ['plimsoll_search', { pattern: '(', regex: 'true' }, 'Not a regular expression of RE2'],
    ['plimsoll_select', { path: '.a' }, 'Part 1 is not JSON'],
    ['plimsoll_select', { path: '{' }, "Not a path: '{'."],
  ])('%s %j', async (name, args, message) => {
    const answer = await call(kept, name, args);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(message);
    expect(textOf(answer)).not.toContain('\n');
  });

  test('of a part that is gone', async () => {
    const gone = keptOf({ 1: 'text' });
    rmSync(gone.parts[0]?.path ?? '');
    expect(textOf(await call(gone, 'plimsoll_read', {}))).toContain('no longer in the spool');
  });
});

test('the tools need what their schemas say, and only read', () => {
  for (const tool of READER_TOOLS) {
    expect(tool.inputSchema.additionalProperties).toBe(false);
    expect(tool.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
      idempotentHint: true,
    });
    expect(JSON.stringify(tool).length).toBeLessThan(1500);
  }
});

describe('a resource', () => {
  const address = (part: string) => `plimsoll://spool/${HANDLE}/${part}`;
  const read = (kept: Kept, uri: string, limit = LIMIT) => readResource(spoolOf(kept), uri, limit);

  test('is the whole part where it fits, and a range of it', async () => {
    const kept = keptOf({ 1: '{"a":1}' }, { kind: 'json' });
    expect(await read(kept, address('1'))).toMatchObject({
      contents: [{ uri: address('1'), mimeType: 'application/json', text: '{"a":1}' }],
    });
    const range = await read(kept, `${address('1')}?from=1&count=3`);
    expect(range.contents[0]?.text).toBe('"a"');
    expect(range._meta?.[PAGE_KEY]).toMatchObject({ from: 1, to: 4, of: 7, next: 4 });
  });

  test('that is larger than the limit says where it goes on', async () => {
    const text = 'x'.repeat(3000);
    const kept = keptOf({ 1: text });
    let uri = address('1');
    let seen = '';
    for (let more = true; more; ) {
      const result = await read(kept, uri, { chars: 1200 });
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(1200);
      const [, next, rest = ''] =
        /^\[Plimsoll: .* Read on: (.*)\]\n(.*)$/.exec(result.contents[0]?.text ?? '') ?? [];
      seen += next === undefined ? result.contents[0]?.text : rest;
      more = next !== undefined;
      uri = next ?? '';
    }
    expect(seen).toBe(text);
  });

  test('that is a medium is given whole, or told of', async () => {
    const medium = keptOf({ 1: Buffer.alloc(300) }, { kind: 'media', mimeType: 'image/png' });
    const [contents] = (await read(medium, address('1'))).contents;
    expect(contents).toMatchObject({ mimeType: 'image/png', blob: Buffer.alloc(300).toString('base64') });
    const large = keptOf({ 1: Buffer.alloc(3000) }, { kind: 'media', mimeType: 'image/png' });
    const [words] = (await read(large, address('1'), { chars: 1000 })).contents;
    expect(words?.text).toBe('Part 1 is a file and no text: image/png, 3000 bytes. It has no room here.');
  });

  test.each([
    ['plimsoll://spool/x', 'Not an address of the spool'],
    [`plimsoll://spool/${HANDLE}/1?from=x`, 'Not an address of the spool'],
    [`plimsoll://spool/${HANDLE}/../1`, 'Not an address of the spool'],
    ['plimsoll://spool/expired/1', 'Result expired has expired.'],
    ['plimsoll://spool/none/1', "There is no result 'none' in the spool."],
    [`plimsoll://spool/${HANDLE}/2`, "There is no part '2'"],
  ])('%s is refused', async (uri, message) => {
    await expect(read(keptOf({ 1: 'text' }), uri)).rejects.toThrow(message);
  });

  test('is listed by its address, and has a template', async () => {
    const kept = keptOf({ 1: 'text' });
    const [entry] = await listResources(spoolOf(kept));
    expect(entry).toEqual({
      uri: address('1'),
      name: `${HANDLE}/1`,
      description: 'Part 1 of a result of read_file',
      mimeType: 'text/plain',
      size: 4,
    });
    expect((await read(kept, entry?.uri ?? '')).contents[0]?.text).toBe('text');
    expect(resourceTemplates()[0]?.uriTemplate).toBe('plimsoll://spool/{handle}/{part}{?from,count}');
  });
});
