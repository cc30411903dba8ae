import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leavesNoRoom, tellsLoss } from './room.ts';

/** A keyword that would make an object look like a promise to the linter. */
const THEN = 'then';

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

describe('a schema leaves room', () => {
  const issue = z.object({
    id: z.uuid(),
    url: z.url(),
    title: z.string().min(1).max(200),
    body: z.string().nullable(),
    state: z.enum(['open', 'closed']),
    labels: z.array(z.object({ name: z.string(), color: z.string().regex(/^[0-9a-f]{6}$/) })),
    author: z.object({ email: z.email(), joined: z.iso.datetime() }).optional(),
    sha: z.string().regex(/^[0-9a-f]{40}$/),
    slug: z.string().regex(/^[a-z0-9-]+$/),
    score: z.number().int().min(0),
    point: z.tuple([z.number(), z.number()]),
    meta: z.record(z.string(), z.unknown()),
    event: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), text: z.string() }),
      z.object({ kind: z.literal('count'), count: z.number() }),
    ]),
  });

  it.each([
    ['of zod, closed', z.toJSONSchema(z.object({ issues: z.array(issue), next: z.string().optional() }))],
    ['of zod, draft-07', z.toJSONSchema(z.object({ issues: z.array(issue) }), { target: 'draft-7' })],
    [
      'of pydantic',
      {
        $defs: {
          Node: {
            properties: {
              name: { title: 'Name', type: 'string' },
              children: { items: { $ref: '#/$defs/Node' }, title: 'Children', type: 'array' },
              parent: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Parent' },
            },
            required: ['name', 'children'],
            title: 'Node',
            type: 'object',
          },
          Cat: { properties: { kind: { const: 'cat', type: 'string' } }, required: ['kind'], type: 'object' },
          Dog: { properties: { kind: { const: 'dog', type: 'string' } }, required: ['kind'], type: 'object' },
        },
        properties: {
          result: { items: { $ref: '#/$defs/Node' }, type: 'array' },
          tags: { items: { type: 'string' }, type: 'array', uniqueItems: true },
          pet: {
            discriminator: { mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' }, propertyName: 'kind' },
            oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
          },
        },
        required: ['result', 'tags', 'pet'],
        title: 'Output',
        type: 'object',
        'x-fastmcp-wrap-result': true,
      },
    ],
    ['of one open object', { type: 'object' }],
    ['of anything', {}],
    [
      'that allows nothing to be left out but has little',
      closed({ a: { type: 'integer' }, b: { type: 'boolean' } }),
    ],
    [
      'with a variant of an object or a name',
      {
        oneOf: [
          { type: 'string', enum: ['none'] },
          closed({ some: { type: 'string' } }),
          closed({ other: { type: 'array' } }),
        ],
      },
    ],
    ['with a required choice of types', closed({ value: { type: ['string', 'number', 'null'] } })],
    ['with an optional text under a pattern', closed({ text: { type: 'string', pattern: '^(a+b)+$' } }, [])],
  ])('%s', (_, schema) => {
    expect(leavesNoRoom(schema, 6_000)).toBe(false);
  });

  it.each([
    ['texts under a pattern', closed({ text: { type: 'string', pattern: '^(a+b)+$' } })],
    [
      'a pattern and a property in different parts',
      {
        allOf: [{ required: ['text'] }, { properties: { text: { pattern: '^(a+b)+$' } } }],
      },
    ],
    ['a long constant', closed({ text: { const: 'x'.repeat(10_000) } })],
    ['a long enumeration of long values', closed({ text: { enum: ['x', 'y'.repeat(10_000)] } })],
    ['many items', closed({ list: { type: 'array', items: { type: 'integer' }, minItems: 5_000 } })],
    ['many properties', { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1_000 }],
    ['a great length', closed({ text: { type: 'string', minLength: 50_000 } })],
    ['items of which one has to be there', closed({ list: { type: 'array', contains: { const: 1 } } })],
    [
      'a chain without end',
      {
        $ref: '#/$defs/link',
        $defs: { link: closed({ next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/link' }] } }) },
      },
    ],
    [
      'alternatives told apart by size',
      {
        oneOf: [
          { type: 'string', maxLength: 5_000 },
          { type: 'string', minLength: 5_001 },
        ],
      },
    ],
    ['a condition about size', { if: { maxItems: 5 }, [THEN]: { items: { type: 'string' } } }],
    ['a schema elsewhere', closed({ item: { $ref: 'https://example.com/item.json' } })],
    ['an unknown dialect', { $schema: 'https://example.com/dialect', type: 'object' }],
    ['no schema', 'object'],
  ])('not with %s', (_, schema) => {
    expect(leavesNoRoom(schema, 6_000)).toBe(true);
  });

  it('or not, by the limit', () => {
    const schema = closed({ list: { type: 'array', items: { type: 'integer' }, minItems: 500 } });
    expect([leavesNoRoom(schema, 1_000), leavesNoRoom(schema, 100_000)]).toEqual([true, false]);
  });
});

describe('a shrunk value can say so', () => {
  it.each([
    [{ type: 'object', properties: { a: { type: 'string' } } }, true],
    [{ type: 'object', additionalProperties: { type: 'string' } }, true],
    [{ type: 'object', additionalProperties: {} }, true],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, false],
    [{ type: 'object', additionalProperties: { type: 'string', enum: ['a'] } }, false],
    [closed({ a: { type: 'string' } }), false],
    [
      { type: 'object', allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { additionalProperties: false } } },
      false,
    ],
    [{ type: 'object', maxProperties: 3 }, false],
    [{ type: 'object', propertyNames: { pattern: '^[a-z]' } }, false],
    [{ type: 'object', unevaluatedProperties: false }, false],
    [{ type: 'object', const: { a: 1 } }, false],
    [{ type: 'object', enum: [{ a: 1 }] }, false],
    [{ type: 'array' }, false],
    [{}, false],
    [true, false],
    [undefined, false],
  ])('%j: %s', (schema, tells) => {
    expect(tellsLoss(schema)).toBe(tells);
  });
});
