import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMIT, LEAST_LIMIT, LEAST_LINES, limitOf } from '../measure/limit.ts';
import { CLIENTS, profileCalled, profileOf } from './clients.ts';

const UNKNOWN = {
  id: 'unknown',
  limit: DEFAULT_LIMIT,
  joinBlocks: false,
  base64IsText: false,
  heedsToolSize: false,
};

test.each([
  ['claude-code', 'claude-code'],
  ['claude-ai', 'claude-desktop'],
  ['claude-ai (via mcp-remote 0.1.37)', 'claude-desktop'],
  ['cursor-vscode', 'cursor'],
  ['Cursor', 'cursor'],
  ['Visual Studio Code', 'vscode'],
  ['Visual Studio Code - Insiders', 'vscode'],
  ['Visual-Studio-Code', 'vscode'],
  ['codex-mcp-client', 'codex'],
  ['gemini-cli-mcp-client', 'gemini-cli'],
  ['gemini-cli-mcp-client-github', 'gemini-cli'],
  ['qwen-cli-mcp-client-files', 'qwen-code'],
  ['github-copilot-developer', 'copilot-cli'],
  ['JetBrains-IU-copilot-intellij', 'jetbrains'],
  ['opencode', 'opencode'],
  ['Kilo-Code', 'kilo'],
  ['Cline', 'cline'],
  ['Roo-Code', 'roo-code'],
  ['goose-desktop', 'goose'],
  ['Zed', 'zed'],
  ['pi-mcp-adapter', 'pi'],
  ['mcp', 'python'],
])('%s is %s', (name, id) => {
  expect(profileOf(name).id).toBe(id);
  expect(profileOf(name.toUpperCase()).id).toBe(id);
  expect(profileOf(`${name} (via mcp-remote 0.1.0)`).id).toBe(id);
});

test.each([undefined, '', 'mcp-inspector', 'my claude-code', 'codexx', 'gptm', 'toString'])(
  'nothing is supposed of %j',
  (name) => {
    expect(profileOf(name)).toEqual(UNKNOWN);
  },
);

describe('the profile of', () => {
  test.each(CLIENTS)('%s has a limit that is allowed, and no more than the default', (id) => {
    const { limit } = profileCalled(id);
    expect(limitOf(limit)).toEqual(limit);
    expect(limit.chars).toBeLessThanOrEqual(DEFAULT_LIMIT.chars);
    expect(Math.min(limit.chars, limit.bytes ?? limit.chars, limit.tokens ?? limit.chars)).toBeGreaterThan(
      LEAST_LIMIT,
    );
    expect(limit.lines ?? LEAST_LINES).toBeGreaterThanOrEqual(LEAST_LINES);
  });

  test('each client has a name of its own', () => {
    expect(new Set(CLIENTS).size).toBe(CLIENTS.length);
  });
});

test.each([
  ['claude-code', { chars: 40_000, tokens: 17_500 }],
  ['codex', { chars: 32_000, bytes: 32_000 }],
  ['vscode', { chars: 6553 }],
  ['opencode', { chars: 40_960, bytes: 40_960, lines: 1600 }],
  ['qwen-code', { chars: 20_000, lines: 800 }],
  ['goose', { chars: 100_000 }],
  ['zed', { chars: 100_000 }],
])("%s's limit is below its cap, in the cap's own unit", (id, limit) => {
  expect(profileCalled(id).limit).toEqual(limit);
});

test('those that pass on one text block only get all in one', () => {
  expect(CLIENTS.filter((id) => profileCalled(id).joinBlocks)).toEqual(['claude-code', 'gptme', 'python']);
});

test('a client that is not in the table can not be named', () => {
  expect(profileCalled('Claude-Code').id).toBe('claude-code');
  expect(() => profileCalled('emacs')).toThrow(
    /^Unknown client 'emacs'. Known are claude-code, claude-desktop, codex, /,
  );
});

test.each(CLIENTS)('the documentation has the limit of %s', (id) => {
  const rows = readFileSync('docs/wrap.md', 'utf8').split('\n');
  const row = rows.find((line) => new RegExp(`^\\| [^|]*\\b${id}\\b`).test(line)) ?? '';
  const { chars, bytes, tokens, lines } = profileCalled(id).limit;
  for (const figure of [bytes ?? chars, tokens, lines]) {
    if (figure !== undefined) expect(row.replaceAll(',', '')).toContain(String(figure));
  }
});
