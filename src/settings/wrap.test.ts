import { expect, test } from 'vitest';
import { resolveSettings } from './settings.ts';

function resolve(wrap: unknown, env: Record<string, string> = {}) {
  const config = { file: 'f', value: { wrap } };
  const { values, warnings } = resolveSettings(['wrap'], {}, { env, folder: '/w', config });
  return { ...values.wrap, warnings };
}

test('without any layer nothing is decided', () => {
  expect(resolve({})).toEqual({ limit: undefined, joinBlocks: undefined, servers: new Map(), warnings: [] });
});

test.each([
  [{ PLIMSOLL_MAX_RESULT_CHARS: '20000', GPTME_MCP_MAX_OUTPUT_CHARS: '30000' }, { chars: 20_000 }],
  [{ GPTME_MCP_MAX_OUTPUT_CHARS: '30000' }, { chars: 30_000 }],
  [{ PLIMSOLL_MAX_RESULT_CHARS: '51200bytes,2000lines' }, { chars: 51_200, bytes: 51_200, lines: 2000 }],
  [{}, { chars: 40_000 }],
])('the environment %j says what the limit is', (env, limit) => {
  expect(resolve({ limit: 40_000 }, env)).toMatchObject({ limit, warnings: [] });
});

test.each([
  ['999', '1000', { chars: 1000 }],
  ['1', '1000', { chars: 1000 }],
  ['5tok,30000', '1000tok,30000', { chars: 30_000, tokens: 1000 }],
  ['30000,3lines', '30000,20lines', { chars: 30_000, lines: 20 }],
])('the limit %s is raised to the least', (value, raised, limit) => {
  expect(resolve({}, { PLIMSOLL_MAX_RESULT_CHARS: value })).toMatchObject({
    limit,
    warnings: [`PLIMSOLL_MAX_RESULT_CHARS in the environment is less than the least limit; using ${raised}`],
  });
});

test.each(['0', '-5', 'NaN', '1e5', '1000.5', 'none', '0x10', '5 000', '5000,', '5000tokens'])(
  'the limit %j is not used',
  (value) => {
    const { limit, warnings } = resolve({}, { PLIMSOLL_MAX_RESULT_CHARS: value });
    expect(limit).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^PLIMSOLL_MAX_RESULT_CHARS in the environment is ".*", which isn't a whole number.*; using what is known of the client$/,
      ),
    ]);
  },
);

test.each([
  [
    { PLIMSOLL_MAX_RESULT_CHARS: 'NaN', GPTME_MCP_MAX_OUTPUT_CHARS: '8000' },
    8000,
    /; using GPTME_MCP_MAX_OUTPUT_CHARS in the environment: "8000"$/,
  ],
  [
    { PLIMSOLL_MAX_RESULT_CHARS: 'junk' },
    3333,
    /^PLIMSOLL_MAX_RESULT_CHARS in the environment is "junk", which .*; using 'wrap.limit' in f: 3333$/,
  ],
])('of the limits in %j and a file, the first that is one holds', (env, chars, warning) => {
  const { limit, warnings } = resolve({ limit: 3333 }, env);
  expect(limit).toEqual({ chars });
  expect(warnings).toEqual([expect.stringMatching(warning)]);
});

test('spaces around a limit are of no interest', () => {
  expect(resolve({}, { PLIMSOLL_MAX_RESULT_CHARS: ' 9000 ' })).toMatchObject({
    limit: { chars: 9000 },
    warnings: [],
  });
});

test('a configuration file has rules for servers and their tools', () => {
  const servers = {
    docs: { limit: '25000tok', mode: 'spool', tools: { find: { limit: 5000 }, dump: { mode: 'inline' } } },
    other: {},
  };
  expect(resolve({ joinBlocks: true, servers })).toEqual({
    limit: undefined,
    joinBlocks: true,
    servers: new Map([
      [
        'docs',
        {
          limit: { chars: 200_000, tokens: 25_000 },
          mode: 'spool',
          tools: new Map([
            ['find', { limit: { chars: 5000 } }],
            ['dump', { mode: 'inline' }],
          ]),
        },
      ],
      ['other', { tools: new Map() }],
    ]),
    warnings: [],
  });
});

test('what is wrong in the rules is left out, with a warning each', () => {
  const servers = {
    a: { limit: 'all', mode: 'bound', size: 1 },
    b: 5,
    c: { tools: { x: { limit: 7, mode: 'off' }, y: [], z: { mode: 'spool', tools: {} } } },
    d: { tools: 'x' },
  };
  const { warnings, ...values } = resolve({ servers });
  expect(values.servers).toEqual(
    new Map([
      ['a', { mode: 'bound', tools: new Map() }],
      [
        'c',
        {
          tools: new Map([
            ['x', { limit: { chars: 1000 } }],
            ['z', { mode: 'spool' }],
          ]),
        },
      ],
      ['d', { tools: new Map() }],
    ]),
  );
  expect(warnings).toEqual([
    "'wrap.servers.b' in f must be an object; it is not used",
    "'wrap.servers.a.size' in f names no setting; known are limit, mode, tools",
    "'wrap.servers.a.limit' in f isn't a limit; it is not used",
    "'wrap.servers.c.tools.y' in f must be an object; it is not used",
    "'wrap.servers.c.tools.x.limit' in f is less than the least limit; using 1000",
    "'wrap.servers.c.tools.x.mode' in f isn't a mode; it is not used",
    "'wrap.servers.c.tools.z.tools' in f names no setting; known are limit, mode",
    "'wrap.servers.d.tools' in f must be an object; it is not used",
  ]);
});

test('rules that are no object are not used', () => {
  expect(resolve({ servers: [] })).toMatchObject({
    servers: new Map(),
    warnings: [
      "'wrap.servers' in f is a list, which isn't an object with an object for each server; using the default",
    ],
  });
});
