import { ResourceTemplate } from '@modelcontextprotocol/server';

/** The resources, and what subscribes to them. */
export function addResources(server, said) {
  const text = (uri, mimeType, words) => ({ contents: [{ uri: String(uri), mimeType, text: words }] });

  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text', mimeType: 'text/plain' },
    (uri) => text(uri, 'text/plain', said.text('This is the content of the static text resource.')),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image', mimeType: 'image/png' },
    (uri) => ({ contents: [{ uri: String(uri), mimeType: 'image/png', blob: said.png }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'A text to subscribe to', mimeType: 'text/plain' },
    (uri) => text(uri, 'text/plain', said.text('Watched resource content')),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A text with what is asked for in it', mimeType: 'application/json' },
    (uri, { id }) =>
      text(uri, 'application/json', said.json({ id, templateTest: true, data: `Data for ID: ${id}` })),
  );

  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
