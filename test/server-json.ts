const INPUT = {
  type: 'object',
  properties: {
    choices: { type: 'array', items: { type: 'string' } },
    default: { type: 'string' },
    description: { type: 'string' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    placeholder: { type: 'string' },
    value: { type: 'string' },
    variables: { type: 'object', additionalProperties: { type: 'object' } },
  },
};

const POSITIONAL = {
  ...INPUT,
  properties: {
    ...INPUT.properties,
    type: { const: 'positional' },
    isRepeated: { type: 'boolean' },
    valueHint: { type: 'string' },
  },
  required: ['type'],
  anyOf: [{ required: ['valueHint'] }, { required: ['value'] }],
};

const NAMED = {
  ...INPUT,
  properties: {
    ...INPUT.properties,
    type: { const: 'named' },
    isRepeated: { type: 'boolean' },
    name: { type: 'string' },
  },
  required: ['type', 'name'],
};

const ARGUMENTS = { type: 'array', items: { anyOf: [POSITIONAL, NAMED] } };

const NAMED_INPUTS = {
  type: 'array',
  items: { ...INPUT, properties: { ...INPUT.properties, name: { type: 'string' } }, required: ['name'] },
};

const REMOTE = {
  type: 'object',
  properties: {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^https?://[^\\s]+$' },
    headers: NAMED_INPUTS,
  },
  required: ['type', 'url'],
};

const PACKAGE = {
  type: 'object',
  properties: {
    registryType: { type: 'string' },
    registryBaseUrl: { type: 'string', format: 'uri' },
    identifier: { type: 'string' },
    version: { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: { type: 'string' },
    runtimeArguments: ARGUMENTS,
    packageArguments: ARGUMENTS,
    environmentVariables: NAMED_INPUTS,
    transport: {
      anyOf: [{ type: 'object', properties: { type: { const: 'stdio' } }, required: ['type'] }, REMOTE],
    },
  },
  required: ['registryType', 'identifier', 'transport'],
  additionalProperties: false,
};

/**
 * What the MCP registry takes as `server.json`: the rules of its schema of 2025-12-11 (modelcontextprotocol/registry),
 * and stricter than that, no fields that it doesn't know.
 */
export const SERVER_JSON = {
  type: 'object',
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255 },
    websiteUrl: { type: 'string', format: 'uri' },
    repository: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        source: { type: 'string' },
        subfolder: { type: 'string' },
        url: { type: 'string', format: 'uri' },
      },
      required: ['url', 'source'],
    },
    packages: { type: 'array', items: PACKAGE },
    remotes: { type: 'array', items: REMOTE },
  },
  required: ['$schema', 'name', 'description', 'version'],
  additionalProperties: false,
};
