import type { Caller } from './github-caller.ts';

/** What the API answers, before headers that all answers have are added. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, and must be as GitHub's description has it. */
  readonly body?: object | Buffer | string;
}

const DOCS = 'https://docs.github.com/rest';

function refusal(status: number, message: string, more: object = {}, headers = {}): ApiAnswer {
  return { status, headers, body: { message, documentation_url: DOCS, status: String(status), ...more } };
}

export function notFound(message = 'Not Found'): ApiAnswer {
  return refusal(404, message);
}

export function badCredentials(): ApiAnswer {
  return refusal(401, 'Bad credentials');
}

export function emptyRepository(): ApiAnswer {
  return refusal(409, 'Git Repository is empty.');
}

export function noCommit(ref: string): ApiAnswer {
  return refusal(422, `No commit found for SHA: ${ref}`);
}

export function malformedId(): ApiAnswer {
  return refusal(422, 'The sha parameter must be exactly 40 characters and contain only [0-9a-f].');
}

/** The limit is in megabytes. */
export function tooLarge(limit: number): ApiAnswer {
  const message = `This API returns blobs up to ${limit} MB in size. The requested blob is too large to fetch via the API.`;
  return refusal(403, message, { errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }] });
}

export function limitExceeded(caller: Caller): ApiAnswer {
  const news =
    "(But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)";
  const message = caller.kind === 'user' ? 'for user ID 1.' : `for 127.0.0.1. ${news}`;
  return refusal(403, `API rate limit exceeded ${message}`);
}

/** Too much at once; `seconds` is how long to wait, if GitHub says so at all. */
export function secondaryLimit(seconds?: number): ApiAnswer {
  const message =
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. ' +
    'For more on scraping GitHub and how it may affect your rights, please review our Terms of Service (https://docs.github.com/en/site-policy/github-terms/github-terms-of-service)';
  return refusal(403, message, {}, seconds === undefined ? {} : { 'Retry-After': String(seconds) });
}

/** The token has no access to the organization until its owner gives it by single sign-on. */
export function ssoRequired(organization: string): ApiAnswer {
  const message =
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.';
  const url = `https://github.com/orgs/${organization}/sso?authorization_request=y`;
  return refusal(403, message, {}, { 'X-GitHub-SSO': `required; url=${url}` });
}

/** Taken down for legal reasons. */
export function accessBlocked(): ApiAnswer {
  return {
    status: 451,
    body: {
      message: 'Repository access blocked',
      block: {
        reason: 'dmca',
        created_at: '2024-01-01T00:00:00Z',
        html_url: 'https://github.com/github/dmca/blob/master/2024/01/2024-01-01-example.md',
      },
    },
  };
}

/** Renamed, or moved to another owner. */
export function movedTo(url: string): ApiAnswer {
  return {
    status: 301,
    headers: { Location: url },
    body: { message: 'Moved Permanently', url, documentation_url: DOCS },
  };
}
