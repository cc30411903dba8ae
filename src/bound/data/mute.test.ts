import { expect, test } from 'vitest';
import { isMute } from './mute.ts';

const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
const listOf = (items: unknown) => closed({ list: { type: 'array', items } });

test.each([
  ['numbers', listOf({ type: 'number' }), true],
  ['records of numbers', listOf(closed({ x: { type: 'number' }, y: { type: ['integer', 'null'] } })), true],
  ['values that are given', listOf({ enum: ['open', 'closed'] }), true],
  ['dates', listOf({ type: 'string', format: 'date-time' }), true],
  ['short codes', listOf({ type: 'string', maxLength: 10 }), true],
  ['texts under a pattern', listOf({ type: 'string', pattern: '^[a-f]+$' }), true],
  [
    'what is described elsewhere',
    { ...listOf({ $ref: '#/$defs/n' }), $defs: { n: { type: 'number' } } },
    true,
  ],
  ['alternatives of numbers', listOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), true],
  ['a map of numbers', { type: 'object', additionalProperties: { type: 'number' } }, true],
  ['a number', closed({ value: { type: 'number' } }), false],
  ['few numbers', closed({ list: { type: 'array', items: { type: 'number' }, maxItems: 3 } }), false],
  ['texts', listOf({ type: 'string' }), false],
  ['alternatives of numbers and texts', listOf({ anyOf: [{ type: 'integer' }, { type: 'string' }] }), false],
  ['objects that take more', { ...listOf({ type: 'number' }), additionalProperties: true }, false],
  ['objects within that take more', listOf({ type: 'object', properties: { x: { type: 'number' } } }), false],
  ['anything', listOf({}), false],
  ['what refers to itself', { $ref: '#' }, false],
  ['no schema', 'object', false],
])('a value of %s', (_, schema, mute) => {
  expect(isMute(schema)).toBe(mute);
});
