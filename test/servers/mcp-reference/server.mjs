import { McpServer } from '@modelcontextprotocol/server';
import { addPrompts } from './prompts.mjs';
import { addQuestions, memory } from './questions.mjs';
import { addResources } from './resources.mjs';
import { samples } from './samples.mjs';
import { addTools } from './tools.mjs';

/**
 * A server with everything that the public conformance suite calls for. `bulk` characters are added to every
 * answer. `changed(kind)` tells subscribers elsewhere; without it the server tells its own client.
 */
export function createServer(bulk, changed) {
  const server = new McpServer(
    { name: 'reference', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: memory.verify },
    },
  );
  const said = samples(bulk);
  const tell = { tools: () => server.sendToolListChanged(), prompts: () => server.sendPromptListChanged() };
  addTools(server, said, changed ?? ((kind) => tell[kind]()));
  addQuestions(server, said);
  addResources(server, said);
  addPrompts(server, said);
  return server;
}
