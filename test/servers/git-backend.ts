import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { Answer } from './answer.ts';
import { SERVER_ENVIRONMENT } from './git-environment.ts';

/** Where git looks for what a request asks. */
export interface Place {
  /** A folder on disk. */
  readonly root: string;
  /** What the request asks for below the folder, with a slash before it, decoded. */
  readonly path: string;
  /** The request's query, without the question mark. */
  readonly query: string;
  /** Git settings, besides those of the repository itself. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Answers a request of git's smart HTTP by `git http-backend`, streaming in both directions. */
export function gitBackend(request: IncomingMessage, place: Place): Promise<Answer> {
  const child = spawn('git', ['http-backend'], {
    env: { ...SERVER_ENVIRONMENT, ...settingsOf(place), ...requestOf(request, place) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {}); // git has stopped reading, and says why in its answer
  request.pipe(child.stdin);
  return readAnswer(child.stdout, () => child.kill());
}

/** A request as CGI has it, see git-http-backend(1) and RFC 3875. */
function requestOf({ method, headers }: IncomingMessage, { root, path, query }: Place): NodeJS.ProcessEnv {
  return {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: method,
    PATH_INFO: path,
    QUERY_STRING: query,
    REMOTE_ADDR: '127.0.0.1',
    CONTENT_TYPE: headers['content-type'],
    CONTENT_LENGTH: headers['content-length'],
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    GIT_PROTOCOL: headers['git-protocol'] as string | undefined,
  };
}

function settingsOf({ settings = {} }: Place): NodeJS.ProcessEnv {
  const all = Object.entries(settings);
  const variables = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(all.length) };
}

const HEAD_END = '\r\n\r\n';

/** Reads a CGI answer's head and gives the rest as a stream; `whenDone` is called when nobody reads it any more. */
function readAnswer(output: Readable, whenDone: () => void): Promise<Answer> {
  const body = new PassThrough().once('close', whenDone);
  let start = Buffer.alloc(0);
  return new Promise((resolve) => {
    output.on('data', function collect(chunk: Buffer) {
      start = Buffer.concat([start, chunk]);
      const end = start.indexOf(HEAD_END);
      if (end < 0) return;
      output.off('data', collect);
      body.write(start.subarray(end + HEAD_END.length));
      output.pipe(body);
      resolve({ ...parseHead(start.toString('latin1', 0, end)), body });
    });
    output.once('close', () => resolve({ status: 500, headers: {}, body: 'git gave no answer\n' }));
  });
}

function parseHead(head: string): Pick<Answer, 'status' | 'headers'> {
  const { Status: status = '200', ...headers } = Object.fromEntries(
    head.split('\r\n').map((line) => line.split(/: (.*)/s).slice(0, 2)),
  );
  return { status: Number.parseInt(status, 10), headers };
}
