import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../text/wtf8.ts';
import type { Alias } from './draft.ts';
import { standInKey } from './envelope.ts';
import { restore } from './restore.testing.ts';
import { asKept, keepText, newSpool, ORIGIN } from './spool.testing.ts';
import type { Spool } from './spool.ts';
import type { Kept, Part } from './types.ts';

type Path = (string | number)[];

/** Keeps a result as JSON in which some texts and values are parts of their own. */
async function keepResult(
  spool: Spool,
  result: unknown,
  parts: readonly { name: string; at: Path; kind: Part['kind'] }[],
  alias?: readonly [string, Alias],
): Promise<Kept> {
  const draft = await spool.begin(ORIGIN);
  const put = (name: string, bytes: Buffer, kind: Part['kind']) => {
    const part = draft.part(name, '');
    part.write(bytes);
    part.close({ kind });
  };
  const envelope = JSON.parse(JSON.stringify(result));
  for (const { name, at, kind } of parts) {
    const last = at.at(-1) as string;
    const holder = at.slice(0, -1).reduce((value, key) => value[key], envelope);
    const value = holder[last];
    put(name, /^\d/.test(name) ? encodeText(value) : Buffer.from(JSON.stringify(value)), kind);
    holder[last] = { [standInKey(draft.handle)]: name };
  }
  put('result', Buffer.from(JSON.stringify(envelope)), 'json');
  if (alias) draft.alias(...alias);
  return asKept(await draft.publish());
}

describe('the original is restored:', () => {
  test('any texts, lone surrogates too, and any data', async () => {
    const { spool } = newSpool();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', 'a', '\n') }),
    );
    const result = fc.record({
      content: fc.array(fc.record({ type: fc.constant('text'), text, __proto__: fc.constant(null) }), {
        minLength: 1,
      }),
      structuredContent: fc.jsonValue({ stringUnit: 'binary' }),
    });
    await fc.assert(
      fc.asyncProperty(result, async (result) => {
        const texts = result.content.map((_, index) => ({
          name: `${index + 1}`,
          at: ['content', index, 'text'],
          kind: 'text' as const,
        }));
        const structured = { name: 'structured', at: ['structuredContent'], kind: 'json' as const };
        const kept = await keepResult(spool, result, [...texts, structured]);
        expect(await restore(kept)).toEqual(JSON.parse(JSON.stringify(result)));
      }),
      { numRuns: 40 },
    );
  });

  test('media, which were decoded, exact or not', async () => {
    const { spool } = newSpool();
    const base64 = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.string({ unit: fc.constantFrom('Q', '=', '\n', 'é') }),
    );
    await fc.assert(
      fc.asyncProperty(base64, async (data) => {
        const result = { content: [{ type: 'image', data, mimeType: 'image/png' }] };
        const parts = [{ name: '1', at: ['content', 0, 'data'], kind: 'media' as const }];
        expect(await restore(await keepResult(spool, result, parts))).toEqual(result);
      }),
      { numRuns: 40 },
    );
  });

  test('data that a text mirrors', async () => {
    const { spool } = newSpool();
    const structuredContent = { a: [1, { b: '\u2028' }] };
    const result = {
      content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }],
      structuredContent,
    };
    const parts = [
      { name: '1', at: ['content', 0, 'text'], kind: 'json' as const },
      { name: 'structured', at: ['structuredContent'], kind: 'json' as const },
    ];
    const kept = await keepResult(spool, result, parts, ['structured', { of: '1', kind: 'json' }]);
    expect(await restore(kept)).toEqual(result);
  });

  test.each([
    ['text', '{"a":1}'],
    ['json', { a: 1 }],
  ] as const)('structured content whose one value a text says too, as %s', async (kind, value) => {
    const { spool } = newSpool();
    const result = {
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { 'the/result': value },
    };
    const parts = [
      { name: '1', at: ['content', 0, 'text'], kind: 'json' as const },
      { name: 'structured', at: ['structuredContent'], kind: 'json' as const },
    ];
    const kept = await keepResult(spool, result, parts, ['structured', { of: '1', kind, key: 'the/result' }]);
    expect(await restore(kept)).toEqual(result);
    expect(kept.parts.map(({ at }) => at)).toContain('/the~1result');
    expect(new Set(kept.parts.map(({ path }) => path)).size).toBe(2);
  });

  test('a text without a result around it, also if it is JSON', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin({ kind: 'text' });
    const part = draft.part('1', '');
    part.write(Buffer.from('{"a":1}'));
    part.close({ kind: 'json' });
    expect(await restore(asKept(await draft.publish()))).toBe('{"a":1}');
  });

  test('what looks like a part of another result stays as it is', async () => {
    const { spool } = newSpool();
    const other = asKept(await keepText(spool, 'text'));
    const result = { content: [], a: { [standInKey(other.handle)]: '1' }, b: { [standInKey('x')]: 1 } };
    expect(await restore(await keepResult(spool, result, []))).toEqual(result);
  });

  test('however deep', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    const [text, envelope] = [draft.part('1', ''), draft.part('result', '')];
    const depth = 5000;
    text.write(Buffer.from('text'));
    text.close({ kind: 'text' });
    const standIn = JSON.stringify({ [standInKey(draft.handle)]: '1' });
    envelope.write(Buffer.from('['.repeat(depth) + standIn + ']'.repeat(depth)));
    envelope.close({ kind: 'json' });
    let value = await restore(asKept(await draft.publish()));
    for (let level = 0; level < depth; level++) value = (value as unknown[])[0];
    expect(value).toBe('text');
  });
});
