import type { Digest } from '../digest/digest.ts';
import { type Budget, parseBudget } from '../measure/budget.ts';
import { type Measure, measureOf } from '../measure/measure.ts';
import { within } from '../read/answer.ts';
import { group, plural } from '../text/words.ts';
import {
  callOf,
  type Kind,
  type Looking,
  type Named,
  progressOf,
  type Repository,
  remoteOf,
  withRepository,
} from './repositories.ts';
import type { Call, ToolResult } from './tools/tool.ts';

/** Where a digest's ledger stands in `_meta`. */
const DIGEST_KEY = 'dev.plimsoll/digest';

/** So many warnings of a digest are logged. */
const MOST_WARNINGS = 10;

/** A digest as a model asks for it. */
export interface DigestAsked extends Named {
  /** As the command line takes it. */
  readonly budget?: string | undefined;
  readonly format?: string | undefined;
  /** What it is about. */
  readonly query?: string | undefined;
  /** What the reader has in hand, as globs. */
  readonly focusPaths?: readonly string[] | undefined;
}

/** A digest within what is asked for, what the user's settings allow and what the client takes, whichever is least. */
export async function digestAnswer(
  call: Looking & Pick<Call, 'limit' | 'warn'>,
  { budget, format, query, focusPaths = [], ...named }: DigestAsked,
  kind: Kind,
): Promise<ToolResult> {
  const { digest: settings } = call.services.settings;
  const wanted = budget === undefined ? settings.budget : parseBudget(budget);
  const { digestSource } = await import('../digest/digest.ts');
  const options = {
    format: (format ?? settings.format) === 'xml' ? ('xml' as const) : ('markdown' as const),
    redact: settings.redact,
    graph: settings.graph,
    focus: query,
    focusPaths,
    remote: remoteOf(call),
    signal: call.signal,
    onProgress: progressOf(call),
  };
  // Of repositories on other machines there is none.
  const history = kind === 'folder' && settings.history;
  return withRepository(call, { ...named, history }, kind, async (repository) => {
    const make = (held: Budget): Promise<Digest> => {
      const { source, selection } = repository;
      const first = [readingOn(repository), ...loweredTo(held, wanted, settings.budget)].join(' ');
      return digestSource(source, selection, { ...options, budget: held }, { first, more: MORE });
    };
    let last: Digest | undefined;
    const answer = await within(call.limit, async (room) => {
      // What was too much isn't made again.
      const most = last && room >= last.text.length ? Math.floor(last.text.length * 0.9) : room;
      last = await digestWithin(make, [wanted, settings.budget], most);
      return {
        content: [{ type: 'text' as const, text: last.text }],
        _meta: { [DIGEST_KEY]: ledgerOf(last) },
      };
    });
    const warnings = last?.warnings ?? [];
    for (const { message } of warnings.slice(0, MOST_WARNINGS)) call.warn(message);
    const more = warnings.length - MOST_WARNINGS;
    if (more > 0) call.warn(`The digest has ${plural(more, 'more warning')}.`);
    return answer;
  });
}

/** The digest of a repository or folder, as a text within the client's limit. */
export async function digestText(
  call: Looking & Pick<Call, 'limit' | 'warn'>,
  repo: string,
): Promise<string> {
  const { content } = await digestAnswer(call, { repo }, 'any');
  return content.map(({ text }) => text).join('');
}

const MORE = 'For more: the tools that the first line names, a subfolder, or a larger budget.';

/** Which calls read on in what a digest leaves out. */
function readingOn({ same, prefix }: Repository): string {
  const call = callOf('read_repo_file', { ...same, path: `${prefix}PATH` });
  const also = same.ref === undefined ? 'the same repo' : 'the same repo and ref';
  return `To read on: ${call} for a file of the tree below; with ${also}, search_repo finds a pattern and list_repo lists a folder.`;
}

function loweredTo(held: Budget, wanted: Budget, setting: Budget): string[] {
  if (isSame(held, wanted)) return [];
  const why = isSame(held, setting)
    ? "the user's settings allow no more"
    : 'no more fits into an answer here';
  return [`The budget was lowered to ${inWords(held)}: ${why}.`];
}

function isSame(one: Budget, other: Budget): boolean {
  return one.unit === other.unit && one.limit === other.limit;
}

function inWords({ unit, limit }: Budget): string {
  return `${group(limit)} ${unit === 'chars' ? 'characters' : 'tokens'}`;
}

/** The largest digest within all budgets and so many characters. */
async function digestWithin(
  make: (budget: Budget) => Promise<Digest>,
  budgets: readonly Budget[],
  room: number,
): Promise<Digest> {
  const least = (unit: Budget['unit']): number =>
    Math.min(...budgets.filter((budget) => budget.unit === unit).map(({ limit }) => limit));
  const chars = Math.min(room, least('chars'));
  const tokens = least('tokens');
  if (tokens === Number.POSITIVE_INFINITY) return make({ unit: 'chars', limit: chars });
  const digest = await make({ unit: 'tokens', limit: tokens });
  return digest.text.length <= chars ? digest : withinBoth(make, chars, tokens, await measureOf('tokens'));
}

async function withinBoth(
  make: (budget: Budget) => Promise<Digest>,
  chars: number,
  tokens: number,
  measure: Measure,
): Promise<Digest> {
  for (let limit = chars; ; ) {
    const digest = await make({ unit: 'chars', limit });
    const used = measure(digest.text);
    if (used <= tokens) return digest;
    limit = Math.floor(limit * Math.min(0.95, tokens / used));
  }
}

/** What a digest shows and what it doesn't, in a few numbers. */
function ledgerOf({ source, budget, files, omitted }: Digest): Readonly<Record<string, unknown>> {
  const { name, ref, commit } = source;
  return {
    name,
    ...(ref !== undefined && { ref }),
    ...(commit !== undefined && { commit }),
    files: source.files,
    shown: files.length,
    shownInPart: files.filter(({ mode }) => mode !== 'full').length,
    omitted: omitted.byReason,
    budget: { unit: budget.unit, limit: budget.limit, used: budget.used },
  };
}
