import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { DEEP, type Pattern } from './pattern.ts';

/** The machine and the place from which transcripts are looked for. */
export interface Machine {
  /** The user's home, absolute; empty if there is none. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The current folder, absolute. */
  readonly workFolder: string;
}

/** A folder where a client keeps transcripts, and where they are below it. */
export interface Store {
  /** As a user reads it: `Claude Code`. */
  readonly client: string;
  /** Absolute. */
  readonly folder: string;
  readonly patterns: readonly Pattern[];
}

const ANY = /^/;
const JSON_LINES = /\.jsonl$/;
const JSON_OR_LINES = /\.jsonl?$/;

/** A hidden file that is a transcript all the same. */
export const AIDER_HISTORY = '.aider.chat.history.md';

/** VS Code and editors that are built from it, by their folders among the user's data. */
const EDITORS: readonly { readonly client: string; readonly folder: string }[] = [
  { client: 'VS Code', folder: 'Code' },
  { client: 'VS Code', folder: 'Code - Insiders' },
  { client: 'VSCodium', folder: 'VSCodium' },
  { client: 'Cursor', folder: 'Cursor' },
];

/** The same, where an editor on another machine works on this one, by their folders in the home. */
const EDITOR_SERVERS: typeof EDITORS = [
  { client: 'VS Code', folder: '.vscode-server' },
  { client: 'VS Code', folder: '.vscode-server-insiders' },
  { client: 'VSCodium', folder: '.vscodium-server' },
  { client: 'Cursor', folder: '.cursor-server' },
];

const EDITOR_CHATS: readonly Pattern[] = [
  ['workspaceStorage', ANY, 'chatSessions', JSON_OR_LINES],
  ['globalStorage', 'emptyWindowChatSessions', JSON_OR_LINES],
];
const EXTENSION_TASKS: readonly Pattern[] = [
  ['globalStorage', ANY, 'tasks', ANY, 'api_conversation_history.json'],
];

/** Every folder where a known client keeps transcripts, whether it is there or not. Nothing else is asked of the disk. */
export function transcriptStores(machine: Machine): readonly Store[] {
  const stores = machine.home === '' ? [] : storesOfUser(machine);
  return [...stores, ...aider(machine)];
}

function storesOfUser(machine: Machine): readonly Store[] {
  return [
    ...claudeCode(machine),
    ...codex(machine),
    ...gemini(machine),
    ...gptme(machine),
    ...copilotCli(machine),
    ...cursorAgent(machine),
    ...editors(machine),
  ];
}

function claudeCode({ home, env }: Machine): readonly Store[] {
  const own = absolute(env.CLAUDE_CONFIG_DIR);
  const config = absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
  const folders = own === undefined ? [join(home, '.claude'), join(config, 'claude')] : [own];
  return folders.map((folder) => ({
    client: 'Claude Code',
    folder: join(folder, 'projects'),
    patterns: [
      [ANY, JSON_LINES],
      [ANY, ANY, 'subagents', DEEP, /^agent-.*\.jsonl$/],
    ],
  }));
}

function codex({ home, env }: Machine): readonly Store[] {
  const folder = absolute(env.CODEX_HOME) ?? join(home, '.codex');
  const file = /^rollout-.*\.jsonl(?:\.zst)?$/;
  return [
    {
      client: 'Codex',
      folder,
      patterns: [
        ['sessions', DEEP, file],
        ['archived_sessions', DEEP, file],
      ],
    },
  ];
}

/** Subagents' sessions are in a folder of their parent's name. */
function gemini({ home, env }: Machine): readonly Store[] {
  const folder = join(absolute(env.GEMINI_CLI_HOME) ?? home, '.gemini', 'tmp');
  return [
    {
      client: 'Gemini CLI',
      folder,
      patterns: [
        [ANY, 'chats', /^session-.*\.jsonl?$/],
        [ANY, 'chats', ANY, JSON_LINES],
      ],
    },
  ];
}

function gptme(machine: Machine): readonly Store[] {
  const logs = absolute(machine.env.GPTME_LOGS_HOME);
  const folders =
    logs === undefined ? gptmeData(machine).map((folder) => join(folder, 'gptme', 'logs')) : [logs];
  return folders.map((folder) => ({ client: 'gptme', folder, patterns: [[ANY, 'conversation.jsonl']] }));
}

function gptmeData({ home, env, platform }: Machine): readonly string[] {
  const data = absolute(env.XDG_DATA_HOME);
  if (data !== undefined) return [data];
  const usual = join(home, '.local', 'share');
  if (platform === 'darwin') return [usual, join(home, 'Library', 'Application Support')];
  if (platform !== 'win32') return [usual];
  return [usual, join(absolute(env.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'), 'gptme')];
}

/** Older versions wrote one file for a session instead of a folder. */
function copilotCli({ home, env }: Machine): readonly Store[] {
  const folder = join(absolute(env.COPILOT_HOME) ?? join(home, '.copilot'), 'session-state');
  return [{ client: 'Copilot CLI', folder, patterns: [[ANY, 'events.jsonl'], [JSON_LINES]] }];
}

function cursorAgent({ home }: Machine): readonly Store[] {
  const patterns: readonly Pattern[] = [[ANY, 'agent-transcripts', DEEP, /\.(?:jsonl|txt)$/]];
  return [{ client: 'Cursor', folder: join(home, '.cursor', 'projects'), patterns }];
}

function editors(machine: Machine): readonly Store[] {
  const config = programData(machine);
  const folders = [
    ...EDITORS.map(({ client, folder }) => ({ client, folder: join(config, folder, 'User') })),
    ...EDITOR_SERVERS.map(({ client, folder }) => ({
      client,
      folder: join(machine.home, folder, 'data', 'User'),
    })),
  ];
  return folders.flatMap(({ client, folder }) => [
    { client, folder, patterns: EDITOR_CHATS },
    { client: 'Cline and its kin', folder, patterns: EXTENSION_TASKS },
  ]);
}

/** Where programs with windows keep their users' data. */
function programData({ home, env, platform }: Machine): string {
  if (platform === 'win32') return absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
}

/** aider writes into the repository's root, or the current folder; or where it was told to. */
function aider({ env, workFolder }: Machine): readonly Store[] {
  const own = env.AIDER_CHAT_HISTORY_FILE?.trim() ? [resolve(workFolder, env.AIDER_CHAT_HISTORY_FILE)] : [];
  const usual = upToRepository(workFolder).map((folder) => join(folder, AIDER_HISTORY));
  return [...own, ...usual].map((file) => ({
    client: 'aider',
    folder: dirname(file),
    patterns: [[basename(file)]],
  }));
}

/** The folder and those that it is in, up to the repository's root; without a repository the folder alone. */
function upToRepository(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.push(at);
    if (existsSync(join(at, '.git'))) return folders;
    if (at === dirname(at)) return [folder];
  }
}

/** A variable's path; one that isn't absolute counts as unset. */
function absolute(path: string | undefined): string | undefined {
  const trimmed = path?.trim();
  return trimmed !== undefined && isAbsolute(trimmed) ? trimmed : undefined;
}
