import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SUITE = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const ON_NODE_20 = resolve('test/servers/mcp-conformance-node20.mjs');

/**
 * Runs the server scenarios of the public conformance suite that a revision requires, and those it lists besides,
 * against an address. Results go into `folder`. Gives a line a check, `scenario check STATUS`, in order.
 */
export async function conformance(url: string, revision: string, folder: string): Promise<string[]> {
  const args = ['--import', ON_NODE_20, SUITE, 'server', '--url', url];
  await new Promise<void>((done) => {
    // The exit code only says whether all scenarios passed; the checks tell which.
    execFile(process.execPath, [...args, '--requirements', revision, '-o', folder], () => done());
  });
  return readdirSync(folder).flatMap((name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks: { id: string; status: string }[] = JSON.parse(
      readFileSync(join(folder, name, 'checks.json'), 'utf8'),
    );
    return checks.map(({ id, status }) => `${scenario} ${id} ${status}`);
  });
}
