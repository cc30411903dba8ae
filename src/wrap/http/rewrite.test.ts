import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rewrite } from './rewrite.ts';

const REPLACEMENTS = {
  id: () => '99',
  'params _meta progressToken': (raw: string) => (raw === '"t"' ? '7' : undefined),
};

test('replaces what is at the paths, and leaves all else as it was written', () => {
  const json =
    ' {"params": {"_meta":{"progressToken":"t","id":1.0},"id":2,"progressToken":"t"},\t"x":[{"id":3}], "id" : "a"} ';
  expect(rewrite(Buffer.from(json), REPLACEMENTS).toString()).toBe(
    ' {"params": {"_meta":{"progressToken":7,"id":1.0},"id":2,"progressToken":"t"},\t"x":[{"id":3}], "id" : 99} ',
  );
});

test('a value that is to stay stays, and other kinds of values are no ids', () => {
  for (const json of [
    '{"params":{"_meta":{"progressToken":"u"}}}',
    '{"id":null}',
    '{"id":{"id":1}}',
    '{"id":[1]}',
    '5',
  ]) {
    expect(rewrite(Buffer.from(json), REPLACEMENTS).toString()).toBe(json);
  }
});

test('refuses what is no JSON', () => {
  expect(() => rewrite(Buffer.from('{"id":1'), REPLACEMENTS)).toThrow();
});

test('in pieces it comes to the same', async () => {
  const message = fc.record({
    jsonrpc: fc.constant('2.0'),
    params: fc.record({
      arguments: fc.jsonValue(),
      _meta: fc.record({ progressToken: fc.constantFrom('t', 1) }),
    }),
    id: fc.oneof(fc.integer(), fc.string()),
  });
  await fc.assert(
    fc.asyncProperty(message, fc.integer({ min: 1, max: 50 }), async (value, size) => {
      const json = Buffer.from(JSON.stringify(value));
      async function* pieces(): AsyncGenerator<Buffer> {
        for (let at = 0; at < json.length; at += size) yield json.subarray(at, at + size);
      }
      const chunks: Buffer[] = [];
      for await (const chunk of rewrite(pieces(), REPLACEMENTS)) chunks.push(chunk);
      const token = value.params._meta.progressToken === 't' ? 7 : 1;
      const expected = { ...value, id: 99, params: { ...value.params, _meta: { progressToken: token } } };
      expect(Buffer.concat(chunks).toString()).toBe(JSON.stringify(expected));
      expect(rewrite(json, REPLACEMENTS).equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});

test('holds no more than it has to', async () => {
  let given = 0;
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"text":"');
    for (let count = 0; count < 100; count += 1) yield Buffer.alloc(65_536, 'x');
    yield Buffer.from('","id":1}');
  }
  let most = 0;
  let written = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source()) {
      given += chunk.length;
      yield chunk;
    }
  }
  for await (const chunk of rewrite(counted(), REPLACEMENTS)) {
    written += chunk.length;
    most = Math.max(most, given - written);
  }
  expect(written).toBe(given + 1);
  expect(most).toBeLessThan(10_000);
});
