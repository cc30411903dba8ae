// Lets the conformance suite start on Node 20: it imports `globSync` from `fs`, which Node has from 22 on, for
// commands other than those that test servers. `node --import mcp-conformance-node20.mjs …`
import { register } from 'node:module';

const moduleOf = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

const fileSystem = moduleOf(`
  export * from 'node:fs';
  export const globSync = () => { throw new Error('globSync needs Node 22'); };
`);

register(
  moduleOf(`
    export function resolve(specifier, context, next) {
      const asked = specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/');
      return asked ? { url: ${JSON.stringify(fileSystem)}, shortCircuit: true } : next(specifier, context);
    }
  `),
);
