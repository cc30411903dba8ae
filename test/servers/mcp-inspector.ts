import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../wrapped.ts';
import type { Server } from './mcp-clients.ts';

const CLI = resolve('node_modules/@modelcontextprotocol/inspector-cli/build/cli.js');

/**
 * What MCP Inspector's command line prints of one request, made over a connection of its own. `cwd` must have a
 * `package.json` one folder up: only then does the Inspector read its own name from its own package.
 */
export async function inspect(server: Server, cwd: string, method: string, ...args: string[]): Promise<Json> {
  const target = 'url' in server ? [server.url] : server.command;
  const env = 'url' in server ? process.env : server.env;
  const command = [CLI, '--cli', ...target, '--method', method, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd, env });
  return JSON.parse(stdout);
}
