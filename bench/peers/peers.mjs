import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from '../lib/run.mjs';

const modules = join(work, 'peers/node_modules');

/** The Node that repomix needs. */
export const node22 = join(modules, 'node/bin/node');

/** repomix's command. */
export const repomix = join(modules, 'repomix/bin/repomix.cjs');

/** The commands that put a server of MCP on HTTP. */
export const supergateway = join(modules, 'supergateway/dist/index.js');
export const mcpProxy = join(modules, 'mcp-proxy/dist/bin/mcp-proxy.mjs');

/** Throws where the gateways are not installed; returns their versions. */
export function gatewayVersions() {
  if (!existsSync(supergateway) || !existsSync(mcpProxy)) {
    throw new Error('The peers are missing: run `node bench/peers/install.mjs` first.');
  }
  const version = (name) => JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
  return { supergateway: version('supergateway'), mcpProxy: version('mcp-proxy') };
}

/** Throws where the peers are not installed; returns repomix's version. */
export function repomixVersion() {
  if (!existsSync(repomix) || !existsSync(node22)) {
    throw new Error('The peers are missing: run `node bench/peers/install.mjs` first.');
  }
  return JSON.parse(readFileSync(join(modules, 'repomix/package.json'), 'utf8')).version;
}
