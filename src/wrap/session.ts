import type { Spool } from '../spool/spool.ts';
import { type BoundedMethod, takingOf } from './answer.ts';
import { Catalog } from './catalog.ts';
import { Desk } from './desk.ts';
import { type FrameOptions, readFrame, readFrames, type Taking } from './frame.ts';
import type { Head } from './head.ts';
import { type Policy, termsOf } from './policy.ts';
import { type Ending, relay, type Terms } from './relay.ts';
import { isId, isTaskNotice, type Purpose, Requests } from './requests.ts';
import type { Recorder } from './stats/record.ts';
import type { Frame, Peer } from './types.ts';

export interface SessionOptions {
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
export class Session {
  readonly #options: SessionOptions;
  readonly #requests: Requests;
  readonly #catalog: Catalog;
  readonly #terms: Terms;
  readonly #reading: FrameOptions = { begin: (head, params) => this.#take(head, params) };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#requests = new Requests(options.methods);
    this.#catalog = new Catalog(options);
    this.#terms = termsOf(options.policy, {
      spool: options.spool,
      paths: options.paths,
      tools: () => this.#catalog.readers,
      toolSizeOf: (tool) => this.#catalog.toolSizeOf(tool),
    });
  }

  /** Reads the client's frames. */
  readClient(source: AsyncIterable<Uint8Array>): AsyncIterable<Frame> {
    return readFrames(source);
  }

  /** Reads the server's frames: large results that are to be bounded are taken in. */
  readServer(source: AsyncIterable<Uint8Array>): AsyncIterable<Frame> {
    return readFrames(source, this.#reading);
  }

  /** Reads one message of the server, as `readServer` does. */
  readServerMessage(source: AsyncIterable<Uint8Array>): Promise<Frame> {
    return readFrame(source, this.#reading);
  }

  /** Carries frames between both until either is gone. */
  async relay(client: Peer, server: Peer): Promise<Ending> {
    const { spool, paths, recorder, server: name, log } = this.#options;
    try {
      return await relay(client, server, {
        requests: this.#requests,
        catalog: this.#catalog,
        desk: new Desk(spool, this.#catalog, paths),
        terms: this.#terms,
        recorder,
        server: name,
        log,
      });
    } finally {
      await recorder.close();
    }
  }

  #take(head: Head, params: () => Promise<unknown>) {
    if (isTaskNotice(head)) return this.#takeOfTask(params);
    const request = isId(head.id) ? this.#requests.find(head.id) : undefined;
    return request && this.#takeFor(request);
  }

  async #takeOfTask(params: () => Promise<unknown>): Promise<Taking | undefined> {
    return await this.#takeFor(this.#requests.noticed(await params().catch(() => undefined)));
  }

  #takeFor(purpose: Purpose): Promise<Taking> | undefined {
    if (!purpose.asked) return undefined;
    const how = this.#terms.how(purpose.asked, this.#requests.readerOf(purpose));
    return how.mode === 'inline' ? undefined : takingOf(purpose.asked, how);
  }
}
