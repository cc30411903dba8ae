import fc from 'fast-check';
import { stringify as stringifyToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { readDocument } from './document.ts';
import { type Entry, unwrapEntry, wrapEntry } from './entry.ts';

const LAUNCHER = { command: 'npx', args: ['-y', 'plimsoll'] };

function wrapped(file: string, text: string): string {
  return changed(file, text, (name, entry) => wrapEntry(name, entry, LAUNCHER));
}

function unwrapped(file: string, text: string): string {
  return changed(file, text, (_, entry) => unwrapEntry(entry, LAUNCHER));
}

function changed(file: string, text: string, change: (name: string, entry: Entry) => object): string {
  const document = readDocument(file, text);
  return document.with(
    document.servers.map((server) => ({ ...server, names: new Map(), ...change(server.name, server.entry) })),
  );
}

const text = fc.constantFrom('a', '-y', 'npx', '--', 'x y', '"', '\\', '//', '#', "'", '');
const texts = fc.dictionary(fc.constantFrom('A', 'B', 'X-C'), text, { maxKeys: 3 });

/** A server with its keys in any order, and some of them missing. */
function serverWith(fields: Record<string, fc.Arbitrary<unknown>>, required: string) {
  return fc
    .record(fields, { requiredKeys: [required] })
    .chain((entry) => fc.shuffledSubarray(Object.entries(entry), { minLength: Object.keys(entry).length }))
    .map((entries) => Object.fromEntries(entries));
}

function serversWith(headers: string) {
  const command = fc.constantFrom('npx', 'srv', "'");
  const stdio = { command, args: fc.array(text), env: texts, timeout: fc.constant(5) };
  const url = fc.constantFrom('http://h', 'https://x/y?z');
  const remote = { url, [headers]: texts, on: fc.constant([true]), type: fc.constantFrom('http', 'sse') };
  const server = fc.oneof(serverWith(stdio, 'command'), serverWith(remote, 'url'));
  return fc.dictionary(fc.constantFrom('a', 'b c', 'd.e'), server);
}

test('whatever stands where in JSON, unwrapping gives back what was before wrapping', () => {
  const noises = fc.infiniteStream(fc.constantFrom('', '', '', ' // c\n', ' /* d */'));
  const spaces = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(serversWith('headers'), spaces, noises, fc.boolean(), (mcpServers, space, noise, isCrlf) => {
      const plain = JSON.stringify({ first: 1, mcpServers, last: ['x'] }, null, space);
      const lf = plain.replace(/"(?:\\.|[^"\\])*"|[,[\]{}]/g, (token) => token + noise.next().value);
      const json = isCrlf ? lf.replaceAll('\n', '\r\n') : lf;
      const there = wrapped('f.json', json);
      expect(wrapped('f.json', there)).toBe(there);
      expect(unwrapped('f.json', there)).toBe(json);
    }),
    { numRuns: 300 },
  );
});

test('whatever stands where in TOML, unwrapping gives back what was before wrapping', () => {
  const noises = fc.infiniteStream(fc.constantFrom('\n', '\n', ' # c\n', '\n# d\n', '\r\n'));
  fc.assert(
    fc.property(serversWith('http_headers'), noises, (mcp_servers, noise) => {
      const plain = stringifyToml({ first: 1, mcp_servers, last: { x: 1 } });
      const toml = plain.replaceAll('\n', () => String(noise.next().value));
      const there = wrapped('f.toml', toml);
      expect(wrapped('f.toml', there)).toBe(there);
      expect(unwrapped('f.toml', there)).toBe(toml);
    }),
    { numRuns: 300 },
  );
});
