import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { LEAST_LIMIT } from '../src/measure/limit.ts';
import { conformance } from './servers/mcp-conformance.ts';
import { environment, MAIN, run, temporaryFolder } from './wrapped.ts';

const REFERENCE = [process.execPath, resolve('test/servers/mcp-reference/main.mjs')];
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** So many characters more in every answer, so that none is under the least limit. */
const BULK = '20000';

/** These checks ask for media, which are too large and give way to links. */
const MEDIA = [
  'tools-call-image tools-call-image',
  'tools-call-audio tools-call-audio',
  'tools-call-mixed-content tools-call-mixed-content',
  'resources-read-binary resources-read-binary',
  'prompts-get-with-image prompts-get-with-image',
];

/** These look for words or a kind of block where under the least limit there may be room for the notice alone. */
const WORDS = [
  'tools-call-embedded-resource tools-call-embedded-resource',
  'resources-templates-read resources-templates-read',
  'prompts-get-with-args prompts-get-with-args',
  'prompts-get-embedded-resource prompts-get-embedded-resource',
];

/** What may be different when every answer is larger than the limit. */
const DEPENDS_ON_SIZE = [...MEDIA, ...WORDS];

/**
 * These look at how an answer is put on HTTP, which is for the one who answers: the reference server has a stream of
 * events for every answer, the proxy only where there is more to say than the answer. The scenario about polling needs
 * a stream that can be taken up again, which the revision doesn't ask for, and which the reference server hasn't.
 */
const isAboutStreams = (check: string) =>
  check.startsWith('server-sse-polling ') || check.includes(' server-sse-streams-functional ');

/** Scenarios of the tasks extension, which the reference server doesn't have. */
const isExtension = (check: string) => check.startsWith('tasks-');
const isFailed = (check: string) => check.endsWith('FAILURE');

/** Starts the reference server on HTTP, and gives its address. */
async function reference(...options: string[]): Promise<string> {
  const { child } = run([...REFERENCE, '--http', ...options]);
  const [address] = await once(createInterface(child.stdout as Readable), 'line');
  return address;
}

/** Puts `plimsoll wrap` on HTTP before a server, and gives its address. */
async function inFront(...args: string[]): Promise<string> {
  const folder = temporaryFolder();
  const command = [process.execPath, MAIN, 'wrap', '--http', '0', ...args];
  const { child } = run(command, { env: environment(folder) });
  for await (const line of createInterface(child.stderr as Readable)) {
    const address = /http:\/\/\S+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('The proxy has ended');
}

async function checks(address: string, revision: string): Promise<string[]> {
  const all = await conformance(address, revision, mkdtempSync(join(temporaryFolder(), 'results-')));
  return all.filter((check) => !isAboutStreams(check));
}

describe.each(REVISIONS)('%s', { timeout: 120_000 }, (revision) => {
  let known: Promise<string[]> | undefined;
  /** The checks of the reference server itself. */
  const directly = () => {
    known ??= reference('--bulk', BULK).then((address) => checks(address, revision));
    return known;
  };

  test('the same checks with the proxy before a server on stdio, and before one on HTTP', async () => {
    const [direct, overStdio, overHttp] = await Promise.all([
      directly(),
      inFront('--', ...REFERENCE, '--bulk', BULK).then((front) => checks(front, revision)),
      reference('--bulk', BULK)
        .then((address) => inFront('--url', address))
        .then((front) => checks(front, revision)),
    ]);
    expect(direct.length).toBeGreaterThanOrEqual(80);
    expect(direct.filter((check) => !isExtension(check) && isFailed(check))).toEqual([]);
    expect(overStdio).toEqual(direct);
    expect(overHttp).toEqual(direct);
  });

  test('under the least limit only checks that depend on size differ', async () => {
    const limit = String(LEAST_LIMIT);
    const front = inFront('--limit', limit, '--', ...REFERENCE, '--bulk', BULK);
    const [direct, bounded] = await Promise.all([
      directly(),
      front.then((address) => checks(address, revision)),
    ]);
    const name = (check: string) => check.replace(/ \w+$/, '');
    const differs = direct.filter((check) => !bounded.includes(check)).map(name);
    expect(differs.filter((check) => !DEPENDS_ON_SIZE.includes(check))).toEqual([]);
    expect(bounded.map(name)).toEqual(direct.map(name));
  });
});
