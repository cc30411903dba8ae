import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { findsRoles, type Handle, MODEL, ollamaRoutes, serve } from '../../transcript/model/model.testing.ts';
import { Policy } from '../../wrap/policy.ts';
import { clientOf, testServices } from '../server.testing.ts';
import type { Services, ServicesOptions } from '../services.ts';

interface Connected {
  readonly client: Client;
  readonly services: Services;
  readonly here: string;
}

const TALK = [
  'User: Remember that the office is in Husum.',
  'Assistant: Noted.',
  'User: We decided to use PostgreSQL for the database.',
];

/** A client at a server in a folder with a talk in it. */
async function connected(
  options: Partial<ServicesOptions> = {},
  env: Record<string, string> = {},
): Promise<Connected> {
  const services = testServices(options, env);
  const here = services.settings.workFolder as string;
  writeFileSync(join(here, 'talk.txt'), `${TALK.join('\n\n')}\n`);
  return { client: await clientOf(services), services, here };
}

async function textOf(client: Client, name: string, args: Record<string, unknown>, isError?: true) {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as { text: string }[];
  expect(result.isError, block?.text).toBe(isError);
  return block?.text ?? '';
}

const factsIn = ({ services }: Connected) =>
  JSON.parse(readFileSync(join(services.settings.dataFolder, 'context.json'), 'utf8'));

const RULES = { transcript_path: 'talk.txt', extract: 'rules', at: '2026-03-02' };

describe('by rules', () => {
  test('a preview stores nothing, and its call stores exactly what it showed', async () => {
    const place = await connected();
    const shown = await textOf(place.client, 'summarize_only', RULES);
    expect(shown).toContain(
      'line 1, person, 2026-03-02T00:00:00.000Z: "Remember that the office is in Husum."',
    );
    expect(await textOf(place.client, 'read_context', {})).toContain('There is nothing in it');
    const commit = /digest_transcript (\{.*?\})/.exec(shown)?.[1] as string;
    writeFileSync(join(place.here, 'talk.txt'), 'User: Remember that the office is in Kiel.');
    const stored = await textOf(place.client, 'digest_transcript', JSON.parse(commit));
    expect(stored).toMatch(
      /^Stored in memory \(global, .*\) as change 1; plimsoll memory undo 1 takes it back/,
    );
    expect(JSON.stringify(factsIn(place))).toContain('Husum');
    expect(await textOf(place.client, 'digest_transcript', JSON.parse(commit))).toContain(
      'was stored before',
    );
    await place.services.memory(undefined).undo(1);
    expect(await textOf(place.client, 'digest_transcript', JSON.parse(commit))).toMatch(
      /It was change 1 \(global, .*\), which change 2 took back; plimsoll memory undo 2 stores it again\./,
    );
    expect(await textOf(place.client, 'read_digest_log', {})).toContain(
      ', stored as change 1, which change 2 took back\n',
    );
  });

  test('the same transcript again changes nothing', async () => {
    const place = await connected();
    expect(await textOf(place.client, 'digest_transcript', RULES)).toContain('as change 1');
    expect(await textOf(place.client, 'digest_transcript', RULES)).toContain('Nothing in it is new.');
    expect(await textOf(place.client, 'summarize_only', RULES)).not.toContain('plan_id');
  });

  test('what is in doubt is told with its reason', async () => {
    const place = await connected();
    await textOf(place.client, 'digest_transcript', RULES);
    const [key = ''] = Object.entries(factsIn(place).notes as object).map(([name]) => `notes.${name}`);
    await textOf(place.client, 'update_context', { key, value: 'the office is in Kiel' });
    writeFileSync(join(place.here, 'other.txt'), (TALK[0] as string).replace('User:', 'User: Hello.'));
    const text = await textOf(place.client, 'digest_transcript', { ...RULES, transcript_path: 'other.txt' });
    expect(text).toContain('In doubt, and not stored:');
    expect(text).toContain('update_context stores');
  });

  test('every fact of a long talk is read on from the log', async () => {
    const settings = { limit: { chars: 3000 }, joinBlocks: undefined, servers: new Map() };
    const place = await connected({ policy: new Policy({ settings, server: 'plimsoll' }) });
    const names = Array.from({ length: 60 }, (_, at) => `server${at}`);
    const talk = names.map((name) => `Maria: Remember that ${name} is in rack ${name.slice(6)}.`);
    writeFileSync(join(place.here, 'talk.txt'), talk.join('\n\n'));
    const first = await textOf(place.client, 'digest_transcript', RULES);
    const pages = [first];
    for (let text = first; ; pages.push(text)) {
      const next = /read_digest_log (\{.*?\})/.exec(text)?.[1];
      if (next === undefined) break;
      text = await textOf(place.client, 'read_digest_log', JSON.parse(next));
      expect(text.length).toBeLessThan(3000);
    }
    const all = pages.join('\n');
    expect(pages.length).toBeGreaterThan(2);
    for (const name of names) expect(all.split(`Remember that ${name} is`)).toHaveLength(2);
  });

  test.each([
    [{}, 'digest_transcript needs one of transcript_path and plan_id.'],
    [{ transcript_path: 'talk.txt', plan_id: '00000000' }, 'needs one of transcript_path and plan_id.'],
    [{ plan_id: '00000000' }, 'There is no plan "00000000". There are none; summarize_only makes one.'],
    [{ ...RULES, transcript_path: '/etc/passwd' }, "'/etc/passwd' may not be read"],
    [
      { ...RULES, transcript_path: 'link.txt' },
      "'link.txt', which leads to '/etc/hostname', may not be read",
    ],
    [{ ...RULES, transcript_path: '.env' }, "'.env' may not be read: it is hidden"],
    [{ ...RULES, transcript_path: 'gone.txt' }, "Cannot read 'gone.txt': there is no such file."],
    [{ ...RULES, at: 'last week' }, "'last week' is none"],
    [{ ...RULES, extract: 'magic' }, "'extract' has to be one of model, rules"],
  ])('%j is refused in a line', async (args, message) => {
    const place = await connected();
    writeFileSync(join(place.here, '.env'), 'KEY=1');
    symlinkSync('/etc/hostname', join(place.here, 'link.txt'));
    const text = await textOf(place.client, 'digest_transcript', args, true);
    expect(text).toContain(message);
    expect(text).not.toMatch(/\n|--\w/);
  });

  test('transcripts in folders that the user allows are read', async () => {
    const place = await connected();
    const elsewhere = testServices().settings.workFolder as string;
    writeFileSync(join(elsewhere, 'talk.txt'), TALK.join('\n\n'));
    const args = { ...RULES, transcript_path: join(elsewhere, 'talk.txt') };
    expect(await textOf(place.client, 'summarize_only', args, true)).toContain('PLIMSOLL_TRANSCRIPT_FOLDERS');
    const allowed = await connected({ folders: [elsewhere] });
    expect(await textOf(allowed.client, 'summarize_only', args)).toContain('plan_id');
  });
});

describe('the log', () => {
  test('tells of digests, the newest first, and then what the older log has', async () => {
    const place = await connected();
    expect(await textOf(place.client, 'read_digest_log', {})).toBe('No transcript was digested yet.');
    await textOf(place.client, 'digest_transcript', RULES);
    writeFileSync(
      join(place.services.settings.dataFolder, 'digest_log.md'),
      '\n## 2026-01-01 10:00:00 UTC\n\n**Keys merged:** a\n\n## 2026-01-02 10:00:00 UTC\n\n**Keys merged:** b\n',
    );
    const text = await textOf(place.client, 'read_digest_log', {});
    expect(text).toContain('1 to 3 of 3');
    expect(text).toMatch(
      /digest [\da-f]{8}, .*, stored as change 1[\s\S]*digest_log\.md, 2026-01-02 [\s\S]*b\n[\s\S]*2026-01-01[\s\S]*a$/,
    );
    const one = await textOf(place.client, 'read_digest_log', { last_n: 1 });
    expect(one).toContain('1 to 1 of 3');
    expect(one).toContain('A larger last_n gives older ones.');
    expect(one).not.toContain('Keys merged');
  });
});

describe('by a model', () => {
  const env = (address: string) => ({ PLIMSOLL_MODEL_SERVER: address, PLIMSOLL_MODEL: MODEL });

  test('facts are found, and the client is told of every part', async () => {
    const { address } = await serve(ollamaRoutes(findsRoles));
    const place = await connected({}, { ...env(address), PLIMSOLL_MODEL_WINDOW: '4096' });
    const names = ['Ada', 'Ben', 'Cleo'];
    const talk = names.map((name) => `Tom: ${name} is the chief${name}.${' ship'.repeat(1000)}`);
    writeFileSync(join(place.here, 'talk.txt'), talk.join('\n\n'));
    const told: string[] = [];
    const result = await place.client.callTool(
      { name: 'digest_transcript', arguments: { transcript_path: 'talk.txt' } },
      { onprogress: ({ message }) => told.push(message ?? '') },
    );
    expect(JSON.stringify(result.content)).toContain('by model small:4b, in 3 parts');
    expect(factsIn(place)).toEqual({
      ada: { role: 'chiefAda' },
      ben: { role: 'chiefBen' },
      cleo: { role: 'chiefCleo' },
    });
    expect(told[0]).toContain('asking small:4b, part 1 of 3');
  });

  test('without a server the answer says what to do', async () => {
    const place = await connected({}, env('http://127.0.0.1:1'));
    const args = { transcript_path: 'talk.txt' };
    for (const name of ['digest_transcript', 'summarize_only']) {
      expect(await textOf(place.client, name, args, true)).toMatch(
        /^No server answers at http:\/\/127\.0\.0\.1:1 \(\w+\): start Ollama \('ollama serve'\), or do without a model \(extract: "rules"\)\.$/,
      );
    }
  });

  test('without the model the answer says how to get it', async () => {
    const { address } = await serve({
      ...ollamaRoutes(findsRoles),
      'POST /api/show': (_, response) => {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end('{"error":"model \'small:4b\' not found"}');
      },
    });
    const place = await connected({}, env(address));
    expect(await textOf(place.client, 'summarize_only', { transcript_path: 'talk.txt' }, true)).toMatch(
      /'ollama pull small:4b'.*Without a model: extract: "rules"\.$/,
    );
  });

  test.each([
    ['while it loads', true],
    ['while it answers', false],
  ])('a call that is cancelled stops the model %s', async (_, isLoading) => {
    let begun: () => void = () => {};
    let ended: () => void = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const hasEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const silent: Handle = (_received, response) => {
      response.on('close', ended);
      begun();
    };
    const routes = ollamaRoutes(silent);
    const { address } = await serve(isLoading ? { ...routes, 'POST /api/chat': silent } : routes);
    const place = await connected({}, env(address));
    mkdirSync(place.services.settings.dataFolder, { recursive: true });
    const controller = new AbortController();
    const asked = place.client.callTool(
      { name: 'digest_transcript', arguments: { transcript_path: 'talk.txt' } },
      { signal: controller.signal },
    );
    await hasBegun;
    controller.abort();
    await expect(asked).rejects.toThrow();
    await Promise.race([hasEnded, delay(10_000).then(() => expect.fail('The model goes on.'))]);
    expect(await textOf(place.client, 'read_digest_log', {})).toBe('No transcript was digested yet.');
  });
});
