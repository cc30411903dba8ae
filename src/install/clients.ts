import { posix, win32 } from 'node:path';
import { PlimsollError } from '../errors.ts';
import type { Entry, Launcher } from '../wrap/config/entry.ts';

/** The machine that clients are looked for on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names in Windows' folder of packages, where apps of its store keep what is theirs. */
  readonly packages: readonly string[];
}

/** A program that can use the server, and where and how it wants to be told of it. */
export interface Client {
  /** What it is called on the command line. */
  readonly id: string;
  readonly name: string;
  /** Its own file; of several the first that is there, or the first. */
  readonly files: (machine: Machine) => readonly string[];
  /** Its file for one project, in that one's folder. */
  readonly projectFile?: string;
  /** Keys that lead to the servers in it; of several the first that lead somewhere, or the last. */
  readonly places: readonly (readonly string[])[];
  readonly entryOf: (launcher: Launcher) => Entry;
  /** What it is called in the table of clients' caps. */
  readonly profile: string;
  /** Where that is known from. */
  readonly source: string;
}

const MCP_SERVERS = [['mcpServers']];

/** What a command is called with, as most clients have it. */
const plain = ({ command, args }: Launcher): Entry => ({ command, args });

/** The same with a type, for clients whose documents ask for one. */
const typed = (launcher: Launcher): Entry => ({ type: 'stdio', ...plain(launcher) });

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    files: (machine) => [
      ...machine.packages
        .filter((name) => name.startsWith('Claude_'))
        .map((name) => joined(machine, ...packageOf(machine, name), 'Claude', 'claude_desktop_config.json')),
      joined(machine, appFolder(machine), 'Claude', 'claude_desktop_config.json'),
    ],
    places: MCP_SERVERS,
    entryOf: plain,
    profile: 'claude-desktop',
    source:
      'modelcontextprotocol.io/quickstart/user (2026); its Windows package: anthropics/claude-code 25579, 26073 (2026-02)',
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    files: (machine) => [joined(machine, machine.env.CLAUDE_CONFIG_DIR || machine.home, '.claude.json')],
    projectFile: '.mcp.json',
    places: MCP_SERVERS,
    entryOf: typed,
    profile: 'claude-code',
    source: 'docs.claude.com/en/docs/claude-code/mcp: user and project scope (2026)',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    files: (machine) => [joined(machine, machine.home, '.cursor', 'mcp.json')],
    projectFile: '.cursor/mcp.json',
    places: MCP_SERVERS,
    entryOf: plain,
    profile: 'cursor',
    source: 'cursor.com/docs/mcp (2026-10)',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    files: (machine) => [joined(machine, appFolder(machine), 'Code', 'User', 'mcp.json')],
    projectFile: '.vscode/mcp.json',
    places: [['servers']],
    entryOf: typed,
    profile: 'vscode',
    source: 'code.visualstudio.com/docs/agents/reference/mcp-configuration (2026)',
  },
  {
    id: 'codex',
    name: 'Codex',
    files: (machine) => [
      joined(machine, machine.env.CODEX_HOME || joined(machine, machine.home, '.codex'), 'config.toml'),
    ],
    projectFile: '.codex/config.toml',
    places: [['mcp_servers']],
    entryOf: plain,
    profile: 'codex',
    source: 'developers.openai.com/codex/mcp (2026); project file: tuff-adapter-codex 0.13.0 (2026-09)',
  },
  {
    id: 'gemini-cli',
    name: 'gemini-cli',
    files: (machine) => [joined(machine, machine.home, '.gemini', 'settings.json')],
    projectFile: '.gemini/settings.json',
    places: MCP_SERVERS,
    entryOf: plain,
    profile: 'gemini-cli',
    source: 'google-gemini/gemini-cli docs/tools/mcp-server.md (2026)',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    files: (machine) => [joined(machine, machine.home, '.codeium', 'windsurf', 'mcp_config.json')],
    places: MCP_SERVERS,
    entryOf: plain,
    profile: 'windsurf',
    source: 'docs.windsurf.com/windsurf/cascade/mcp (2026-10)',
  },
  {
    id: 'zed',
    name: 'Zed',
    files: (machine) => [
      machine.platform === 'win32'
        ? joined(machine, appFolder(machine), 'Zed', 'settings.json')
        : joined(machine, dotConfig(machine), 'zed', 'settings.json'),
    ],
    projectFile: '.zed/settings.json',
    places: [['context_servers']],
    entryOf: plain,
    profile: 'zed',
    source: 'zed-industries/zed docs/src/ai/mcp.md, and its migration that takes "source" out (2026)',
  },
  {
    id: 'opencode',
    name: 'opencode',
    files: (machine) =>
      ['opencode.json', 'opencode.jsonc'].map((name) =>
        joined(machine, dotConfig(machine), 'opencode', name),
      ),
    projectFile: 'opencode.json',
    places: [['mcp', 'servers'], ['mcp']],
    entryOf: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    profile: 'opencode',
    source: 'opencode.ai/docs/mcp-servers; its second version has mcp.servers: opencode.ai/v2/docs (2026)',
  },
];

/** The client of this id. Throws `BAD_USAGE` if there is none. */
export function clientCalled(id: string): Client {
  const found = CLIENTS.find((client) => client.id === id.toLowerCase());
  if (found) return found;
  const known = CLIENTS.map((client) => client.id).join(', ');
  throw new PlimsollError('BAD_USAGE', `Unknown client '${id}'. Known are ${known}.`);
}

/** Where programs with a window keep what is theirs. */
function appFolder(machine: Machine): string {
  const { platform, home, env } = machine;
  if (platform === 'win32') return env.APPDATA || joined(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return joined(machine, home, 'Library', 'Application Support');
  return dotConfig(machine);
}

function dotConfig(machine: Machine): string {
  const { XDG_CONFIG_HOME: own = '' } = machine.env;
  return posix.isAbsolute(own) ? own : joined(machine, machine.home, '.config');
}

/** Where an app of Windows' store finds what it takes for the folder of all programs. */
function packageOf(machine: Machine, name: string): string[] {
  return [packagesFolder(machine), name, 'LocalCache', 'Roaming'];
}

/** The folder of packages; it is there on Windows only. */
export function packagesFolder(machine: Omit<Machine, 'packages'>): string {
  const local = machine.env.LOCALAPPDATA || joined(machine, machine.home, 'AppData', 'Local');
  return joined(machine, local, 'Packages');
}

function joined({ platform }: Pick<Machine, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}
