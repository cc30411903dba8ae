import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMIT, LEAST_LIMIT } from '../measure/limit.ts';
import { resolveSettings, type WrapSettings } from '../settings/settings.ts';
import { openSpool } from '../spool/spool.ts';
import { profileCalled } from './clients.ts';
import { Policy, type PolicyOptions, parseToolRule, termsOf } from './policy.ts';

function settingsOf(wrap: unknown, env: Record<string, string> = {}): WrapSettings {
  const config = { file: 'f', value: { wrap } };
  return resolveSettings(['wrap'], {}, { env, folder: '/w', config }).values.wrap;
}

const SERVERS = { docs: { limit: 30_000, tools: { find: { limit: 20_000 }, dump: { mode: 'spool' } } } };

function policyOf(options: Partial<PolicyOptions> & { wrap?: unknown; env?: Record<string, string> } = {}) {
  const { wrap = {}, env, ...others } = options;
  return new Policy({ settings: settingsOf(wrap, env), ...others });
}

describe('the limit', () => {
  const tools = new Map([['find', { limit: { chars: 10_000 } }]]);
  const env = { PLIMSOLL_MAX_RESULT_CHARS: '40000' };
  const question = { tool: 'find', client: 'gemini-cli-mcp-client' };

  test.each<[string, Parameters<typeof policyOf>[0], number]>([
    ['a flag for the tool', { wrap: { servers: SERVERS }, env, server: 'docs', tools }, 10_000],
    ['the settings for the tool', { wrap: { servers: SERVERS }, env, server: 'docs' }, 20_000],
    ['those for the server', { wrap: { servers: { docs: { limit: 30_000 } } }, env, server: 'docs' }, 30_000],
    ['those for all servers', { wrap: { servers: SERVERS, limit: 50_000 }, env, server: 'other' }, 40_000],
    ["the client's cap", { wrap: { servers: SERVERS } }, 32_000],
  ])('is decided by %s', (_, options, chars) => {
    expect(policyOf(options).decide(question)).toMatchObject({ limit: { chars } });
  });

  test('is the default where nothing is known', () => {
    expect(policyOf().decide({})).toEqual({
      limit: DEFAULT_LIMIT,
      mode: 'bound',
      joinBlocks: false,
      base64IsText: false,
    });
  });

  test('is that of the profile that was asked for, whatever the client calls itself', () => {
    const policy = policyOf({ profile: profileCalled('cline') });
    expect(policy.decide({ client: 'claude-code' })).toMatchObject({
      limit: { chars: 6400 },
    });
  });

  test.each([
    [200_000, { chars: 200_000 }],
    [900_000, { chars: 500_000 }],
    [2000, { chars: 2000 }],
    [10, profileCalled('claude-code').limit],
    ['200000', profileCalled('claude-code').limit],
    [Number.NaN, profileCalled('claude-code').limit],
    [undefined, profileCalled('claude-code').limit],
  ])("is raised for Claude Code by a tool's own size: %j", (toolSize, limit) => {
    expect(policyOf().decide({ tool: 'find', client: 'claude-code', toolSize }).limit).toEqual(limit);
  });

  test("is not raised for others, nor over what is said otherwise, by a tool's own size", () => {
    const toolSize = 200_000;
    expect(policyOf().decide({ tool: 'find', client: 'cline', toolSize }).limit).toEqual({ chars: 6400 });
    const policy = policyOf({ wrap: { limit: 5000 } });
    expect(policy.decide({ tool: 'find', client: 'claude-code', toolSize }).limit.chars).toBe(5000);
  });

  test('is never missing, whatever the settings hold', () => {
    const key = fc.constantFrom('limit', 'mode', 'tools', 'docs', 'find', '__proto__', 'toString');
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({ servers: fc.dictionary(key, fc.dictionary(key, fc.jsonValue())), limit: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(value, fc.string(), (wrap, variable) => {
        const policy = policyOf({ wrap, env: { PLIMSOLL_MAX_RESULT_CHARS: variable }, server: 'docs' });
        for (const tool of [undefined, 'find', '__proto__', 'toString']) {
          const { limit, mode } = policy.decide({ tool });
          expect(limit.chars).toBeGreaterThanOrEqual(LEAST_LIMIT);
          expect(['bound', 'inline', 'spool']).toContain(mode);
        }
      }),
    );
  });
});

describe('the mode', () => {
  const wrap = {
    servers: { docs: { mode: 'inline', tools: { find: { limit: 20_000 }, dump: { mode: 'spool' } } } },
  };
  const policy = policyOf({ wrap, server: 'docs', tools: new Map([['get', { mode: 'bound' as const }]]) });

  test.each([
    ['dump', 'spool'],
    ['find', 'bound'],
    ['get', 'bound'],
    ['other', 'inline'],
    [undefined, 'inline'],
  ])('of %j is %s', (tool, mode) => {
    expect(policy.decide({ tool }).mode).toBe(mode);
  });

  test('is to bound, of a server without rules', () => {
    expect(policyOf({ wrap, server: 'other' }).decide({ tool: 'dump' }).mode).toBe('bound');
    expect(policyOf({ wrap }).decide({ tool: 'dump' }).mode).toBe('bound');
  });
});

test('whether blocks are joined is said by the settings, or known of the client', () => {
  expect(policyOf().decide({ client: 'mcp' }).joinBlocks).toBe(true);
  expect(policyOf().decide({ client: 'goose' }).joinBlocks).toBe(false);
  expect(policyOf({ wrap: { joinBlocks: false } }).decide({ client: 'mcp' }).joinBlocks).toBe(false);
  expect(policyOf({ env: { PLIMSOLL_JOIN_BLOCKS: 'true' } }).decide({}).joinBlocks).toBe(true);
});

describe('a rule for a tool', () => {
  const parse = (text: string) => {
    const warnings: string[] = [];
    return [...parseToolRule(text, (problem) => warnings.push(problem)), ...warnings];
  };

  test.each([
    ['find=inline', ['find', { mode: 'inline' }]],
    ['find=spool', ['find', { mode: 'spool' }]],
    ['a=b=bound', ['a=b', { mode: 'bound' }]],
    ['find=20000', ['find', { limit: { chars: 20_000 } }]],
    ['find=50', ['find', { limit: { chars: 1000 } }, 'is less than the least limit; using 1000']],
  ])('may be %s', (text, rule) => {
    expect(parse(text)).toEqual(rule);
  });

  test.each(['find', 'find=', '=inline', 'find=all', 'find=-1', ''])('may not be %j', (text) => {
    expect(() => parse(text)).toThrow(`Not a rule for a tool: '${text}'. Give NAME=LIMIT, NAME=bound,`);
  });
});

describe('the terms of a relay', () => {
  const spool = openSpool({ folder: '/nowhere' });
  const wrap = {
    servers: { docs: { limit: 30_000, tools: { dump: { mode: 'spool' }, all: { mode: 'inline' } } } },
  };
  const terms = termsOf(policyOf({ wrap, server: 'docs' }), {
    spool,
    tools: () => ({ read: 'r', select: 's' }),
    paths: false,
    resources: () => false,
    toolSizeOf: () => undefined,
  });
  const reader = { client: 'claude-code', version: '2025-06-18' };

  test('say how a result is bounded', () => {
    expect(terms.how({ method: 'tools/call', name: 'find' }, reader)).toEqual({
      limit: { chars: 30_000 },
      mode: 'bound',
      spool,
      server: 'docs',
      readers: { tools: { read: 'r', select: 's' }, paths: false, resources: false },
      joinBlocks: true,
      links: true,
      base64IsText: false,
    });
  });

  test.each([
    ['tools/call', 'spool'],
    ['tasks/result', 'spool'],
    ['resources/read', 'bound'],
    ['prompts/get', 'bound'],
  ] as const)('take the name in %s for a tool only if it is one', (method, mode) => {
    expect(terms.how({ method, name: 'dump' }, reader).mode).toBe(mode);
  });

  test.each([
    ['2026-07-28', true],
    ['2025-03-26', false],
    [undefined, false],
  ])('know whether %s has links', (version, links) => {
    expect(terms.how({ method: 'tools/call' }, { client: undefined, version }).links).toBe(links);
  });

  test('say what a tool may show', () => {
    const audience = terms.audience(reader);
    expect(['find', 'dump', 'all'].map((tool) => audience.limitOf(tool))).toEqual([30_000, 1000, undefined]);
  });

  test("heed a tool's own size", () => {
    const terms = termsOf(policyOf(), {
      spool,
      tools: () => undefined,
      paths: true,
      resources: () => false,
      toolSizeOf: (tool) => (tool === 'big' ? 300_000 : undefined),
    });
    expect(terms.ownLimit('big', reader)).toEqual({ chars: 300_000 });
    expect(terms.ownLimit('small', reader).chars).toBe(40_000);
    expect(terms.ownLimit(undefined, reader).chars).toBe(40_000);
  });
});
