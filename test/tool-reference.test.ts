import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/server';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { clientOf, testServices } from '../src/server/server.testing.ts';

/** What all schemas together may take of a model's context. */
const MOST_TOKENS = 3000;

interface Parameter {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema & { readonly items?: Schema }>>;
  readonly required?: readonly string[];
}

/** A page of the documentation, made of what the server itself tells. */
function referenceOf(tools: readonly Tool[]): string {
  return [
    '# Tools',
    '',
    'What `plimsoll serve` offers to a model, as it tells it. `npx vitest run test/tool-reference.test.ts -u` makes this page anew.',
    ...tools.flatMap(sectionOf),
    '',
  ].join('\n');
}

function sectionOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations = {},
}: Tool): string[] {
  const hints = Object.entries(annotations).flatMap(([hint, holds]) =>
    holds === true ? [HINTS[hint] ?? hint] : [],
  );
  const parameters = Object.entries((inputSchema.properties ?? {}) as Record<string, Parameter>);
  return [
    '',
    `## \`${name}\`: ${title?.toLowerCase()}`,
    '',
    `${description}${hints.length > 0 ? ` (${hints.join(', ')})` : ''}`,
    ...(parameters.length > 0 ? [''] : []),
    ...parameters.map(([key, schema]) => parameterOf(key, schema, inputSchema.required ?? [])),
    ...(outputSchema ? ['', `The answer is data: ${fieldsOf(outputSchema as Schema)}.`] : []),
  ];
}

/** The fields of an object, and in brackets those of the items of a list. */
function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const all = Object.entries(properties).map(([key, { items }]) => {
    const optional = required.includes(key) ? '' : '?';
    return `\`${key}${optional}\`${items?.properties ? ` (each ${fieldsOf(items)})` : ''}`;
  });
  return all.join(', ');
}

const HINTS: Readonly<Record<string, string>> = {
  readOnlyHint: 'only reads',
  destructiveHint: 'may take something away',
  idempotentHint: 'twice is as once',
  openWorldHint: 'reaches other machines',
};

function parameterOf(key: string, schema: Parameter, required: readonly string[]): string {
  const type = schema.enum?.join(' or ') ?? [schema.type].flat().join(' or ');
  const optional = required.includes(key) ? '' : ', optional';
  return `- \`${key}\` (${type}${optional})${schema.description === undefined ? '' : `: ${schema.description}`}`;
}

async function listed() {
  const client = await clientOf(testServices());
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

test('the reference in the documentation is what the server tells', async () => {
  await expect(referenceOf(await listed())).toMatchFileSnapshot(
    join(import.meta.dirname, '../docs/tools.md'),
  );
});

test('all schemas together leave a model its context', async () => {
  expect(countTokens(JSON.stringify(await listed()))).toBeLessThan(MOST_TOKENS);
});
