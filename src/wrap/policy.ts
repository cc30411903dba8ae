import type { Readers } from '../bound/words.ts';
import { PlimsollError } from '../errors.ts';
import { LEAST_LIMIT, type Limit } from '../measure/limit.ts';
import type { WrapSettings } from '../settings/settings.ts';
import { MODES, type Mode, readLimit, type ToolRule, type Warn } from '../settings/wrap.ts';
import type { Spool } from '../spool/spool.ts';
import type { Asked, How } from './answer.ts';
import type { Audience } from './catalog.ts';
import { type Profile, profileOf } from './clients.ts';
import type { Reader } from './requests.ts';

/** The most characters that a tool may raise Claude Code's cap to, as its documentation says. */
const LARGEST_TOOL_SIZE = 500_000;

/** The first protocol version that has `resource_link` blocks. */
const FIRST_WITH_LINKS = '2025-06-18';

/** What holds for a result. */
export interface Decision {
  readonly limit: Limit;
  readonly mode: Mode;
  readonly joinBlocks: boolean;
  readonly base64IsText: boolean;
}

/** What a result is of, and for whom. */
export interface Question {
  /** The tool's name; undefined for a resource or a prompt. */
  readonly tool?: string | undefined;
  /** The client's name, as it sends it. */
  readonly client?: string | undefined;
  /** What the tool says in its `_meta["anthropic/maxResultSizeChars"]`. */
  readonly toolSize?: unknown;
}

export interface PolicyOptions {
  /** With what flags say for all tools. */
  readonly settings: WrapSettings;
  /** What the server is called in the settings. */
  readonly server?: string | undefined;
  /** What flags say for single tools, by name. */
  readonly tools?: ReadonlyMap<string, ToolRule> | undefined;
  /** Holds whatever the client calls itself. */
  readonly profile?: Profile | undefined;
}

/**
 * Decides what holds for a result. For its limit, strongest first: what is said for the tool, for the server, for all
 * servers; the client's cap, which a tool may raise where the client heeds that; the default.
 */
export class Policy {
  readonly #options: PolicyOptions;

  constructor(options: PolicyOptions) {
    this.#options = options;
  }

  /** What the server is called. */
  get server(): string | undefined {
    return this.#options.server;
  }

  decide(question: Question): Decision {
    const { settings } = this.#options;
    const profile = this.profileOf(question.client);
    return {
      limit: this.#limitFor(question, profile),
      mode: modeOf(this.#rules(question.tool)),
      joinBlocks: settings.joinBlocks ?? profile.joinBlocks,
      base64IsText: profile.base64IsText,
    };
  }

  profileOf(client: string | undefined): Profile {
    return this.#options.profile ?? profileOf(client);
  }

  #limitFor({ tool, toolSize }: Question, profile: Profile): Limit {
    const { settings } = this.#options;
    const rules = this.#rules(tool);
    const said = rules.find(({ limit }) => limit)?.limit ?? settings.limit;
    if (said) return said;
    const raised = profile.heedsToolSize ? sizeOf(toolSize) : undefined;
    return raised === undefined ? profile.limit : { chars: raised };
  }

  /** The rules for a tool and for the server, strongest first. */
  #rules(tool: string | undefined): readonly ToolRule[] {
    const { settings, server, tools } = this.#options;
    const ofServer = server === undefined ? undefined : settings.servers.get(server);
    const ofTool = tool === undefined ? [] : [tools?.get(tool) ?? {}, ofServer?.tools.get(tool) ?? {}];
    return [...ofTool, ofServer ?? {}];
  }
}

/** A rule that gives a limit and no mode is there to bound. */
function modeOf(rules: readonly ToolRule[]): Mode {
  const first = rules.find(({ mode, limit }) => mode ?? limit);
  return first?.mode ?? 'bound';
}

function sizeOf(value: unknown): number | undefined {
  const isSize = typeof value === 'number' && value >= LEAST_LIMIT;
  return isSize ? Math.min(Math.floor(value), LARGEST_TOOL_SIZE) : undefined;
}

/**
 * Reads `NAME=LIMIT`, `NAME=bound`, `NAME=inline` or `NAME=spool`, as a flag says it for one tool; `warn` takes what is
 * wrong with a limit that is used all the same. Throws `BAD_USAGE` for anything else.
 */
export function parseToolRule(text: string, warn: Warn): [tool: string, rule: ToolRule] {
  const [, tool, what] = /^(.+)=(.*)$/s.exec(text) ?? [];
  const mode = MODES.find((mode) => mode === what);
  const limit = mode ? undefined : readLimit(what, '', warn);
  if (tool !== undefined && (mode || limit))
    return [tool, { ...(mode && { mode }), ...(limit && { limit }) }];
  throw new PlimsollError(
    'BAD_USAGE',
    `Not a rule for a tool: '${text}'. Give NAME=LIMIT, NAME=bound, NAME=inline or NAME=spool.`,
  );
}

/** What holds for whom. */
export interface Terms {
  how(asked: Asked, reader: Reader): How;
  audience(reader: Reader): Audience;
  /** What an answer of our own may take, of a tool of ours or of a resource. */
  ownLimit(tool: string | undefined, reader: Reader): Limit;
}

export interface TermsParts {
  readonly spool: Spool;
  /** What the tools that read on are called at the time, if there are any. */
  readonly tools: () => Readers['tools'];
  /** Whether clients are on this machine and may be told paths. */
  readonly paths: boolean;
  /** Whether clients may read resources. */
  readonly resources: () => boolean;
  /** What a tool says in its `_meta["anthropic/maxResultSizeChars"]`. */
  readonly toolSizeOf: (tool: string) => unknown;
}

/** What a policy means for a relay. */
export function termsOf(policy: Policy, { spool, tools, paths, resources, toolSizeOf }: TermsParts): Terms {
  const decide = (tool: string | undefined, { client }: Reader) =>
    policy.decide({ tool, client, toolSize: tool === undefined ? undefined : toolSizeOf(tool) });
  return {
    how(asked, reader) {
      const { limit, mode, joinBlocks, base64IsText } = decide(toolOf(asked), reader);
      const readers = { tools: tools(), paths, resources: resources() };
      const links = (reader.version ?? '') >= FIRST_WITH_LINKS;
      return { limit, mode, spool, server: policy.server, readers, joinBlocks, links, base64IsText };
    },
    audience: (reader) => ({
      limitOf(tool) {
        const { mode, limit } = decide(tool, reader);
        if (mode === 'inline') return undefined;
        return mode === 'spool' ? LEAST_LIMIT : limit.chars;
      },
    }),
    ownLimit: (tool, reader) => decide(tool, reader).limit,
  };
}

function toolOf({ method, name }: Asked): string | undefined {
  return method === 'resources/read' || method === 'prompts/get' ? undefined : name;
}
