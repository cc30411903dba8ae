/**
 * Packs what `npm run build` made into one file that clients install with a click: an MCPB bundle. Its path may be
 * given; it is `plimsoll.mcpb` otherwise.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = resolve(process.argv[2] ?? join(root, 'plimsoll.mcpb'));
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const main = own.bin.plimsoll;

/** The tools as the built server tells them. */
async function askForTools() {
  const client = new Client({ name: 'bundle', version: own.version });
  const args = [join(root, main), 'serve'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  try {
    return (await client.listTools()).tools.map(({ name, description }) => ({ name, description }));
  } finally {
    await client.close();
  }
}

function manifestWith(tools) {
  return {
    manifest_version: '0.3',
    name: own.name,
    display_name: 'Plimsoll',
    version: own.version,
    description: own.description,
    author: { name: 'The Plimsoll contributors' },
    server: {
      type: 'node',
      entry_point: main,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${main}`, 'serve'],
        env: { GITHUB_TOKEN: `\${user_config.github_token}` },
      },
    },
    tools,
    prompts_generated: true,
    keywords: own.keywords,
    license: own.license,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: own.engines.node } },
    user_config: {
      github_token: {
        type: 'string',
        title: 'GitHub token',
        description:
          'For private repositories, and for 5,000 requests an hour instead of 60. It may stay empty.',
        sensitive: true,
        required: false,
        default: '',
      },
    },
  };
}

if (!existsSync(join(root, main))) throw new Error('There is nothing to bundle yet: npm run build.');
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bundle-'));
try {
  const parts = ['dist', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
  const dependencies = Object.keys(own.dependencies).map((name) => `node_modules/${name}`);
  for (const part of [...parts, ...dependencies]) {
    cpSync(join(root, part), join(folder, part), { recursive: true, dereference: true });
  }
  writeFileSync(
    join(folder, 'manifest.json'),
    `${JSON.stringify(manifestWith(await askForTools()), null, 2)}\n`,
  );
  if (!(await packExtension({ extensionPath: folder, outputPath: target, silent: true }))) {
    throw new Error('The bundle could not be packed.');
  }
  console.log(target);
} finally {
  rmSync(folder, { recursive: true });
}
