import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { quickFolder } from '../../../test/memories.ts';
import { Memory } from '../../memory/memory.ts';
import type { Files } from '../../memory/store/files.ts';
import type { Evidence, Fact } from '../extract/fact.ts';
import { type Committed, commit } from './commit.ts';
import { type Digest, newDigestId, type PlannedFact } from './digest.ts';
import { Digests } from './digests.ts';
import { planFacts } from './plan.ts';

/** When changes are made in tests: after all that is said. */
export const NOW = '2026-12-01T12:00:00.000Z';

export interface Opened {
  readonly folder: string;
  readonly memory: Memory;
  readonly digests: Digests;
}

/** A memory whose changes are all made at {@link NOW}. */
export function opened(folder = quickFolder()): Opened {
  const memory = new Memory({ folder, who: 'test', now: () => new Date(NOW) });
  return { folder, memory, digests: new Digests(memory) };
}

/** A memory by the system's clock. */
export function openedNow(folder = quickFolder(), files?: Files): Opened {
  const memory = new Memory({ folder, who: 'test', ...(files && { files }) });
  return { folder, memory, digests: new Digests(memory, 'global', files) };
}

export function factsText(folder: string): string {
  return readFileSync(join(folder, 'context.json'), 'utf8');
}

/** Saves as a person does in an editor. */
export function saveByHand(folder: string, edit: (text: string) => string): void {
  const path = join(folder, 'context.json');
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
  const time = new Date(Date.now() + 60_000);
  utimesSync(path, time, time);
}

/** Something a person says, unless the evidence tells otherwise. */
export function said(key: string, value: string, evidence: Partial<Evidence> = {}): Fact {
  const time = '2026-11-01T10:00:00.000Z';
  return {
    key,
    value,
    evidence: { line: 1, role: 'person', time, quote: value, isVerified: true, ...evidence },
  };
}

interface From {
  readonly path?: string;
  readonly at?: string;
  readonly by?: string;
}

export async function planned({ memory, digests }: Opened, facts: readonly Fact[], from: From = {}) {
  const { path = '/t/talk.jsonl', at } = from;
  return planFacts({ facts, path, memory, digests, at });
}

export function digestOf(
  facts: readonly PlannedFact[],
  { path = '/t/talk.jsonl', by = 'rules' }: From = {},
): Digest {
  return {
    id: newDigestId(),
    at: NOW,
    file: { path, sha256: 'ab'.repeat(32), size: 1200, format: 'claude-code' },
    by,
    counts: { turns: 3, known: 1, cut: 0, secrets: 0, chunks: 0, seconds: 0.25 },
    leftOut: [{ reason: 'injected', what: 'reminder', count: 2, line: 4 }],
    facts,
    refused: [{ key: 'a.b', reason: 'a.b: a question' }, { reason: 'no list' }],
    turns: facts.map(({ evidence }) => `turn${evidence.line}`),
  };
}

/** Plans what is said, and puts it into memory. */
export async function digested(at: Opened, facts: readonly Fact[], from: From = {}): Promise<Committed> {
  return commit(digestOf(await planned(at, facts, from), from), at.memory, at.digests);
}

export async function jsonOf({ memory }: Opened, key: string): Promise<string | undefined> {
  return (await memory.get(key))?.found.json();
}

export function code(name: string, message = /./): unknown {
  return expect.objectContaining({ code: name, message: expect.stringMatching(message) });
}
