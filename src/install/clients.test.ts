import { describe, expect, test } from 'vitest';
import { CLIENTS, clientCalled, type Machine } from './clients.ts';

function filesOf(id: string, machine: Partial<Machine> & Pick<Machine, 'platform' | 'home'>) {
  return clientCalled(id).files({ env: {}, packages: [], ...machine });
}

const LINUX = { platform: 'linux', home: '/home/u' } as const;
const MAC = { platform: 'darwin', home: '/Users/u' } as const;
const WINDOWS = { platform: 'win32', home: 'C:\\Users\\u' } as const;
const ROAMING = 'C:\\Users\\u\\AppData\\Roaming';

describe.each([
  [
    'claude-desktop',
    '/home/u/.config/Claude/claude_desktop_config.json',
    '/Users/u/Library/Application Support/Claude/claude_desktop_config.json',
    `${ROAMING}\\Claude\\claude_desktop_config.json`,
  ],
  ['claude-code', '/home/u/.claude.json', '/Users/u/.claude.json', 'C:\\Users\\u\\.claude.json'],
  ['cursor', '/home/u/.cursor/mcp.json', '/Users/u/.cursor/mcp.json', 'C:\\Users\\u\\.cursor\\mcp.json'],
  [
    'vscode',
    '/home/u/.config/Code/User/mcp.json',
    '/Users/u/Library/Application Support/Code/User/mcp.json',
    `${ROAMING}\\Code\\User\\mcp.json`,
  ],
  ['codex', '/home/u/.codex/config.toml', '/Users/u/.codex/config.toml', 'C:\\Users\\u\\.codex\\config.toml'],
  [
    'gemini-cli',
    '/home/u/.gemini/settings.json',
    '/Users/u/.gemini/settings.json',
    'C:\\Users\\u\\.gemini\\settings.json',
  ],
  [
    'windsurf',
    '/home/u/.codeium/windsurf/mcp_config.json',
    '/Users/u/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\u\\.codeium\\windsurf\\mcp_config.json',
  ],
  [
    'zed',
    '/home/u/.config/zed/settings.json',
    '/Users/u/.config/zed/settings.json',
    `${ROAMING}\\Zed\\settings.json`,
  ],
  [
    'opencode',
    '/home/u/.config/opencode/opencode.json',
    '/Users/u/.config/opencode/opencode.json',
    'C:\\Users\\u\\.config\\opencode\\opencode.json',
  ],
])('the file of %s', (id, linux, mac, windows) => {
  test('is in its place on every platform', () => {
    expect([LINUX, MAC, WINDOWS].map((machine) => filesOf(id, machine)[0])).toEqual([linux, mac, windows]);
  });
});

test('folders that the environment names are heeded, if they can be', () => {
  const env = { CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/d', XDG_CONFIG_HOME: '/x' };
  const files = ['codex', 'claude-code', 'zed', 'vscode'].map((id) => filesOf(id, { ...LINUX, env })[0]);
  expect(files).toEqual([
    '/c/config.toml',
    '/d/.claude.json',
    '/x/zed/settings.json',
    '/x/Code/User/mcp.json',
  ]);
  expect(filesOf('zed', { ...LINUX, env: { XDG_CONFIG_HOME: 'x' } })[0]).toBe(
    '/home/u/.config/zed/settings.json',
  );
  expect(filesOf('vscode', { ...WINDOWS, env: { APPDATA: 'D:\\Roaming' } })[0]).toBe(
    'D:\\Roaming\\Code\\User\\mcp.json',
  );
});

test('Claude Desktop as a package of Windows has its file in the folder of that', () => {
  expect(filesOf('claude-desktop', { ...WINDOWS, packages: ['Other_1', 'Claude_1x'] })).toEqual([
    'C:\\Users\\u\\AppData\\Local\\Packages\\Claude_1x\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    `${ROAMING}\\Claude\\claude_desktop_config.json`,
  ]);
});

test('every client has a source', () => {
  expect(CLIENTS.filter(({ source }) => !/\d{4}/.test(source))).toEqual([]);
});

test('an unknown client is refused with those that are known', () => {
  expect(() => clientCalled('emacs')).toThrow(
    "Unknown client 'emacs'. Known are claude-desktop, claude-code,",
  );
});
