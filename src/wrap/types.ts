export type Id = string | number;

/** One JSON-RPC message as it came: a line of stdio, an HTTP body, an event of a stream. */
export interface Frame {
  /** In bytes, without a line end. */
  readonly size: number;
  /** Whether it is JSON; large ones too. */
  readonly isJson: boolean;
  /** Whether its stream ended within it. */
  readonly torn: boolean;
  /** The message, if it was small enough to be parsed at once and is JSON; undefined otherwise. */
  readonly message: unknown;
  /** What a frame says at its top, large ones too. `id` of a response with `null` is null. */
  readonly id: Id | null | undefined;
  /** How `id` is written, if it is a number that JavaScript may not write in the same way: past 2^53, or no integer. */
  readonly idText?: string | undefined;
  readonly method: string | undefined;
  /** Whether it has a `result` or an `error` at its top: an answer. */
  readonly answers: 'result' | 'error' | undefined;
  /** The id of our own request on whose stream it came, where the transport tells: over HTTP, of the server. */
  about?: Id | undefined;
  /** The bytes as they came, all of them or those from `from` up to `to`; of small frames at once. Until it is let go. */
  bytes(from?: number, to?: number): Buffer | AsyncIterable<Uint8Array>;
  /** Lets go of what a large frame holds on disk. To be called when the frame has been dealt with. */
  release(): Promise<void>;
}

/** What is sent. */
export interface Outgoing {
  readonly bytes: Buffer | AsyncIterable<Uint8Array>;
  /** The id of the answer, if it is one: over HTTP it ends the request's stream. */
  readonly answers?: Id | undefined;
  /** The id of the receiver's request that it is about, if that is known: over HTTP it goes on that request's stream. */
  readonly about?: Id | undefined;
  /** The message, where the sender has it; of a client's large one what is short in it. */
  readonly message?: unknown;
}

/** One side of the proxy: the client, or the server. */
export interface Peer {
  /** In the order in which they came. Ends when the peer is gone; not read means held back. */
  readonly frames: AsyncIterable<Frame>;
  /** Settles when the peer can take more. Never rejects: a peer that is gone takes everything and does nothing. */
  send(out: Outgoing): Promise<void>;
  /** Settles with the reason, in one line, when the peer is gone. */
  readonly gone: Promise<string>;
  close(): Promise<void>;
}
