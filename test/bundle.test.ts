import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_JSON } from './server-json.ts';
import { environment, type Json, Line, run, temporaryFolder } from './wrapped.ts';

const SCHEMA = '@anthropic-ai/mcpb/mcpb-manifest-v0.3.schema.json';

/** The form of a GitHub token; not a token. */
const TOKEN = ['ghp', 'n4xRq8Zt2LwYc7VbKd5MfJh3Gs9PeTu6Xa1B'].join('_');

function json(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function problemsOf(value: unknown, schema: AnySchema): unknown {
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.validate(schema, value);
  return ajv.errors;
}

describe('server.json', () => {
  const own = json('package.json');
  const server = json('server.json');

  test('is what the registry takes', () => {
    expect(problemsOf(server, SERVER_JSON)).toBeNull();
    expect(problemsOf({ ...server, description: 'x'.repeat(101) }, SERVER_JSON)).toHaveLength(1);
  });

  test('agrees with the package in its name and its version', () => {
    expect({ name: own.mcpName, version: own.version }).toEqual({
      name: server.name,
      version: server.version,
    });
    const packages = server.packages.map(({ identifier, version }: Json) => [identifier, version]);
    expect(packages).toEqual([[own.name, own.version]]);
  });
});

describe('the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bundle-'));
  const unpacked = join(folder, 'unpacked');
  const bundle = join(folder, 'plimsoll.mcpb');
  let manifest: Json;

  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/bundle.mjs', bundle], { env: environment(folder) });
    await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true });
    manifest = json(join(unpacked, 'manifest.json'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('has a manifest as its published schema wants it, of this version', () => {
    const schema = json(createRequire(import.meta.url).resolve(SCHEMA));
    expect(problemsOf(manifest, schema)).toBeNull();
    expect(problemsOf({ ...manifest, server: {} }, schema)).not.toBeNull();
    expect(manifest.version).toBe(json('package.json').version);
    expect(manifest.tools.map(({ name }: Json) => name)).toContain('fetch_github_repo');
  });

  test('is small, and holds the licenses of all that is in it', () => {
    expect(statSync(bundle).size).toBeLessThan(6_000_000);
    for (const file of ['LICENSE', 'dist/THIRD-PARTY-NOTICES.txt']) {
      expect(statSync(join(unpacked, file)).isFile()).toBe(true);
    }
  });

  test('starts as a client starts it, and digests a folder, secrets aside', async () => {
    const config = (await getMcpConfigForManifest({
      manifest,
      extensionPath: unpacked,
      systemDirs: {},
      userConfig: {},
      pathSeparator: '/',
    })) as Json;
    expect(config.env).toEqual({ GITHUB_TOKEN: '' });
    const sample = temporaryFolder();
    mkdirSync(join(sample, 'src'));
    writeFileSync(join(sample, 'src/config.js'), `export const token = '${TOKEN}';\n`);
    const command = [process.execPath, ...config.args, '--root', sample];
    const { child } = run(command, { cwd: folder, env: { ...environment(folder), ...config.env } });
    const client = new Line(child.stdout, child.stdin);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect((await client.answer(1)).message.result.serverInfo.version).toBe(manifest.version);
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = { name: 'digest_folder', arguments: { path: sample } };
    client.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    const { message } = await client.answer(2);
    expect(message.result.content[0].text).toContain('src/config.js');
    expect(JSON.stringify(message)).not.toContain(TOKEN);
    client.end();
    await once(child, 'close');
  });
});
