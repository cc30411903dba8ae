import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHeader, encodeHeader, standardHeaders, standardMismatch, ToolHeaders } from './headers.ts';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const call = (params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { ...params, _meta },
});
const lookUp = (headers: Record<string, string>) => (name: string) => headers[name];

test('what a header can not say as it is is encoded, as the specification shows', () => {
  expect(encodeHeader('us-west1')).toBe('us-west1');
  expect(encodeHeader('Hello, 世界')).toBe('=?base64?SGVsbG8sIOS4lueVjA==?=');
  expect(encodeHeader(' padded ')).toBe('=?base64?IHBhZGRlZCA=?=');
  expect(encodeHeader('line1\nline2')).toBe('=?base64?bGluZTEKbGluZTI=?=');
  expect(encodeHeader('=?base64?literal?=')).toBe('=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=');
});

test('every text comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const header = encodeHeader(text);
      expect(header).toMatch(/^[\t\x20-\x7e]+$/);
      expect(decodeHeader(header)).toBe(text);
    }),
  );
});

test('base64 that is none says nothing', () => {
  expect(decodeHeader('=?base64?SGVsbG8?=')).toBeUndefined();
  expect(decodeHeader('=?base64?SGVs!!!bG8=?=')).toBeUndefined();
  expect(decodeHeader('=?base64?SGVsbG8=')).toBe('=?base64?SGVsbG8=');
});

test('a message has the headers that it has to have, and they are checked', () => {
  const message = call({ name: 'größe' });
  const headers = standardHeaders(message);
  expect(headers).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
  });
  expect(standardMismatch(message, lookUp(headers))).toBeUndefined();
  for (const name of Object.keys(headers)) {
    expect(standardMismatch(message, lookUp({ ...headers, [name]: 'other' }))).toBeDefined();
    expect(standardMismatch(message, lookUp(without(headers, name)))).toContain('is missing');
  }
  expect(standardHeaders({ method: 'tools/call', params: { name: 'x' } })).toEqual({});
});

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    nested: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } },
  },
};

test('headers repeat the arguments that a tool wants repeated', () => {
  const tools = new ToolHeaders();
  tools.learn({ tools: [{ name: 'query', inputSchema }] });
  const message = call({
    name: 'query',
    arguments: { region: 'ü', nested: { count: 42 }, dry: false, list: ['a'] },
  });
  const headers = {
    'mcp-param-region': '=?base64?w7w=?=',
    'mcp-param-count': '42',
    'mcp-param-dry': 'false',
  };
  expect(tools.of(message)).toEqual(headers);
  expect(tools.mismatch(message, lookUp(headers))).toBeUndefined();
  expect(tools.mismatch(message, lookUp({ ...headers, 'mcp-param-count': '42.0' }))).toBeUndefined();
  expect(tools.mismatch(message, lookUp({ ...headers, 'mcp-param-count': '43' }))).toContain(
    'mcp-param-count',
  );
  expect(tools.mismatch(message, lookUp(without(headers, 'mcp-param-dry')))).toContain('is missing');
  expect(tools.of(call({ name: 'query', arguments: { region: null } }))).toEqual({});
  expect(tools.of(call({ name: 'other', arguments: { region: 'x' } }))).toEqual({});
});

test('a schema with a header that can not be is not followed', () => {
  const tools = new ToolHeaders();
  const schemas = [
    { properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } },
    {
      properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    },
    null,
  ];
  for (const schema of schemas) {
    tools.learn({ tools: [{ name: 't', inputSchema: schema }] });
    expect(tools.of(call({ name: 't', arguments: { a: 'x', b: 'y' } }))).toEqual({});
  }
});
