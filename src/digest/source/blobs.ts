import { failure } from './disk.ts';
import { type GitRun, startGit } from './git-command.ts';

/** With more than this still to come of a blob that nobody wants, a new process is cheaper. */
const WORTH_WAITING_FOR = 4 * 1024 * 1024;

interface Request {
  readonly id: string;
  readonly limit: number;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** The answer to the first request, as far as it has come. */
interface Answer {
  /** Bytes that are still to come, the line end after the blob included. */
  left: number;
  /** Bytes that are still wanted. */
  wanted: number;
  readonly parts: Buffer[];
}

/**
 * Reads blobs from a repository through one `git cat-file --batch`, started when first needed. A blob that
 * is missing or corrupt costs only its own request.
 */
export class Blobs {
  readonly #folder: string;
  readonly #requests: Request[] = [];
  #run: GitRun | undefined;
  #header = '';
  #answer: Answer | undefined;
  #closed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The first `limit` bytes of a blob by its id. Throws `ENOENT` where it is missing, `EIO` where it is corrupt. */
  read(id: string, limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw failure('EBADF', 'the repository was closed', id);
      this.#requests.push({ id, limit, resolve, reject });
      if (this.#run) this.#run.write(id);
      else this.#start();
    });
  }

  /** All bytes of a blob. Throws as `read` does. */
  async *stream(id: string): AsyncGenerator<Buffer> {
    const run = startGit(this.#folder, ['cat-file', 'blob', id]);
    try {
      yield* run.stdout as AsyncIterable<Buffer>;
      const { code, stderr } = await run.exit;
      if (code !== 0) throw failure('EIO', stderr.trim() || 'git could not read the blob', id);
    } finally {
      run.stop();
    }
  }

  /** Ends the process. Requests that are still open fail. */
  close(): void {
    this.#closed = true;
    this.#run?.stop();
    this.#run = undefined;
    for (const { id, reject } of this.#requests.splice(0)) {
      reject(failure('EBADF', 'the repository was closed', id));
    }
  }

  #start(): void {
    const run = startGit(this.#folder, ['cat-file', '--batch'], { takesInput: true });
    this.#run = run;
    this.#header = '';
    this.#answer = undefined;
    for (const { id } of this.#requests) run.write(id);
    run.stdout.on('data', (chunk: Buffer) => {
      if (this.#run === run) this.#take(chunk);
    });
    void this.#watch(run);
  }

  /** A process that ends by itself has met a blob it can't read: the first that was asked for. */
  async #watch(run: GitRun): Promise<void> {
    const { stderr } = await run.exit;
    if (this.#run !== run) return;
    this.#run = undefined;
    const request = this.#requests.shift();
    request?.reject(failure('EIO', stderr.trim() || 'git could not read the blob', request.id));
    if (this.#requests.length > 0) this.#start();
  }

  #take(chunk: Buffer): void {
    const run = this.#run;
    for (let at = 0; at < chunk.length && this.#run === run; ) {
      if (this.#answer) {
        at = this.#takeContent(this.#answer, chunk, at);
        continue;
      }
      const end = chunk.indexOf('\n', at);
      this.#header += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
      if (end < 0) return;
      at = end + 1;
      this.#takeHeader(this.#header);
      this.#header = '';
    }
  }

  /** `<id> blob <size>`, or `<id> missing`; anything else can't be what was asked for. */
  #takeHeader(header: string): void {
    const request = this.#requests[0] as Request;
    const size = / blob (\d+)$/.exec(header)?.[1];
    if (size === undefined) {
      this.#requests.shift();
      request.reject(failure('ENOENT', 'the repository does not have the blob', request.id));
      if (!header.endsWith(' missing')) this.#restart();
      return;
    }
    const length = Number(size);
    this.#answer = { left: length + 1, wanted: Math.min(length, request.limit), parts: [] };
  }

  #takeContent(answer: Answer, chunk: Buffer, at: number): number {
    const part = chunk.subarray(at, at + answer.left);
    if (answer.wanted > 0) answer.parts.push(part.subarray(0, answer.wanted));
    answer.wanted = Math.max(0, answer.wanted - part.length);
    answer.left -= part.length;
    if (answer.left === 0 || (answer.wanted === 0 && answer.left > WORTH_WAITING_FOR)) this.#finish(answer);
    return at + part.length;
  }

  #finish(answer: Answer): void {
    this.#answer = undefined;
    this.#requests.shift()?.resolve(Buffer.concat(answer.parts));
    if (answer.left > 0) this.#restart();
  }

  /** Gives up what the process has yet to say. */
  #restart(): void {
    this.#run?.stop();
    this.#run = undefined;
    if (this.#requests.length > 0) this.#start();
  }
}
