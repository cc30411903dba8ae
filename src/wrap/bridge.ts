import type { Spool } from '../spool/spool.ts';
import { Catalog } from './catalog.ts';
import { Desk, type Readable } from './desk.ts';
import type { BoundedMethod } from './kinds.ts';
import { type Policy, type Terms, termsOf } from './policy.ts';
import { type Ending, relay } from './relay.ts';
import { Requests } from './requests.ts';
import type { Recorder } from './stats/record.ts';
import type { Peer } from './types.ts';

/** Who is served: over stdio the user's own client; over HTTP the client of a session, or all clients that have none. */
export type Served = 'user' | 'session' | 'anyone';

export interface BridgeOptions {
  readonly served: Served;
  readonly policy: Policy;
  readonly spool: Spool;
  /** Methods whose results are bounded. */
  readonly methods: readonly BoundedMethod[];
  /** Whether the tools that read kept results back are offered. */
  readonly tools: boolean;
  /** The most characters of a tool's description and of a server's instructions, if they are to be bounded. */
  readonly descriptions?: number | undefined;
  /** Whether clients are on this machine and may be told paths. */
  readonly paths: boolean;
  /** Where calls are written down. */
  readonly recorder: Recorder;
  /** What the server is called where it is said that it's gone. */
  readonly server: string;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** What stands between one client and one server. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #requests: Requests;
  readonly #catalog: Catalog;
  readonly #terms: Terms;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#requests = new Requests(options.methods);
    this.#catalog = new Catalog({ ...options, lists: options.served !== 'anyone' });
    this.#terms = termsOf(options.policy, {
      spool: options.spool,
      paths: options.paths,
      tools: () => this.#catalog.readers,
      resources: () => this.#catalog.hasResources,
      toolSizeOf: (tool) => this.#catalog.toolSizeOf(tool),
    });
  }

  /** Carries frames between both until either is gone. */
  async relay(client: Peer, server: Peer): Promise<Ending> {
    const { served, spool, paths, recorder, server: name, log } = this.#options;
    try {
      return await relay(client, server, {
        requests: this.#requests,
        catalog: this.#catalog,
        desk: new Desk(served === 'user' ? spool : apart(spool), this.#catalog, paths),
        terms: this.#terms,
        recorder,
        server: name,
        log,
      });
    } finally {
      await recorder.close();
    }
  }
}

/** What a session keeps is for itself: its clients are not those of other sessions. */
function apart(spool: Spool): Readable {
  return { find: (handle) => spool.find(handle, 'session'), list: (scope) => spool.list(scope) };
}
