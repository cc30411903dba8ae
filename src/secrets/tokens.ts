import { isPlaceholderToken } from './placeholder.ts';
import type { Span } from './span.ts';

/**
 * Keys and tokens with a format of their own, as secretlint's recommended rules know them: AWS, GitHub, npm,
 * Slack, SendGrid, Shopify, OpenAI, Anthropic, Linear, 1Password; and what npm's `_authToken` is set to. The
 * rules are loaded only if one of them can match at all. Rejects if a rule throws.
 *
 * The rules are run without secretlint's core, which keeps a record of every run for good and searches it in
 * every later one: after a few thousand files a run takes 30 ms.
 */
export async function tokens(text: string): Promise<Span[]> {
  const spans = npmAuthTokens(text);
  if (!MAY_MATCH.test(text) && !SLACK_WEBHOOK.test(text)) {
    return spans;
  }
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data: Findings) => ({ messageId, data }),
    report(found: Report) {
      const span = spanOf(text, found);
      if (span !== undefined) {
        spans.push(span);
      }
    },
  };
  // A name that no rule looks at: npm's finds less in files of another name, and is completed here.
  const source = { content: text, filePath: 'text', ext: '' };
  for (const rule of rules as unknown as readonly Rule[]) {
    if (!REPLACED.has(rule.meta.id)) {
      await rule.create(context, { enableIDScanRule: true }).file(source);
    }
  }
  return spans;
}

/** Of any form, in any file: `//registry/:_authToken=VALUE`. */
function npmAuthTokens(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(NPM_AUTH_TOKEN)) {
    const value = match[1] ?? '';
    if (!TEMPLATE.test(value) && !isPlaceholderToken(value)) {
      const end = match.index + match[0].length;
      spans.push({ start: end - value.length, end, rule: 'npm-token' });
    }
  }
  return spans;
}

const NPM_AUTH_TOKEN = /_authToken=["'`]?([^\s"'`,;:&\\]*)/g;

/** What of secretlint's interface is used here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(context: unknown, options: unknown): { file(source: unknown): void | Promise<void> };
}

interface Report {
  readonly message: { readonly messageId: string; readonly data: Findings };
  readonly range: readonly [number, number];
}

interface Findings {
  readonly KEY?: string;
  readonly TOKEN?: string;
  readonly ID?: string;
  readonly URL?: string;
}

/**
 * Rules that are not run. Passwords in addresses and private keys are found by `passwords.ts` and
 * `private-keys.ts`, which find more and know where in a match the secret stands; the rule for Google Cloud
 * reports whole files and reads from disk; and no comment in a file may turn the search off.
 */
const REPLACED: ReadonlySet<string> = new Set([
  '@secretlint/secretlint-rule-basicauth',
  '@secretlint/secretlint-rule-database-connection-string',
  '@secretlint/secretlint-rule-filter-comments',
  '@secretlint/secretlint-rule-gcp',
  '@secretlint/secretlint-rule-privatekey',
]);

/** What each pattern of the rules above needs at least (secretlint 11.7.1), all but Slack's webhooks. */
const MAY_MATCH =
  /A(?:3T[A-Z0-9]|KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]{16}|(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)|npm_[A-Za-z0-9_]{36}|xox[abopr]-|xapp-|SG\.\w|shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32}|gh[oprsu]_[A-Za-z0-9_]{36}|github_pat_|T3BlbkFJ|sk-ant-api0|lin_api_|ops_ey/;
const SLACK_WEBHOOK = /https:\/\/hooks\.slack\.com\/services\//i;

const NAMES: Readonly<Record<string, string>> = {
  AWSAccessKeyID: 'aws-access-key-id',
  AWSSecretAccessKey: 'aws-secret-access-key',
  NPM_ACCESS_TOKEN: 'npm-token',
  SLACK_TOKEN: 'slack-token',
  IncomingWebhook: 'slack-webhook',
  SENDGRID_KEY: 'sendgrid-key',
  SHOPIFY_KEY: 'shopify-token',
  GITHUB_TOKEN: 'github-token',
  OPENAI_TOKEN: 'openai-key',
  ANTHROPIC_API_KEY: 'anthropic-key',
  LINEAR_API_TOKEN: 'linear-token',
  OPS_TOKEN: '1password-token',
};

/**
 * Where the secret of a message stands; undefined where there is none. Some rules report a range of the right
 * length in the wrong place, so the value is looked for from the range's start; and some stop before the end of
 * a long token, so the span goes on to the end of its characters.
 */
function spanOf(text: string, { message, range }: Report): Span | undefined {
  const { messageId, data } = message;
  if (messageId === 'AWSAccountID') {
    return undefined; // a number that anyone may know
  }
  const value = data.KEY ?? data.TOKEN ?? data.ID ?? data.URL ?? text.slice(...range);
  const at = text.indexOf(value, range[0]);
  const start = at + (PUBLIC_PART[messageId]?.exec(value)?.[0].length ?? 0);
  REST.lastIndex = at + value.length;
  const end = MAY_GO_ON.has(messageId) && REST.test(text) ? REST.lastIndex : at + value.length;
  const secret = text.slice(start, end);
  const random = RANDOM_PART[messageId]?.exec(secret)?.[1] ?? secret;
  return isPlaceholderToken(random) ? undefined : { start, end, rule: NAMES[messageId] ?? 'secret' };
}

/** What of a value stays. */
const PUBLIC_PART: Readonly<Record<string, RegExp>> = { IncomingWebhook: /^.*\/services\//i };

const MAY_GO_ON: ReadonlySet<string> = new Set(['SLACK_TOKEN', 'IncomingWebhook']);
const REST = /[A-Za-z0-9-]*/y;

/** What of a secret is random, without the prefix that every key of its kind has. */
const RANDOM_PART: Readonly<Record<string, RegExp>> = {
  AWSAccessKeyID: /^.{4}(.*)/,
  IncomingWebhook: /([^/]*)$/,
  SLACK_TOKEN: /([^-]*)$/,
  SENDGRID_KEY: /^SG\.(.*)/,
  SHOPIFY_KEY: /^shp.._(.*)/,
  NPM_ACCESS_TOKEN: /^npm_(.*)/,
  GITHUB_TOKEN: /^(?:gh._|github_pat_)(.*)/,
  OPENAI_TOKEN: /^sk-(?:proj-|svcacct-|admin-)?(.*)/,
  ANTHROPIC_API_KEY: /^sk-ant-api0\d-(.*)/,
  LINEAR_API_TOKEN: /^lin_api_(.*)/,
  OPS_TOKEN: /^ops_(.*)/,
};

/** Nothing at all, a variable or a mark of something left out. */
const TEMPLATE = /^(?:$|[$%#{<[(*])/;
