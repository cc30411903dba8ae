import { describeGitHubFailure } from '../digest/source/remote/github/failure.ts';
import { askGh } from '../digest/source/remote/github/github.ts';
import { originOf } from '../digest/source/remote/github/hosts.ts';
import { makeFetch, NoAnswer } from '../digest/source/remote/http.ts';
import { PlimsollError } from '../errors.ts';
import type { DigestSettings, GitHubSettings, TranscriptSettings } from '../settings/settings.ts';
import { plural } from '../text/words.ts';
import { openModel } from '../transcript/model/model.ts';
import { version } from '../version.ts';
import { type Finding, ok, warn } from './finding.ts';

/** How long a host may be silent, in seconds. */
const PATIENCE = 5;

/** With fewer requests left than this, one is warned: a repository takes two. */
const FEW = 10;

const GITHUB = 'GitHub';
const MODEL = 'model';

interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly reset: number;
}

/** Whether GitHub's API answers, and how many requests it allows; asking for that costs none. */
export async function checkGitHub(
  { api, token: own, gh }: GitHubSettings,
  { offline }: Pick<DigestSettings, 'offline'>,
): Promise<Finding> {
  if (offline) return ok(GITHUB, 'it is not asked: PLIMSOLL_OFFLINE is set');
  const { host } = new URL(api);
  const web = originOf(api);
  const token =
    own ?? (gh ? (await askGh(web === undefined ? 'github.com' : new URL(web).host)).token : undefined);
  const context = { host, repository: 'of that name', hasToken: token !== undefined };
  try {
    const response = await makeFetch(PATIENCE, undefined)(`${api}/rate_limit`, {
      redirect: 'error',
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': `plimsoll/${version}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    const data = (await response.json().catch(() => undefined)) as Answer | undefined;
    const who = token === undefined ? 'without a token' : 'with a token';
    if (response.status === 404) return ok(GITHUB, `${host} answers ${who}, and counts no requests`);
    if (!response.ok) {
      const { status, statusText } = response;
      const headers = Object.fromEntries(response.headers);
      const message = data?.message ?? statusText;
      throw describeGitHubFailure({ status, message, response: { headers, data } }, context);
    }
    return quotaFinding(`${host} answers ${who}`, data?.resources?.core, token !== undefined);
  } catch (error) {
    const failure =
      error instanceof NoAnswer
        ? describeGitHubFailure({ status: 0, message: '', cause: error.cause }, context)
        : error;
    return fromFailure(GITHUB, failure, 'What is in the cache is digested without it.');
  }
}

interface Answer {
  readonly message?: string;
  readonly resources?: { readonly core?: RateLimit };
}

function quotaFinding(answers: string, core: RateLimit | undefined, hasToken: boolean): Finding {
  if (typeof core?.remaining !== 'number') return ok(GITHUB, answers);
  const { limit, remaining, reset } = core;
  const at = new Date(reset * 1000).toISOString().slice(11, 16);
  const found = `${answers}: ${remaining} of ${plural(limit, 'request')} an hour left, all again at ${at} UTC`;
  if (remaining >= FEW) return ok(GITHUB, found);
  return warn(
    GITHUB,
    found,
    hasToken ? 'Wait until then.' : 'Wait until then, or set GITHUB_TOKEN for 5,000 an hour.',
  );
}

/** Whether the model that reads transcripts is there, and how large a window it will have. It isn't loaded for that. */
export async function checkModel(settings: TranscriptSettings): Promise<Finding> {
  const { extract, server: address, api: kind, model: name, window, allowRemote } = settings;
  if (extract === 'rules') return ok(MODEL, 'none is needed: PLIMSOLL_TRANSCRIPT_EXTRACT is rules');
  try {
    const model = openModel({
      address,
      kind,
      name,
      allowRemote,
      idle: PATIENCE,
      pause: 0,
      ...(window !== undefined && { window }),
    });
    const tokens = await model.look();
    return ok(MODEL, `${name} at ${model.address}, with a window of ${plural(tokens, 'token')}`);
  } catch (error) {
    return fromFailure(MODEL, error, 'Without a model, transcripts are read by rules: --extract rules.');
  }
}

/** An error's message is what was found and, after a colon, what to do. */
function fromFailure(about: string, error: unknown, otherwise: string): Finding {
  if (!(error instanceof PlimsollError)) throw error;
  const [, found = error.message, mend] = /^(.*?): (.+)$/s.exec(error.message) ?? [];
  if (mend === undefined) return warn(about, found, otherwise);
  return warn(about, found, mend.charAt(0).toUpperCase() + mend.slice(1));
}
