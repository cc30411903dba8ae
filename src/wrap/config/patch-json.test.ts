import fc from 'fast-check';
import { findNodeAtLocation, getNodeValue, parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { Names } from './entry.ts';
import { patchJson, treeOf } from './patch-json.ts';

function patched(text: string, path: string[], value: unknown, names?: Names): string {
  const root = treeOf(text);
  const node = root && findNodeAtLocation(root, path);
  return patchJson(text, [{ path, old: node && getNodeValue(node), value, names }]);
}

test.each([
  ['{"a": ["x"]}', ['p', 'q', 'x'], '{"a": ["p", "q", "x"]}'],
  ['{"a": [ "x", "y" ]}', ['p', 'x', 'y'], '{"a": [ "p", "x", "y" ]}'],
  ['{"a":["x","y"]}', ['p', 'x', 'y'], '{"a":["p","x","y"]}'],
  ['{"a": []}', ['p', 'q'], '{"a": ["p", "q"]}'],
  ['{"a": ["x"]}', [], '{"a": []}'],
  ['{"a": ["x", "y", "z"]}', ['x', 'z'], '{"a": ["x", "z"]}'],
  ['{"a": [\r\n\t"x"\r\n]}', ['p', 'x'], '{"a": [\r\n\t"p",\r\n\t"x"\r\n]}'],
  ['{"a": [\n  "x", // one\n  "y",\n]}', ['p', 'x', 'y'], '{"a": [\n  "p",\n  "x", // one\n  "y",\n]}'],
  ['{"a": [\n  "p", // one\n  /* two */ "x"\n]}', ['x'], '{"a": [\n   // one\n  /* two */ "x"\n]}'],
  ['{"a": ["x", /* one */ "p"]}', ['x'], '{"a": ["x" /* one */ ]}'],
  ['{"a": "x"}', 'y', '{"a": "y"}'],
  ['{"a": 1.0}', 1, '{"a": 1.0}'],
])('in %j, a is now %j', (before, value, after) => {
  expect(patched(before, ['a'], value)).toBe(after);
});

const ENTRY = `{
  // servers
  "servers": {
    "docs": {
      "type": "http", // how
      "url": "https://x", // where
      /* what */
      "headers": {
        "A": "b"
      },
      "timeout": 5.0
    }
  }
}
`;

describe('of an object', () => {
  test('members go, come and stay, each in its place', () => {
    const value = { type: 'stdio', command: 'c', args: ['x'], env: { B: 'b' }, timeout: 5 };
    expect(patched(ENTRY, ['servers', 'docs'], value)).toBe(`{
  // servers
  "servers": {
    "docs": {
      "type": "stdio", // how
       // where
      /* what */
      "command": "c",
      "args": ["x"],
      "env": {
        "B": "b"
      },
      "timeout": 5.0
    }
  }
}
`);
  });

  test('all members may be others', () => {
    expect(patched('{"s": {\n  "url": "x"\n}}', ['s'], { a: '1', b: '2' })).toBe(
      '{"s": {\n  "a": "1",\n  "b": "2"\n}}',
    );
    expect(patched('{"s":{"url":"x"}}', ['s'], { a: '1', b: '2' })).toBe('{"s":{"a":"1", "b":"2"}}');
    expect(patched('{"s": {"url": "x"}}', ['s'], {})).toBe('{"s": {}}');
  });

  test('the last of two members with one name is the one', () => {
    expect(parse(patched('{"s": {"a": 1, "a": 2}}', ['s'], { a: 3 }))).toEqual({ s: { a: 3 } });
  });
});

test('whatever the value and the new one are, the text says the new one, and the rest stays', () => {
  const text = fc.constantFrom('a', 'b', 'c', '"', '\\', '//', ',');
  const key = fc.constantFrom('k', 'l', 'm', 'n');
  const list = fc.array(text, { maxLength: 5 });
  const object = fc.dictionary(key, fc.oneof(text, list, fc.dictionary(key, text), fc.integer()));
  const space = fc.constantFrom(undefined, 0, 1, 2, '\t');
  fc.assert(
    fc.property(object, object, space, fc.boolean(), (before, after, space, isCrlf) => {
      const lf = JSON.stringify({ first: [1], entry: before, last: 'x' }, null, space);
      const json = isCrlf ? lf.replaceAll('\n', '\r\n') : lf;
      const changed = patched(json, ['entry'], after);
      expect(JSON.parse(changed)).toEqual({ first: [1], entry: after, last: 'x' });
      if (isCrlf) expect(changed.replaceAll('\r\n', '')).not.toContain('\n');
    }),
    { numRuns: 300 },
  );
});

test('what was put in front of a list goes without a trace', () => {
  const list = fc.array(fc.constantFrom('a', 'b', '-y'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, list, fc.constantFrom(undefined, 2, '\t'), (before, added, space) => {
      const json = JSON.stringify({ entry: before }, null, space);
      const changed = patched(json, ['entry'], [...added, '--', ...before]);
      expect(patched(changed, ['entry'], before)).toBe(json);
    }),
  );
});

test('several values change at once', () => {
  const changes = [
    { path: ['c'], old: [], value: ['z'] },
    { path: ['a', 'b'], old: 1, value: 'x' },
  ];
  expect(patchJson('{"a": {"b": 1}, "c": []}', changes)).toBe('{"a": {"b": "x"}, "c": ["z"]}');
});
