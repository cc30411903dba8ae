import fc from 'fast-check';

type Schema = Record<string, unknown>;

/** A schema and a value that it allows. */
export interface Case {
  readonly schema: Schema;
  readonly value: unknown;
}

/** Schemas with most of what tools say about their output, and values that they allow. */
export const schemaCase: fc.Arbitrary<Case> = fc
  .letrec<{ any: Schema; object: Schema }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'xsmall', withCrossShrink: true },
      leaf(),
      list(tie('any')),
      tie('object'),
      map(tie('any')),
      tie('any').map((schema) => ({ anyOf: [schema, { type: 'null' }] })),
      tie('any').map((schema) => ({ allOf: [schema], description: 'the same' })),
      fc
        .tuple(tie('object'), tie('object'))
        .map(([one, other]) => ({ oneOf: [tagged('one', one), tagged('other', other)] })),
      fc.tuple(tie('any'), tie('any')).map((prefixItems) => ({ type: 'array', prefixItems, minItems: 2 })),
      fc.constant({ $ref: '#/$defs/tree' }),
      fc.constant({}),
    ),
    object: object(tie('any')),
  }))
  .object.chain((root) => {
    const schema = { ...root, $defs: { tree: TREE } };
    return valuesOf(root, 3).map((value) => ({ schema, value }));
  });

const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['name'],
  additionalProperties: false,
};

function leaf(): fc.Arbitrary<Schema> {
  return fc.oneof(
    fc.constantFrom<Schema>(
      { type: 'string' },
      { type: 'string' },
      { type: 'string', minLength: 100 },
      { type: 'string', maxLength: 300 },
      { type: 'string', pattern: '^[a-z]+$' },
      { type: 'string', pattern: '^[0-9a-f]{40}$' },
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'uri' },
      { type: 'string', contentEncoding: 'base64' },
      { type: 'string', format: 'byte' },
      { enum: ['one', 'two', 'a value that is quite long, since some enumerations have words for people'] },
      { const: 'always' },
      { type: 'integer' },
      { type: ['number', 'null'] },
      { type: 'boolean' },
    ),
  );
}

function list(items: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.oneof(
    fc.record({ type: fc.constant('array'), items, minItems: fc.constantFrom(0, 0, 2) }),
    fc.constant({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
    fc.constant({ type: 'array', items: { type: 'integer' }, contains: { const: 7 }, maxItems: 12 }),
    fc.constant({ type: 'array' }),
  );
}

function object(property: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'items', 'text', 'a name that is long'), property, {
        minKeys: 1,
      }),
      fc.nat({ max: 63 }),
      fc.constantFrom<Schema>(
        {},
        {},
        { additionalProperties: false },
        { additionalProperties: { type: 'string' } },
      ),
    )
    .map(([properties, mask, more]) => ({
      type: 'object',
      properties: { ...properties },
      required: Object.keys(properties).filter((_, index) => (mask >> index) & 1),
      ...more,
    }));
}

function map(values: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record({
    type: fc.constant('object'),
    additionalProperties: values,
    minProperties: fc.constantFrom(0, 2),
  });
}

function tagged(tag: string, schema: Schema): Schema {
  const { properties, required, ...rest } = schema;
  return {
    ...rest,
    properties: { kind: { const: tag }, ...(properties as Schema) },
    required: ['kind', ...(required as string[])],
  };
}

function valuesOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(TREE, depth);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((part) => valuesOf(part, depth)));
  if (Array.isArray(schema.oneOf)) return fc.oneof(...schema.oneOf.map((part) => valuesOf(part, depth)));
  if (Array.isArray(schema.allOf)) return valuesOf(schema.allOf[0], depth);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return listOf(schema, depth);
    case 'object':
      return objectOf(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fc.constant('2026-07-28T12:00:00Z');
  if (schema.format === 'uri') {
    return fc.nat({ max: 400 }).map((length) => `https://example.com/${'path/'.repeat(length)}`);
  }
  if (schema.pattern === '^[a-z]+$') return letters(1, 300);
  if (schema.pattern !== undefined) return fc.constant('0123456789abcdef0123456789abcdef01234567');
  if (schema.contentEncoding === 'base64' || schema.format === 'byte') {
    return fc
      .uint8Array({ maxLength: 600, size: 'max' })
      .map((bytes) => Buffer.from(bytes).toString('base64'));
  }
  if (schema.minLength !== undefined) return letters(100, 500);
  if (schema.maxLength !== undefined) return letters(0, 300);
  return fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }),
  );
}

function letters(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'abcde'), minLength, maxLength, size: 'max' });
}

function listOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.prefixItems)) {
    const [one, other] = schema.prefixItems.map((part) => valuesOf(part, depth - 1));
    return fc.tuple(one as fc.Arbitrary<unknown>, other as fc.Arbitrary<unknown>);
  }
  const items = valuesOf((schema.items ?? { type: 'integer' }) as Schema, depth - 1);
  if (schema.contains) return fc.array(items, { maxLength: 11 }).map((list) => [...list, 7]);
  if (schema.uniqueItems) return fc.uniqueArray(letters(1, 60), { maxLength: 30, size: 'max' });
  const minLength = Number(schema.minItems ?? 0);
  return fc.array(items, { minLength, maxLength: depth > 0 ? 15 : minLength, size: 'max' });
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.properties === undefined) {
    const values = valuesOf(schema.additionalProperties as Schema, depth - 1);
    const minKeys = Number(schema.minProperties ?? 0);
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), values, {
      minKeys,
      maxKeys: depth > 0 ? 12 : minKeys,
      size: 'max',
    });
  }
  const properties = Object.entries(schema.properties as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  const isKept = ([key]: [string, Schema]) => depth > 0 || required.includes(key);
  const record = Object.fromEntries(
    properties.filter(isKept).map(([key, property]) => [key, valuesOf(property, depth - 1)]),
  );
  return fc.record(record, {
    requiredKeys: required.filter((key) => key in record),
  }) as fc.Arbitrary<unknown>;
}

/** Schemas whose parts refer to each other in any way, so that checks may have no end, and values with any of their fields. */
export const hostileCase: fc.Arbitrary<Case> = fc
  .tuple(fc.array(hostilePart(), { minLength: 5, maxLength: 5 }), hostileValue())
  .map(([parts, value]) => {
    const $defs = Object.fromEntries(parts.map((part, index) => [`p${index}`, part]));
    return { schema: { $ref: '#/$defs/p0', $defs }, value };
  });

function hostilePart(): fc.Arbitrary<Schema> {
  const reference = fc.nat({ max: 4 }).map((index) => ({ $ref: `#/$defs/p${index}` }));
  const several = fc.array(reference, { minLength: 1, maxLength: 3 });
  const part = fc.record(
    {
      allOf: several,
      anyOf: several,
      oneOf: several,
      not: reference,
      if: reference,
      else: reference,
      items: reference,
      contains: reference,
      additionalProperties: reference,
      properties: fc.dictionary(fc.constantFrom('a', 'b'), reference),
      required: fc.subarray(['a', 'b']),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 3, arbitrary: part },
    fc.constantFrom<Schema>({}, { type: 'object' }, { type: 'string' }),
  );
}

function hostileValue(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.nat({ max: 20 }).map((count) => 'some words '.repeat(count)),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
      fc.array(tie('value'), { maxLength: 20 }),
    ),
  })).value;
}

/** A schema with a chain of parts, each of which refers to the next one twice. */
export function doubling(keyword: 'allOf' | 'anyOf' | 'oneOf', length: number): Schema {
  const part = (index: number) =>
    index === length
      ? { type: 'object' }
      : { [keyword]: [1, 1].map((step) => ({ $ref: `#/$defs/p${index + step}` })) };
  const parts = Array.from({ length: length + 1 }, (_, index) => [`p${index}`, part(index)] as const);
  return { type: 'object', $ref: '#/$defs/p0', $defs: Object.fromEntries(parts) };
}
