import { PlimsollError } from '../../../../errors.ts';
import { withoutCredentials } from '../../../../text/credentials.ts';
import { visibleName } from '../../../../text/visible.ts';
import { plural } from '../../../../text/words.ts';
import { proxyInEnvironment } from '../http.ts';

/** A failed request as octokit reports it; `status` is 0 where there was no answer at all. */
export interface RequestFailure {
  readonly status: number;
  readonly message: string;
  readonly cause?: unknown;
  readonly response?:
    | undefined
    | { readonly headers: Readonly<Record<string, string | number | undefined>>; readonly data?: unknown };
}

/** What the request was about. */
export interface RequestContext {
  /** Where the API is. */
  readonly host: string;
  /** `owner/repo`. */
  readonly repository: string;
  readonly hasToken: boolean;
}

/**
 * Why GitHub did not give what was asked for, as an error for the user. See GitHub's "Troubleshooting the REST API"
 * and "Rate limits for the REST API".
 */
export function describeGitHubFailure(failure: RequestFailure, context: RequestContext): PlimsollError {
  const { status, message } = failure;
  const { repository, host, hasToken } = context;
  const said = visibleName(message.replace(/ - https?:.*$/s, '').slice(0, 200));
  switch (status) {
    case 0:
      return describeNoAnswer(failure.cause, host);
    case 401:
      return error(
        'UNAUTHORIZED',
        `${host} does not accept the token (${said}): renew it, or unset GITHUB_TOKEN and GH_TOKEN to read public repositories without one.`,
      );
    case 403:
    case 429:
      return describeRefusal(failure, context, said);
    case 404:
      return error(
        'REPOSITORY_NOT_FOUND',
        hasToken
          ? `${host} shows no repository ${repository} to this token: it does not exist, or it is private and the token has no access. Check the spelling, and the token's repositories.`
          : `${host} shows no repository ${repository}: it does not exist, or it is private, which can't be told apart. Check the spelling; for a private one set GITHUB_TOKEN.`,
      );
    case 422:
      return error('BAD_REF', `${repository} has no such commit (${said}).`);
    case 409:
      return error('NO_COMMIT', `${repository} has no commit yet: push one to it.`);
    case 451:
      return error(
        'BLOCKED',
        `${repository} is not available for legal reasons (451): ${host} has blocked it. ${noticeOf(failure)}`,
      );
    default:
      return status >= 500
        ? error('HOST_FAILED', `${host} failed (${status}) though asked several times: try again later.`)
        : error(
            'HOST_FAILED',
            `${host} gave an answer that is none of GitHub's (${status}: ${said}): check PLIMSOLL_GITHUB_API, and what stands between here and there, such as a proxy or a login page.`,
          );
  }
}

function describeRefusal(
  { response, status }: RequestFailure,
  { host, repository, hasToken }: RequestContext,
  said: string,
): PlimsollError {
  const headers = response?.headers ?? {};
  const sso = /url=(\S+)/.exec(String(headers['x-github-sso'] ?? ''))?.[1];
  if (sso !== undefined) {
    return error(
      'FORBIDDEN',
      `The organization of ${repository} wants the token authorized for single sign-on: open ${visibleName(sso)}`,
    );
  }
  if (headers['x-ratelimit-remaining'] !== undefined && Number(headers['x-ratelimit-remaining']) === 0) {
    const limit =
      headers['x-ratelimit-limit'] === undefined
        ? 'The'
        : `The ${plural(Number(headers['x-ratelimit-limit']), 'request')} an hour that`;
    const more = hasToken ? '' : ' With GITHUB_TOKEN set there are 5,000.';
    return error(
      'RATE_LIMITED',
      `${limit} ${host} allows are used up until ${timeOf(headers['x-ratelimit-reset'])}.${more}`,
    );
  }
  if (status === 429 || headers['retry-after'] !== undefined || /secondary rate limit|abuse/i.test(said)) {
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    const wait = Number.isInteger(seconds) ? plural(seconds, 'second') : 'a few minutes';
    return error(
      'RATE_LIMITED',
      `${host} finds the requests come too fast (its secondary limit): try again in ${wait}.`,
    );
  }
  const advice = hasToken ? 'check what the token may do' : 'set GITHUB_TOKEN if you have access to it';
  return error('FORBIDDEN', `${host} refuses to show ${repository} (${said}): ${advice}.`);
}

/** Where the host says why it has blocked a repository. */
function noticeOf({ response }: RequestFailure): string {
  const { block } = (response?.data ?? {}) as { block?: { html_url?: unknown } };
  const url = block?.html_url;
  return typeof url === 'string' ? `See ${visibleName(url)}` : 'Ask its owner.';
}

/** `14:05 UTC`, from seconds since 1970. */
function timeOf(reset: string | number | undefined): string {
  const date = new Date(Number(reset) * 1000);
  return Number.isNaN(date.getTime()) ? 'later' : `${date.toISOString().slice(11, 16)} UTC`;
}

/** What Node and its `fetch` say of a host that can't be reached. */
export function describeNoAnswer(cause: unknown, host: string): PlimsollError {
  const chain = [...causesOf(cause)];
  const known = chain.find((error) => error instanceof PlimsollError);
  if (known) return known as PlimsollError;
  const codes = chain.map((error) => String((error as NodeJS.ErrnoException).code || ''));
  const proxy = proxyInEnvironment()?.name;
  const through = proxy ? ` through the proxy that ${proxy} names` : '';
  if (codes.some((code) => CERTIFICATE.test(code))) {
    return error(
      'HOST_UNREACHABLE',
      `There is no secure connection to ${host}${through}: its certificate is not trusted here. See NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    return error(
      'HOST_UNREACHABLE',
      `${host} can't be found${through}: check the network${proxy ? ' and the proxy' : ', or set HTTPS_PROXY where a proxy is needed'}.`,
    );
  }
  if (chain.some(({ message }) => /\b407\b/.test(message))) {
    return error(
      'HOST_UNREACHABLE',
      `The proxy that ${proxy} names asks for a user name and password: put them into its address.`,
    );
  }
  if (codes.some((one) => one === 'UND_ERR_SOCKET' || one === 'ECONNRESET')) {
    return error(
      'HOST_FAILED',
      `${host} ended the connection${through} before its answer was whole: try again.`,
    );
  }
  const code = codes.find((one) => one !== '');
  const why =
    code ?? visibleName(withoutCredentials(chain.map(({ message }) => message).at(-1) ?? 'no reason given'));
  return error(
    'HOST_UNREACHABLE',
    `${host} can't be reached${through} (${why}): check the network, or use --offline for what is in the cache.`,
  );
}

/** Whether there is no use in asking once more: no such host, no connection, no trust, or silence. */
export function isHopeless(cause: unknown): boolean {
  return [...causesOf(cause)].some(
    (error) =>
      error instanceof PlimsollError ||
      HOPELESS.test(String((error as NodeJS.ErrnoException).code ?? '')) ||
      HOPELESS_MESSAGE.test(error.message),
  );
}

const HOPELESS =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|UND_ERR_PRX_TLS|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;
/** A proxy that wants a login, and redirections without end. */
const HOPELESS_MESSAGE = /\b407\b|redirect count/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/;

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    yield cause;
    if (cause instanceof AggregateError) yield* cause.errors.flatMap((one) => [...causesOf(one)]);
  }
}

function error(code: ConstructorParameters<typeof PlimsollError>[0], message: string): PlimsollError {
  return new PlimsollError(code, message);
}
