import { fromJsonSchema } from '@modelcontextprotocol/server';

const strings = (...names) =>
  fromJsonSchema({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
    required: names,
  });

/** The prompts, and the completion of their arguments. */
export function addPrompts(server, said) {
  const messages = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
  const words = (text) => ({ type: 'text', text: said.text(text) });

  server.registerPrompt('test_simple_prompt', { description: 'A text' }, () =>
    messages(words('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A text with two arguments in it', argsSchema: strings('arg1', 'arg2') },
    ({ arg1, arg2 }) => messages(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource and a text', argsSchema: strings('resourceUri') },
    ({ resourceUri }) => {
      const text = said.text('Embedded resource content for testing.');
      const resource = { uri: resourceUri, mimeType: 'text/plain', text };
      return messages({ type: 'resource', resource }, words('Please process the embedded resource above.'));
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image and a text' }, () =>
    messages(
      { type: 'image', data: said.png, mimeType: 'image/png' },
      words('Please analyze the image above.'),
    ),
  );

  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['testValue1', 'testValue2'], total: 2, hasMore: false },
  }));
}
