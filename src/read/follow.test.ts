import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { takeIn } from '../bound/intake.ts';
import { keep } from '../bound/keep.ts';
import type { Limit } from '../measure/limit.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool } from '../spool/spool.ts';
import type { Kept } from '../spool/types.ts';
import { readPage } from './page.ts';
import { callReader, listResources, PAGE_KEY, readResource, type ToolResult } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-follow-'));
const spool = openSpool({ folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function keepResult(result: unknown): Promise<Kept> {
  const draft = await spool.begin({ kind: 'tool' });
  const { kept } = await keep(await takeIn(Buffer.from(JSON.stringify(result)), draft, { textChars: 1000 }));
  if ('reason' in kept) throw new Error(kept.reason);
  return kept;
}

async function keepText(text: string): Promise<Kept> {
  const draft = await spool.begin({ kind: 'text' });
  const part = draft.part('1', '');
  part.write(Buffer.from(text));
  part.close({ kind: 'json' });
  const kept = await draft.publish();
  if ('reason' in kept) throw new Error(kept.reason);
  return kept;
}

/** The calls that an answer prints in its first line. */
function callsIn(answer: ToolResult): [name: string, args: Record<string, unknown>][] {
  const [head = ''] = (answer.content[0]?.text ?? '').split('\n');
  return [...head.matchAll(/(plimsoll_\w+) (?=\{)/g)].map(({ index, 0: call, 1: name = '' }) => {
    const json = head.slice(index + call.length);
    const end = [...json.matchAll(/\}/g)].find(({ index }) => isJson(json.slice(0, index + 1)));
    return [name, JSON.parse(json.slice(0, (end?.index ?? 0) + 1))];
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const bodyOf = (answer: ToolResult) => (answer.content[0]?.text ?? '').split('\n').slice(1).join('\n');

/** What is shown by all calls that come out of one. */
interface Gathered {
  /** All that is shown; the pages of one text in one piece. */
  readonly all: string;
  /** Of texts that are shown from a character on: what follows it. */
  readonly ends: readonly { readonly from: number; readonly text: string }[];
}

async function gathered(name: string, args: Record<string, unknown>, limit: Limit): Promise<Gathered> {
  const texts = new Map<string, Map<number, string>>();
  const done = new Set<string>();
  const open: [string, Record<string, unknown>][] = [[name, args]];
  for (let call = open.pop(); call; call = open.pop()) {
    const id = JSON.stringify(call);
    if (done.has(id)) continue;
    done.add(id);
    if (done.size > 1000) throw new Error('It never ends.');
    const answer = await callReader(spool, call[0], call[1], limit);
    expect(answer.isError, `${id}: ${answer.content[0]?.text}`).toBeUndefined();
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limit.chars);
    expect(answer.content[0]?.text).not.toContain('plimsoll-part-');
    const { part, unit, from = 0 } = answer._meta?.[PAGE_KEY] ?? {};
    const where = unit === 'chars' ? `${part} ${call[1].path}` : id;
    texts.set(where, (texts.get(where) ?? new Map()).set(from, bodyOf(answer)));
    open.push(...callsIn(answer));
  }
  const ends = [...texts.values()].flatMap(joined);
  return { all: ends.map(({ text }) => text).join('\n'), ends };
}

/** Pages, which may overlap, as the stretches that they cover together. */
function joined(pages: ReadonlyMap<number, string>): { from: number; text: string }[] {
  const stretches: { from: number; text: string }[] = [];
  for (const [from, text] of [...pages].sort(([one], [other]) => one - other)) {
    const last = stretches.at(-1);
    const known = last ? last.from + last.text.length - from : -1;
    if (last && known >= 0) last.text += text.slice(known);
    else stretches.push({ from, text });
  }
  return stretches;
}

/** The values of data, and the keys that lead to one: a key of an empty list says nothing. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return Object.entries(value).flatMap(([key, inner]) => {
    const leaves = leavesOf(inner);
    return leaves.length > 0 ? [key, ...leaves] : [];
  });
}

/** The leaves that are shown nowhere: whole, as they are or as JSON has them, or a start and the rest. */
function missing(value: unknown, { all, ends }: Gathered): string[] {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
  const isShown = (leaf: string) =>
    [leaf, escaped(leaf), escaped(escaped(leaf))].some((form) => all.includes(form.toWellFormed()));
  return leavesOf(value).filter(
    (leaf) =>
      !isShown(leaf) &&
      !ends.some(
        ({ from, text }) =>
          from > 0 &&
          leaf.length === from + text.length &&
          leaf.endsWith(text) &&
          isShown(leaf.slice(0, from)),
      ),
  );
}

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('"\\\n', '日本語😀'.repeat(60), 'some words '.repeat(120), 'x'.repeat(900)),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));
const keys = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom("it's/~ok", 'k'.repeat(700)),
);
const { tree: data } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    words,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(
      keys.filter((key) => key !== '__proto__'),
      tie('tree'),
      { maxKeys: 4 },
    ),
  ),
}));
const limits = fc.record({ chars: fc.integer({ min: 1000, max: 5000 }) });

describe('following the calls from one shows every leaf', () => {
  test('of JSON, by selecting', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.array(data), fc.dictionary(fc.string(), data)),
        limits,
        async (json, limit) => {
          const { handle } = await keepText(JSON.stringify(json));
          const found = await gathered('plimsoll_select', { handle, path: '' }, limit);
          expect(missing(JSON.parse(JSON.stringify(json)), found)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  const long = fc.oneof(
    fc.constant('short'),
    words,
    words.map((text) => `${text} `.repeat(Math.ceil(4100 / (text.length + 1)))),
    data.map((value) => JSON.stringify({ value, more: 'm'.repeat(4100) })),
  );
  const result = fc.record(
    {
      content: fc.array(
        fc.record(
          { type: fc.constant('text'), text: long, annotations: data },
          { requiredKeys: ['type', 'text'] },
        ),
        { minLength: 1, maxLength: 5 },
      ),
      structuredContent: fc.dictionary(fc.string({ maxLength: 5 }), data),
      _meta: fc.constant({ trace: 'abc' }),
    },
    { requiredKeys: ['content'] },
  );

  test.each(['plimsoll_read', 'plimsoll_select'])('of a result, by %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(result, limits, async (result, limit) => {
        const { handle, parts } = await keepResult(result);
        const path = name === 'plimsoll_select' ? (parts.length > 1 ? '/content' : '') : undefined;
        const found = await gathered(name, { handle, ...(path !== undefined && { path }) }, limit);
        const all = JSON.parse(JSON.stringify(path === '/content' ? result.content : result));
        const known = ['content', 'type', 'text', 'structuredContent'];
        expect(missing(all, found).filter((leaf) => !known.includes(leaf))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('of many long blocks, from where they are left out', async () => {
    const content = Array.from({ length: 60 }, (_, block) => ({
      type: 'text',
      text: `block ${block} ${'word '.repeat(1000)}end ${block}.`,
    }));
    const { handle } = await keepResult({ content });
    const found = await gathered(
      'plimsoll_select',
      { handle, path: '/content', from: 18 },
      { chars: 20_000 },
    );
    expect(missing(content.slice(18), found)).toEqual([]);
  });
});

describe('the part result is all of the result', () => {
  const lone = { type: 'text', text: `lone \ud800 half ${'x'.repeat(5000)}` };
  const image = Buffer.alloc(70_000, 7).toString('base64');
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row "${id}" é` }));
  const results = {
    'texts and data': {
      content: [
        { type: 'text', text: 'line\n"quoted" 日本語 😀\n'.repeat(9000) },
        { type: 'text', text: 'short' },
        { type: 'image', data: image, mimeType: 'image/png' },
        { type: 'image', data: `${image}\n`, mimeType: 'image/png' },
        lone,
      ],
      structuredContent: { other: rows },
    },
    'data that a text says too': {
      content: [{ type: 'text', text: JSON.stringify({ rows }) }],
      structuredContent: { rows },
    },
    'one value that a text says too': {
      content: [{ type: 'text', text: lone.text }],
      structuredContent: { result: lone.text },
    },
  };

  test.each(Object.entries(results))('%s', async (_, result) => {
    const kept = await keepResult(result);
    const { text, of } = await readPage(kept, { part: 'result' }, 10_000_000);
    expect(JSON.parse(text)).toEqual(result);
    expect(text).toHaveLength(of);
    expect(await restore(kept)).toEqual(result);
  });

  test('in pages of every unit, and as a resource, with offsets of its own', async () => {
    const kept = await keepResult(results['texts and data']);
    const whole = (await readPage(kept, { part: 'result' }, 10_000_000)).text;
    for (const unit of ['chars', 'bytes'] as const) {
      let text = '';
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(
          kept,
          { part: 'result', unit, from },
          40_000,
        );
        expect(page.from).toBe(from);
        text += page.text;
        from = page.next;
      }
      expect(text).toBe(whole);
    }
    const uri = `plimsoll://spool/${kept.handle}/result?from=54321&count=100`;
    const [contents] = (await readResource(spool, uri, { chars: 10_000 })).contents;
    expect(contents?.text).toBe(whole.slice(54_321, 54_421));
  });

  test('which is passed over once, and then read where the page is', async () => {
    const { handle, parts } = await keepResult(results['texts and data']);
    const read = (from: number) =>
      callReader(spool, 'plimsoll_read', { handle, part: 'result', from }, { chars: 5000 });
    const first = await read(0);
    rmSync(parts.find(({ name }) => name === 'structured')?.path ?? '');
    expect(await read(0)).toEqual(first);
    expect((await read((first._meta?.[PAGE_KEY]?.of ?? 0) - 100)).content[0]?.text).toBe(
      'Part structured is no longer in the spool: it has been deleted.',
    );
  });

  test('and is listed so, without a size', async () => {
    const { handle } = await keepResult(results['texts and data']);
    const entries = await listResources(spool);
    const entry = entries.find(({ name }) => name === `${handle}/result`);
    expect(entry).toBeDefined();
    expect(entry).not.toHaveProperty('size');
    const list = await callReader(spool, 'plimsoll_list', {}, { chars: 100_000 });
    expect(list.content[0]?.text).toContain('result (all of it, as JSON)');
  });

  test('follows the parts where it says more than they do', async () => {
    const long = { type: 'text', text: 'x'.repeat(5000) };
    const callsAt = async (content: object[]) => {
      const { handle } = await keepResult({ content });
      return callsIn(await callReader(spool, 'plimsoll_read', { handle }, { chars: 20_000 }));
    };
    expect(await callsAt([long])).toEqual([]);
    expect(await callsAt([long, { type: 'text', text: 'and this' }])).toMatchObject([
      ['plimsoll_read', { part: 'result', from: 0 }],
    ]);
  });

  test('and a medium in it is told of as a part', async () => {
    const { handle } = await keepResult(results['texts and data']);
    const args = { handle, path: '/content/2' };
    const calls = callsIn(await callReader(spool, 'plimsoll_select', { ...args, from: 1 }, { chars: 2000 }));
    expect(calls[0]).toEqual(['plimsoll_read', { handle, part: '2' }]);
    const answer = await callReader(spool, ...(calls[0] as [string, object]), { chars: 2000 });
    expect(answer.content[0]?.text).toContain('Part 2 is a file and no text: image/png');
  });
});
