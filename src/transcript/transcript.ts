import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import type { Memory, ScopeName } from '../memory/memory.ts';
import { visibleName } from '../text/visible.ts';
import { extractByModel, type Progress } from './extract/by-model.ts';
import { extractByRules } from './extract/by-rules.ts';
import type { Extraction } from './extract/extraction.ts';
import { KeptAnswers } from './extract/kept.ts';
import { inInboxOf } from './extract/key.ts';
import { type Committed, commit } from './merge/commit.ts';
import { type Digest, newDigestId } from './merge/digest.ts';
import { Digests } from './merge/digests.ts';
import { knownTurns } from './merge/log.ts';
import { planFacts } from './merge/plan.ts';
import { Plans } from './merge/plans.ts';
import type { Model } from './model/model.ts';
import { type Reading, readTranscript } from './read/read.ts';
import { bytesOf } from './read/source.ts';
import { isLost, type LeftOut } from './read/tally.ts';
import { take } from './take/take.ts';
import type { Taking } from './take/taken.ts';
import type { Turn } from './turn.ts';

export * from './answers/answers.ts';
export * from './answers/digest-lines.ts';
export { type Allowance, allowedPath } from './discover/allowed.ts';
export type { Machine } from './discover/clients.ts';
export { type Discovered, discover, type Sought, type Transcript } from './discover/discover.ts';
export type { Progress } from './extract/by-model.ts';
export type { Evidence } from './extract/fact.ts';
export type { Committed } from './merge/commit.ts';
export type { Digest, Outcome, PlannedFact } from './merge/digest.ts';
export { type DigestLog, Digests, type LoggedDigest } from './merge/digests.ts';
export { type FoundDigest, findDigest } from './merge/find.ts';
export { type BriefDigest, type BriefLog, type More, readDigestLog, readWholeLog } from './merge/log.ts';
export { OLDER_LOG, type OlderDigest, readOlderLog } from './merge/older-log.ts';
export { type Evident, type Why, why } from './merge/why.ts';
export { type Model, type ModelSettings, openModel } from './model/model.ts';
export { type Reading, readTranscript } from './read/read.ts';
export type { LeftOut, Reason } from './read/tally.ts';
export type { Role, Turn } from './turn.ts';

export interface TranscriptOptions {
  readonly memory: Memory;
  /** The global one unless told. */
  readonly scope?: ScopeName | undefined;
  /** What finds the facts. */
  readonly by: 'rules' | Model;
  /** When it was said, in ISO 8601, where the transcript has no times. */
  readonly at?: string | undefined;
  /** Whether turns that were digested before are read too. */
  readonly again?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how far the model is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How much a model is given of one transcript at a time, in UTF-16 code units. */
const MODEL_BUDGET = 800_000;

/**
 * Reads a transcript in any format and puts what is worth keeping of its new turns into memory, as one change; in doubt,
 * it does not. `path` leads to a regular file, and is read whatever it is: check it with `allowedPath` first if somebody
 * else chose it.
 *
 * Throws `BAD_USAGE` for an `at` that is no time, `TRANSCRIPT_UNREADABLE`, the codes that begin with `MODEL_`, `ABORTED`, and
 * those of memory. Whenever it stops, memory is as before or as after, and what a model has answered needn't be asked
 * again.
 */
export async function digestTranscript(path: string, options: TranscriptOptions): Promise<Committed> {
  const { digest, digests, kept } = await prepare(path, options);
  const isNew = digest.turns.length + digest.facts.length > 0;
  const committed =
    isNew || !(await isLogged(digest.file, digests))
      ? await commit(digest, options.memory, digests)
      : { digest, change: undefined, done: [], refused: [], isRepeated: false };
  kept.clear();
  return committed;
}

/**
 * What {@link digestTranscript} would do. The plan is kept, for {@link commitTranscript} to carry out by its id. Throws as
 * that does.
 */
export async function planTranscript(path: string, options: TranscriptOptions): Promise<Digest> {
  const { digest, digests, kept } = await prepare(path, options);
  await new Plans(digests.folder).save(digest);
  kept.clear();
  return digest;
}

/**
 * Does what a plan shows, without a model. Facts whose keys hold something else by now are refused. Throws
 * `PLAN_NOT_FOUND`, and the codes of memory.
 */
export async function commitTranscript(
  id: string,
  { memory, scope }: Pick<TranscriptOptions, 'memory' | 'scope'>,
): Promise<Committed> {
  const digests = new Digests(memory, scope);
  return commit(new Plans(digests.folder).load(id), memory, digests);
}

/** Whether the last digest of a file was of what it holds now. */
async function isLogged({ path, sha256 }: Digest['file'], digests: Digests): Promise<boolean> {
  const done = (await digests.read()).digests.find(
    ({ file, state }) => state === 'done' && file.path === path,
  );
  return done?.file.sha256 === sha256;
}

interface Prepared {
  readonly digest: Digest;
  readonly digests: Digests;
  readonly kept: KeptAnswers;
}

async function prepare(path: string, options: TranscriptOptions): Promise<Prepared> {
  const { memory, by, at, again, signal } = options;
  const started = performance.now();
  if (at !== undefined && Number.isNaN(Date.parse(at))) {
    throw new PlimsollError('BAD_USAGE', `at is a time in ISO 8601; '${visibleName(at)}' is none.`);
  }
  const digests = new Digests(memory, options.scope);
  const kept = new KeptAnswers(join(digests.folder, 'kept'));
  const name = by === 'rules' ? by : `model ${by.name}`;
  // Whether there is a model is known before a large file is read.
  if (by !== 'rules') await by.window(signal);

  const reading = await readTranscript(path);
  const known = again ? new Set<string>() : await knownTurns(digests, name);
  const budget = by === 'rules' ? undefined : MODEL_BUDGET;
  const taking = await take(stoppable(reading.turns(), signal), { known, budget });
  const extraction = await extract(taking, options, digests, kept);
  checkRead(extraction, name);
  const found = extraction.facts.map((fact) => ({ ...fact, key: inInboxOf(path, fact.key) }));
  const facts = await planFacts({ facts: found, path, memory, digests, at });
  const file = { path, format: reading.format, ...(await fingerprintOf(path, signal)) };
  const digest: Digest = {
    id: newDigestId(),
    at: new Date().toISOString(),
    file,
    by: name,
    counts: countsOf(taking, extraction, started),
    leftOut: leftOutOf(reading, taking, extraction),
    facts,
    refused: extraction.refused.map(({ reason }) => ({ reason })),
    turns: extraction.read,
  };
  return { digest, digests, kept };
}

async function extract(
  { turns }: Taking,
  { memory, by, signal, onProgress }: TranscriptOptions,
  { scope }: Digests,
  kept: KeptAnswers,
): Promise<Extraction> {
  const documents = await memory.documents(scope);
  const existing = documents.flatMap(({ document }) => Array.from(document.facts(), ({ key }) => key));
  if (by === 'rules') return extractByRules(turns, existing);
  return extractByModel(turns, { model: by, existing, kept, signal, onProgress });
}

/** Throws `MODEL_ANSWERS_UNREADABLE` if a model was asked and nothing came of it. */
function checkRead({ read, unread, facts }: Extraction, name: string): void {
  const [first] = unread;
  if (read.length + facts.length > 0 || !first) return;
  throw new PlimsollError(
    'MODEL_ANSWERS_UNREADABLE',
    `No turn could be read by ${visibleName(name)}: ${visibleName(first.reason)}. Take another model, or --extract rules.`,
  );
}

function countsOf({ counts }: Taking, extraction: Extraction, started: number): Digest['counts'] {
  return {
    turns: extraction.read.length,
    known: counts.known,
    cut: counts.cut,
    secrets: counts.secrets + extraction.secrets,
    chunks: extraction.chunks,
    tokensIn: extraction.tokensIn,
    tokensOut: extraction.tokensOut,
    seconds: Math.round(performance.now() - started) / 1000,
  };
}

/** What of the file was not read for facts: what is lost first, of each the most frequent. */
function leftOutOf(
  reading: Reading,
  { leftOut, counts, injectedLine }: Taking,
  { unread }: Extraction,
): LeftOut[] {
  const all: LeftOut[] = [
    ...reading.leftOut(),
    { reason: 'injected', what: 'turn', count: counts.injected, line: injectedLine },
    ...leftOut.map(({ role, ...rest }) => ({ reason: 'no room' as const, what: role, ...rest })),
    ...unread.map(({ reason, ...rest }) => ({ reason: 'failed' as const, what: reason, ...rest })),
  ];
  const rank = ({ reason }: LeftOut) => (isLost(reason) ? 0 : 1);
  return all
    .filter(({ count }) => count > 0)
    .sort((one, other) => rank(one) - rank(other) || other.count - one.count);
}

async function* stoppable(turns: AsyncIterable<Turn>, signal: AbortSignal | undefined): AsyncGenerator<Turn> {
  for await (const turn of turns) {
    checkGoing(signal);
    yield turn;
  }
}

/** The size of a file in bytes, and its SHA-256 in hex. */
async function fingerprintOf(path: string, signal: AbortSignal | undefined) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytesOf(path)) {
    checkGoing(signal);
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}

function checkGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PlimsollError('ABORTED', 'Stopped while the transcript was read.');
}
