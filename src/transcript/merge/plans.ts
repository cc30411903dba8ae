import { join } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { readCopy } from '../../memory/store/copy.ts';
import { FILES, type Files, tryRemove } from '../../memory/store/files.ts';
import { updateFile } from '../../memory/store/update.ts';
import { visibleName } from '../../text/visible.ts';
import { parsed } from '../read/lines.ts';
import { type Digest, isDigest, isDigestId } from './digest.ts';

/** So many plans are kept, and so long, in milliseconds. */
const MOST = 20;
const LONGEST = 30 * 24 * 60 * 60 * 1000;

const ENDING = '.json';

/** Digests that were planned and not carried out, each in a file of its own. */
export class Plans {
  readonly #folder: string;
  readonly #files: Files;

  /** @param folder That of the log of digests. */
  constructor(folder: string, files: Files = FILES) {
    this.#folder = join(folder, 'plans');
    this.#files = files;
  }

  /** Keeps a plan; the oldest go. Throws `MEMORY_BUSY`, `MEMORY_UNWRITABLE`. */
  async save(plan: Digest): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(plan, null, 2)}\n`);
    await updateFile(this.#pathOf(plan.id), () => ({ bytes, answer: undefined }), { files: this.#files });
    const kept = new Set(this.#ids().slice(0, MOST));
    for (const id of this.#all().keys()) if (!kept.has(id)) tryRemove(this.#pathOf(id), this.#files);
  }

  /** Whether a plan was kept, and isn't too old. */
  has(id: string): boolean {
    return this.#ids().includes(id);
  }

  /** A plan that was kept. Throws `PLAN_NOT_FOUND`. */
  load(id: string): Digest {
    const ids = this.#ids();
    if (!ids.includes(id)) throw notFound(id, ids);
    const plan = parsed(readCopy(this.#pathOf(id), this.#files)?.toString() ?? '');
    if (isDigest(plan) && plan.id === id) return plan;
    throw new PlimsollError(
      'PLAN_NOT_FOUND',
      `The plan '${visibleName(this.#pathOf(id))}' can't be read. Make it anew with --dry-run.`,
    );
  }

  /** The plans that aren't too old, the newest first. */
  #ids(): string[] {
    const plans = [...this.#all()].filter(([, modified]) => Date.now() - modified <= LONGEST);
    return plans.sort(([, one], [, other]) => other - one).map(([id]) => id);
  }

  /** When each plan was kept, in milliseconds since 1970. */
  #all(): Map<string, number> {
    const names = this.#names().filter((name) => name.endsWith(ENDING));
    const ids = names.map((name) => name.slice(0, -ENDING.length)).filter(isDigestId);
    return new Map(
      ids.map((id) => [id, this.#files.statSync(this.#pathOf(id), { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
  }

  #names(): string[] {
    try {
      return this.#files.readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, id + ENDING);
  }
}

function notFound(id: string, ids: readonly string[]): PlimsollError {
  const there = ids.length === 0 ? 'There are none' : `There are ${ids.join(', ')}`;
  return new PlimsollError(
    'PLAN_NOT_FOUND',
    `There is no plan "${visibleName(id.slice(0, 40))}". ${there}; --dry-run makes one.`,
  );
}
