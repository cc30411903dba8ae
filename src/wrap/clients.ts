import { PlimsollError } from '../errors.ts';
import { DEFAULT_LIMIT, type Limit } from '../measure/limit.ts';

/** What is known of a client: how much of a result it takes, and how. */
export interface Profile {
  /** What it is called here and in settings. */
  readonly id: string;
  /** What may pass: the default, or less to stay under the client's own cap. */
  readonly limit: Limit;
  /** The client's own cap: what is more it cuts, refuses or puts into a file itself. None is known of some. */
  readonly cap?: Partial<Limit>;
  /** Whether of several text blocks not all reach its model. */
  readonly joinBlocks: boolean;
  /** Whether base64 reaches its model as text. */
  readonly base64IsText: boolean;
  /** Whether a tool may raise the cap by its `_meta["anthropic/maxResultSizeChars"]`. */
  readonly heedsToolSize: boolean;
}

/** One line of the table; what isn't given is as for a client that nothing is known of. */
interface Row extends Partial<Omit<Profile, 'limit'>> {
  readonly id: string;
  /**
   * What it sends as `clientInfo.name`, in lower case; a name that ends in `*` stands for all that start so. None
   * where it doesn't tell itself from others.
   */
  readonly names: readonly string[];
  /** Where that is known from. */
  readonly source: string;
}

/** The share of a cap that is used: what a client adds to a result counts as well. */
const HEADROOM = 0.8;

/** The same for tokens, which clients count with other vocabularies than `o200k_base`. */
const TOKEN_HEADROOM = 0.7;

const UNKNOWN = {
  id: 'unknown',
  joinBlocks: false,
  base64IsText: false,
  heedsToolSize: false,
} as const;

const TABLE: readonly Row[] = [
  {
    id: 'claude-code',
    names: ['claude-code*'],
    cap: { chars: 50_000, tokens: 25_000 },
    joinBlocks: true,
    heedsToolSize: true,
    source: 'es617/obsidian-sync-mcp 23 (2026-09), anthropics/claude-code 79944 (2026-09), 89630 (2026-08)',
  },
  {
    id: 'claude-desktop',
    names: ['claude-ai', 'claude-desktop'],
    cap: { chars: 100_000 },
    source: 'lirantal/awesome-mcp-best-practices 2 (2025-05)',
  },
  {
    id: 'codex',
    names: ['codex-mcp-client', 'codex'],
    cap: { bytes: 40_000 },
    source: 'openai/codex: output policy of 10,000 tokens at 4 bytes; 6544, 35226 (2026)',
  },
  {
    id: 'copilot-cli',
    names: ['github-copilot-developer', 'copilot-cli'],
    cap: { bytes: 20_000 },
    source: 'github/copilot-cli 1732 (2026-03), 4515 (2026-08)',
  },
  {
    id: 'vscode',
    names: ['visual studio code*', 'visual-studio-code*', 'code - oss'],
    cap: { chars: 8192 },
    source: 'microsoft/vscode: chat.agent.largeToolResultsToDisk (2026); 290063',
  },
  {
    id: 'jetbrains',
    names: ['jetbrains-*'],
    source: 'microsoft/copilot-intellij-feedback 2058 (2026-09); no cap known',
  },
  {
    id: 'cursor',
    names: ['cursor-vscode', 'cursor'],
    source: 'anthropics/claude-code 79944 (2026-07) beside it; no cap known',
  },
  {
    id: 'windsurf',
    names: ['windsurf-client', 'windsurf'],
    source: 'apify/mcp-client-capabilities (2026); no cap known',
  },
  {
    id: 'gemini-cli',
    names: ['gemini-cli-mcp-client*'],
    cap: { chars: 40_000 },
    source: 'google-gemini/gemini-cli: truncateToolOutputThreshold (2026)',
  },
  {
    id: 'qwen-code',
    names: ['qwen-code*', 'qwen-cli*'],
    cap: { chars: 25_000, lines: 1000 },
    source: 'QwenLM/qwen-code 2439 (2026-03)',
  },
  {
    id: 'opencode',
    names: ['opencode'],
    cap: { bytes: 50 * 1024, lines: 2000 },
    source: 'anomalyco/opencode: tool_output.max_bytes, max_lines (2026); PR 32074',
  },
  {
    id: 'kilo',
    names: ['kilo-code', 'kilo'],
    cap: { bytes: 50 * 1024, lines: 2000 },
    source: 'Kilo-Org/kilocode 12777 (2026), a fork of opencode',
  },
  {
    id: 'pi',
    names: ['pi-mcp*'],
    cap: { bytes: 50 * 1024, lines: 2000 },
    source: 'nicobailon/pi-mcp-adapter 160 (2026-07), 588 (2026-09)',
  },
  {
    id: 'cline',
    names: ['cline', '@cline/core'],
    cap: { chars: 8000 },
    source: 'cline/cline 14257 (2026)',
  },
  {
    id: 'roo-code',
    names: ['roo-code', 'roo code'],
    source: 'RooCodeInc/Roo-Code: MCP results are not cut (2026)',
  },
  {
    id: 'goose',
    names: ['goose*'],
    cap: { chars: 200_000 },
    source: 'aaif-goose/goose: GOOSE_MAX_TOOL_RESPONSE_SIZE (2026); 7846',
  },
  {
    id: 'zed',
    names: ['zed'],
    source: 'zed-industries/zed: MCP results are not cut (2026)',
  },
  {
    id: 'kimi',
    names: ['kimi-code', 'kimi-cli'],
    cap: { chars: 100_000 },
    source: 'MoonshotAI/kimi-cli 2221 (2026-05), MoonshotAI/kimi-code 3234 (2026-08)',
  },
  {
    id: 'continue',
    names: ['continue-client', 'continue-cli-client'],
    source: 'apify/mcp-client-capabilities (2026); no cap known',
  },
  {
    id: 'openhands',
    names: ['openhands'],
    cap: { chars: 50_000 },
    source: 'All-Hands-AI/OpenHands: observations of 50,000 characters (2026)',
  },
  {
    id: 'deepagents',
    names: ['deepagents'],
    cap: { chars: 80_000 },
    source: 'langchain-ai/deepagents: eviction of tool results, 20,000 tokens at 4 characters (2026)',
  },
  {
    id: 'gptme',
    names: [],
    joinBlocks: true,
    base64IsText: true,
    source: 'gptme/gptme gptme/mcp/client.py (2026): the first text block, or the result as text',
  },
  {
    id: 'python',
    names: ['mcp'],
    joinBlocks: true,
    source: 'modelcontextprotocol/python-sdk: the name if none is given, as by gptme and camel-ai/camel 4263',
  },
];

const PROFILES = TABLE.map(({ names, source: _, ...known }) => ({
  names,
  profile: { ...UNKNOWN, ...known, limit: known.cap ? below(known.cap) : DEFAULT_LIMIT },
}));

/** What `--client` takes. */
export const CLIENTS: readonly string[] = TABLE.map(({ id }) => id);

/**
 * What is known of the client that calls itself `name`, whatever its case. What a relay adds to a name, like
 * ` (via mcp-remote 0.1.0)`, is left aside. Of a client that isn't known nothing is supposed.
 */
export function profileOf(name: string | undefined): Profile {
  const own = name?.toLowerCase().split(' (via ')[0]?.trim();
  const found = PROFILES.find(({ names }) => own !== undefined && names.some((known) => isNamed(own, known)));
  return found?.profile ?? { ...UNKNOWN, limit: DEFAULT_LIMIT };
}

/** The profile of {@link CLIENTS} with this id. Throws `BAD_USAGE` if there is none. */
export function profileCalled(id: string): Profile {
  const found = PROFILES.find(({ profile }) => profile.id === id.toLowerCase());
  if (found) return found.profile;
  throw new PlimsollError('BAD_USAGE', `Unknown client '${id}'. Known are ${CLIENTS.join(', ')}.`);
}

function isNamed(name: string, known: string): boolean {
  return known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known;
}

/** What stays below a cap, with room for what the client adds; never more than the default. */
function below(cap: Partial<Limit>): Limit {
  const share = (count: number | undefined) =>
    count === undefined ? undefined : Math.floor(count * HEADROOM);
  return {
    chars: Math.min(DEFAULT_LIMIT.chars, share(cap.chars) ?? share(cap.bytes) ?? DEFAULT_LIMIT.chars),
    bytes: share(cap.bytes),
    tokens: cap.tokens === undefined ? undefined : Math.floor(cap.tokens * TOKEN_HEADROOM),
    lines: share(cap.lines),
  };
}
