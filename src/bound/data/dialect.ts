import type { Json } from './json-schema.ts';

export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const DIALECTS: readonly (readonly [address: RegExp, dialect: Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, 'draft-07'],
];

/** The dialect of a schema by its `$schema`: 2020-12 if it has none; undefined for one that MCP clients don't know. */
export function dialectOf(schema: Json): Dialect | undefined {
  if (typeof schema === 'boolean' || typeof schema.$schema !== 'string') return '2020-12';
  const { $schema } = schema;
  return DIALECTS.find(([address]) => address.test($schema))?.[1];
}
