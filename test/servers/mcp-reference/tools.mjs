import { fromJsonSchema } from '@modelcontextprotocol/server';

const NO_ARGUMENTS = fromJsonSchema({ type: 'object', properties: {} });
const STEP_MS = 20;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The tools that answer by themselves or ask while they run. `said` are the samples; `changed` tells subscribers
 * that a list has changed.
 */
export function addTools(server, said, changed) {
  const words = (text) => ({ content: [{ type: 'text', text: said.text(text) }] });
  const tool = (name, description, run, inputSchema = NO_ARGUMENTS) =>
    server.registerTool(name, { description, inputSchema }, run);

  tool('test_simple_text', 'Answers with a text', () => words('This is a simple text response for testing.'));
  tool('test_image_content', 'Answers with an image', () => ({
    content: [{ type: 'image', data: said.png, mimeType: 'image/png' }],
  }));
  tool('test_audio_content', 'Answers with a sound', () => ({
    content: [{ type: 'audio', data: said.wav, mimeType: 'audio/wav' }],
  }));
  const embedded = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } });
  tool('test_embedded_resource', 'Answers with a resource', () => ({
    content: [
      embedded('test://embedded-resource', 'text/plain', said.text('This is an embedded resource content.')),
    ],
  }));
  tool('test_multiple_content_types', 'Answers with three kinds of block', () => ({
    content: [
      { type: 'text', text: said.text('Multiple content types test:') },
      { type: 'image', data: said.png, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', 'application/json', said.json({ test: 'data', value: 123 })),
    ],
  }));
  tool('test_error_handling', 'Always fails', () => {
    throw new Error(said.text('This tool intentionally returns an error for testing'));
  });
  addNotifyingTools(tool, words);
  addAskingTools(tool, words);
  addSchemaTools(tool, words);

  tool('test_trigger_tool_change', 'Says that the list of tools has changed', async () => {
    await changed('tools');
    return words('Said.');
  });
  tool('test_trigger_prompt_change', 'Says that the list of prompts has changed', async () => {
    await changed('prompts');
    return words('Said.');
  });
}

function addNotifyingTools(tool, words) {
  tool('test_tool_with_logging', 'Logs three times', async (_, { mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await pause(STEP_MS);
    }
    return words('Logged.');
  });
  tool('test_tool_with_progress', 'Tells its progress in three steps', async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100, message: `${progress} of 100` };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await pause(STEP_MS);
    }
    return words(String(progressToken ?? 'No progress was asked for.'));
  });
  tool('test_logging_tool', 'Logs if the request asks for logs', async (_, { mcpReq }) => {
    await mcpReq.log('info', 'Running');
    return words('Logged, if that was asked for.');
  });
  tool('test_streaming_elicitation', 'Answers without a question of its own', () => words('Nothing to ask.'));
}

/** Tools that ask the client by a request of their own while they run, as before 2026-07-28. */
function addAskingTools(tool, words) {
  const strings = (...names) =>
    fromJsonSchema({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    });
  const elicit = async (mcpReq, message, properties, required = []) => {
    const requestedSchema = { type: 'object', properties, required };
    const answer = await mcpReq.send({ method: 'elicitation/create', params: { message, requestedSchema } });
    return words(`User response: ${answer.action}, ${JSON.stringify(answer.content ?? {})}`);
  };

  tool(
    'test_sampling',
    'Asks the model of the client',
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
      const params = { messages, maxTokens: 100 };
      const answer = await mcpReq.send({ method: 'sampling/createMessage', params });
      return words(`LLM response: ${answer.content.text}`);
    },
    strings('prompt'),
  );
  tool(
    'test_elicitation',
    'Asks the user of the client',
    ({ message }, { mcpReq }) =>
      elicit(
        mcpReq,
        message,
        {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        ['username', 'email'],
      ),
    strings('message'),
  );
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults', (_, { mcpReq }) =>
    elicit(mcpReq, 'Are these right?', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  );
  const titled = (...titles) => titles.map((title, i) => ({ const: `value${i + 1}`, title }));
  const plain = { type: 'string', enum: ['option1', 'option2', 'option3'] };
  tool('test_elicitation_sep1330_enums', 'Asks for choices', (_, { mcpReq }) =>
    elicit(mcpReq, 'Which of these?', {
      untitledSingle: plain,
      titledSingle: { type: 'string', oneOf: titled('First', 'Second', 'Third') },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: plain },
      titledMulti: { type: 'array', items: { anyOf: titled('First', 'Second', 'Third') } },
    }),
  );
}

function addSchemaTools(tool, words) {
  tool(
    'json_schema_2020_12_tool',
    'Its input schema uses much of JSON Schema 2020-12',
    (given) => words(JSON.stringify(given)),
    fromJsonSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    }),
  );
  tool(
    'test_x_mcp_header',
    'One of its arguments is told in a header as well',
    ({ region }) => words(`region: ${region}`),
    fromJsonSchema({
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        level: { type: 'integer' },
      },
    }),
  );
}
