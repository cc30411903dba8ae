import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Machine } from './clients.ts';
import { discover } from './discover.ts';
import { TestMachine } from './machine.testing.ts';

let machine: TestMachine;

beforeEach(() => {
  machine = new TestMachine();
});

afterEach(() => machine.remove());

/** What is found, as `client: path below the root`. */
async function found(other?: Partial<Machine>): Promise<string[]> {
  const { transcripts } = await discover(machine.as(other));
  return transcripts.map(({ client, path }) => `${client}: ${relative(machine.root, path)}`).sort();
}

const HOME = 'home/mara';
const EVERYWHERE: readonly [client: string, path: string][] = [
  ['Claude Code', '.claude/projects/-home-mara-boats/5f3a.jsonl'],
  ['Claude Code', '.claude/projects/-home-mara-boats/agent-91.jsonl'],
  ['Claude Code', '.claude/projects/-home-mara-boats/5f3a/subagents/agent-92.jsonl'],
  ['Claude Code', '.claude/projects/-home-mara-boats/5f3a/subagents/deep/er/agent-93.jsonl'],
  ['Claude Code', '.config/claude/projects/p/5f3b.jsonl'],
  ['Codex', '.codex/sessions/2026/01/02/rollout-2026-01-02-a.jsonl'],
  ['Codex', '.codex/sessions/2026/01/02/rollout-2026-01-02-b.jsonl.zst'],
  ['Codex', '.codex/archived_sessions/rollout-2025-12-31-c.jsonl'],
  ['Gemini CLI', '.gemini/tmp/0a1b/chats/session-2026-01-02-x.json'],
  ['Gemini CLI', '.gemini/tmp/0a1b/chats/session-2026-01-02-y.jsonl'],
  ['Gemini CLI', '.gemini/tmp/0a1b/chats/parent-id/child-id.jsonl'],
  ['gptme', '.local/share/gptme/logs/2026-01-01-hull/conversation.jsonl'],
  ['Copilot CLI', '.copilot/session-state/0f/events.jsonl'],
  ['Copilot CLI', '.copilot/session-state/0e.jsonl'],
  ['Cursor', '.cursor/projects/boats/agent-transcripts/0d.txt'],
  ['Cursor', '.cursor/projects/boats/agent-transcripts/0c/0c.jsonl'],
  ['VS Code', '.vscode-server/data/User/workspaceStorage/9/chatSessions/0b.json'],
  ['Cursor', '.cursor-server/data/User/globalStorage/emptyWindowChatSessions/0a.jsonl'],
];

/** The same chats of editors, below the folder where programs keep data. */
const EDITORS: typeof EVERYWHERE = [
  ['VS Code', 'Code/User/workspaceStorage/9/chatSessions/01.json'],
  ['VS Code', 'Code - Insiders/User/workspaceStorage/9/chatSessions/02.jsonl'],
  ['VSCodium', 'VSCodium/User/globalStorage/emptyWindowChatSessions/03.json'],
  ['Cursor', 'Cursor/User/workspaceStorage/9/chatSessions/04.jsonl'],
  [
    'Cline and its kin',
    'Code/User/globalStorage/saoudrizwan.claude-dev/tasks/17/api_conversation_history.json',
  ],
  [
    'Cline and its kin',
    'Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks/18/api_conversation_history.json',
  ],
];

const at = (folder: string, all: typeof EVERYWHERE): typeof EVERYWHERE =>
  all.map(([client, path]) => [client, join(folder, path)]);

const written = (all: typeof EVERYWHERE) => {
  for (const [, path] of all) machine.file(path);
  return all.map(([client, path]) => `${client}: ${path}`).sort();
};

test.each<[NodeJS.Platform, string, typeof EVERYWHERE]>([
  ['linux', '.config', []],
  [
    'darwin',
    'Library/Application Support',
    [['gptme', 'Library/Application Support/gptme/logs/a/conversation.jsonl']],
  ],
  ['win32', 'AppData/Roaming', [['gptme', 'AppData/Local/gptme/gptme/logs/a/conversation.jsonl']]],
])('all clients on %s', async (platform, programs, more) => {
  const all = written(at(HOME, [...EVERYWHERE, ...at(programs, EDITORS), ...more]));
  expect(await found({ platform })).toEqual(all);
});

test('what else clients write is passed over', async () => {
  for (const path of [
    '.claude/projects/p/memory/MEMORY.md',
    '.claude/projects/p/5f3a/tool-results/x.jsonl',
    '.claude/history.jsonl',
    '.codex/history.jsonl',
    '.codex/auth.json',
    '.codex/sessions/2026/notes.jsonl',
    '.gemini/oauth_creds.json',
    '.gemini/tmp/0a1b/logs.json',
    '.local/share/gptme/logs/a/branches/b.jsonl',
    '.copilot/config.json',
    '.copilot/session-state/0f/workspace.yaml',
    '.cursor/mcp.json',
    '.config/Code/User/globalStorage/state.vscdb',
    '.config/Code/User/globalStorage/x.y/tasks/17/ui_messages.json',
    '.config/Code/User/workspaceStorage/9/chatEditingSessions/01.json',
  ]) {
    machine.file(`${HOME}/${path}`);
  }
  machine.folder(`${HOME}/.claude/projects/p/folder.jsonl`);
  expect(await found()).toEqual([]);
});

test.each<[string, string, NodeJS.Platform, string]>([
  ['CLAUDE_CONFIG_DIR', 'projects/p/1.jsonl', 'linux', '.claude/projects/p/1.jsonl'],
  ['CODEX_HOME', 'sessions/2026/rollout-1.jsonl', 'linux', '.codex/sessions/2026/rollout-1.jsonl'],
  ['GEMINI_CLI_HOME', '.gemini/tmp/0/chats/session-1.json', 'linux', '.gemini/tmp/0/chats/session-1.json'],
  ['GPTME_LOGS_HOME', 'a/conversation.jsonl', 'linux', '.local/share/gptme/logs/a/conversation.jsonl'],
  [
    'XDG_DATA_HOME',
    'gptme/logs/a/conversation.jsonl',
    'darwin',
    '.local/share/gptme/logs/a/conversation.jsonl',
  ],
  ['COPILOT_HOME', 'session-state/1.jsonl', 'linux', '.copilot/session-state/1.jsonl'],
  [
    'XDG_CONFIG_HOME',
    'Code/User/workspaceStorage/9/chatSessions/1.json',
    'linux',
    '.config/Code/User/workspaceStorage/9/chatSessions/1.json',
  ],
  [
    'APPDATA',
    'Code/User/workspaceStorage/9/chatSessions/1.json',
    'win32',
    'AppData/Roaming/Code/User/workspaceStorage/9/chatSessions/1.json',
  ],
  [
    'LOCALAPPDATA',
    'gptme/gptme/logs/a/conversation.jsonl',
    'win32',
    'AppData/Local/gptme/gptme/logs/a/conversation.jsonl',
  ],
])('%s says where, unless it is not absolute', async (variable, path, platform, usual) => {
  machine.file(`elsewhere/${path}`);
  machine.file(`${HOME}/${usual}`);
  const env = { [variable]: ` ${join(machine.root, 'elsewhere')} ` };
  expect(await found({ platform, env })).toEqual([expect.stringContaining(`: elsewhere/${path}`)]);
  for (const other of ['', 'elsewhere']) {
    expect(await found({ platform, env: { [variable]: other } })).toEqual([
      expect.stringContaining(`: ${HOME}/${usual}`),
    ]);
  }
});

test('aider writes up to the root of the repository', async () => {
  for (const folder of ['', '/boats', '/boats/hull', '/boats/hull/keel']) {
    machine.file(`${HOME}${folder}/.aider.chat.history.md`);
  }
  const workFolder = join(machine.work, 'hull');
  expect(await found({ workFolder })).toEqual([`aider: ${HOME}/boats/hull/.aider.chat.history.md`]);
  machine.folder(`${HOME}/boats/.git`);
  expect(await found({ workFolder })).toEqual([
    `aider: ${HOME}/boats/.aider.chat.history.md`,
    `aider: ${HOME}/boats/hull/.aider.chat.history.md`,
  ]);
});

test('aider writes where it was told to, and wrote to the usual place before', async () => {
  machine.file(`${HOME}/boats/chat.md`);
  machine.file(`${HOME}/boats/.aider.chat.history.md`);
  expect(await found({ env: { AIDER_CHAT_HISTORY_FILE: 'chat.md' } })).toEqual([
    `aider: ${HOME}/boats/.aider.chat.history.md`,
    `aider: ${HOME}/boats/chat.md`,
  ]);
});

test('without a home there is what the current folder has', async () => {
  machine.file(`${HOME}/boats/.aider.chat.history.md`);
  machine.file(`${HOME}/boats/.claude/projects/p/1.jsonl`);
  expect(await found({ home: '' })).toEqual([`aider: ${HOME}/boats/.aider.chat.history.md`]);
});

test('the newest come first, with size and time, and none from before', async () => {
  const first = machine.file(`${HOME}/.claude/projects/p/b.jsonl`, 1, 7);
  const third = machine.file(`${HOME}/.codex/sessions/rollout-a.jsonl`, 3, 5);
  const second = machine.file(`${HOME}/.claude/projects/q/c.jsonl`, 2);
  const alike = machine.file(`${HOME}/.config/claude/projects/p/a.jsonl`, 3);
  const { transcripts, unreadable } = await discover(machine.as());
  expect(transcripts.map(({ path }) => path)).toEqual([third, alike, second, first]);
  expect(transcripts.at(-1)).toEqual({
    path: first,
    client: 'Claude Code',
    size: 7,
    modified: new Date(Date.UTC(2026, 0, 1, 0, 1)),
  });
  expect(unreadable).toEqual([]);
  const since = new Date(Date.UTC(2026, 0, 1, 0, 2));
  const later = await discover({ ...machine.as(), since });
  expect(later.transcripts.map(({ path }) => path)).toEqual([third, alike, second]);
});

test('links below a folder are passed over; the folder itself may be one', async () => {
  machine.file('dotfiles/claude/projects/p/1.jsonl');
  machine.file('elsewhere/p/2.jsonl');
  const real = join(machine.root, 'dotfiles/claude/projects');
  symlinkSync(join(machine.root, 'dotfiles/claude'), join(machine.home, '.claude'));
  symlinkSync(join(machine.root, 'elsewhere/p'), join(real, 'q'));
  symlinkSync(join(machine.root, 'elsewhere/p/2.jsonl'), join(real, 'p', '3.jsonl'));
  symlinkSync(real, join(real, 'p', 'again'));
  symlinkSync(join(machine.root, 'elsewhere/p/2.jsonl'), join(machine.work, '.aider.chat.history.md'));
  expect(await found()).toEqual(['Claude Code: dotfiles/claude/projects/p/1.jsonl']);
});

test('a folder that two clients share gives each file once', async () => {
  const path = machine.file(`${HOME}/shared/projects/p/1.jsonl`);
  const folder = join(machine.home, 'shared');
  symlinkSync(folder, join(machine.home, '.claude'));
  machine.folder(`${HOME}/.config`);
  symlinkSync(folder, join(machine.home, '.config/claude'));
  const { transcripts } = await discover(machine.as());
  expect(transcripts.map((one) => one.path)).toEqual([path]);
});

test('files that nobody has written to yet are passed over', async () => {
  machine.file('home/mara/.claude/projects/p/empty.jsonl', 0, 0);
  expect(await found()).toEqual([]);
});

test('odd names are kept as they are', async () => {
  const names = ["it's a\nsail", ' ', '-rf', 'ö', '日本'];
  for (const name of names) machine.file(`${HOME}/.claude/projects/${name}/${name}.jsonl`);
  expect(await found()).toEqual(
    names.map((name) => `Claude Code: ${HOME}/.claude/projects/${name}/${name}.jsonl`).sort(),
  );
});

test('a file where a folder should be holds nothing', async () => {
  machine.file(`${HOME}/.claude`);
  machine.file(`${HOME}/.codex/sessions`);
  expect(await discover(machine.as())).toEqual({ transcripts: [], unreadable: [] });
});

test('a link to itself is told', async () => {
  const path = join(machine.home, '.claude');
  symlinkSync(path, path);
  expect((await discover(machine.as())).unreadable).toEqual([
    { path: join(path, 'projects'), reason: expect.stringMatching(/^ELOOP: [^/]+$/) },
  ]);
});
