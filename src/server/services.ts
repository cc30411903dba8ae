import type { Limit } from '../measure/limit.ts';
import { Memory } from '../memory/memory.ts';
import type {
  CacheSettings,
  DigestSettings,
  GitHubSettings,
  TranscriptSettings,
} from '../settings/settings.ts';
import type { Policy, Question } from '../wrap/policy.ts';

export interface ServicesOptions {
  readonly digest: DigestSettings;
  readonly github: GitHubSettings;
  readonly cache: CacheSettings;
  readonly transcript: TranscriptSettings;
  /** Where memory is, absolute. */
  readonly dataFolder: string;
  /** Where the server was started; undefined if that folder is gone. */
  readonly workFolder: string | undefined;
  /** Folders that clients may have digested besides their roots, absolute. */
  readonly folders: readonly string[];
  /** Whether the folders that a client says it works in are allowed: only where it is the user's own. */
  readonly areRootsTrusted: boolean;
  /** What isn't as the user set it, in a line each: answers of these jobs tell it. */
  readonly warnings: { readonly memory: readonly string[]; readonly transcript: readonly string[] };
  /** How much of a result a client takes. */
  readonly policy: Policy;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** The most that the protocol's own fields of a result take (its type, the server's name), in characters and in tokens. */
const ENVELOPE = 200;
const ENVELOPE_TOKENS = 80;

/** The jobs as the tools use them, with the user's settings. */
export class Services {
  readonly settings: ServicesOptions;
  /** All clients read by one, so that facts are held once. */
  #memory: Memory | undefined;

  constructor(settings: ServicesOptions) {
    this.settings = settings;
  }

  /**
   * Memory, for a client: what it changes is in the journal under its name. A project's memory that was made meanwhile is
   * read from then on.
   */
  memory(client: string | undefined): Memory {
    const who = client ?? 'mcp';
    const { dataFolder: folder, workFolder } = this.settings;
    const memory = new Memory({ folder, workFolder, who });
    if (!this.#memory || foldersOf(this.#memory) !== foldersOf(memory)) this.#memory = memory;
    return this.#memory.as(who);
  }

  /** What an answer may take of what a client does: the rest is for what is put around it on its way. */
  limitFor(question: Question): Limit {
    const { chars, bytes, tokens, lines } = this.settings.policy.decide(question).limit;
    const less = (most: number | undefined, envelope: number): number | undefined =>
      most === undefined ? undefined : most - envelope;
    return {
      chars: chars - ENVELOPE,
      bytes: less(bytes, ENVELOPE),
      tokens: less(tokens, ENVELOPE_TOKENS),
      lines,
    };
  }
}

function foldersOf(memory: Memory): string {
  const { places, fault } = memory.where();
  return JSON.stringify([places.map(({ folder }) => folder), fault]);
}
