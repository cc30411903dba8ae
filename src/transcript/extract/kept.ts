import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { keepCopy, readCopy } from '../../memory/store/copy.ts';
import { FILES, makeFolders, tryRemove } from '../../memory/store/files.ts';
import { textAt, valueAt } from '../formats/parts.ts';
import type { Answer, Ask } from '../model/model.ts';
import { countAt } from '../model/prompt.ts';
import { parsed } from '../read/lines.ts';

/** Answers that nobody came back for go after so long, in milliseconds. */
const LONGEST = 30 * 24 * 60 * 60 * 1000;

/** Answers of models on disk, so that a run that was interrupted goes on where it was. That one can't be kept is no fault. */
export class KeptAnswers {
  readonly #folder: string;
  readonly #used = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The answer a model has given to the same question. */
  get(model: string, ask: Ask): Answer | undefined {
    const path = this.#pathOf(model, ask);
    const value = parsed(readCopy(path, FILES)?.toString() ?? '');
    const text = textAt(value, 'text');
    if (text === undefined) return undefined;
    return {
      text,
      tokensIn: countAt(value, 'tokensIn'),
      tokensOut: countAt(value, 'tokensOut'),
      ...(valueAt(value, 'isStopped') === true && { isStopped: true }),
    };
  }

  put(model: string, ask: Ask, answer: Answer): void {
    const path = this.#pathOf(model, ask);
    try {
      makeFolders(this.#folder, FILES);
    } catch {
      return;
    }
    keepCopy(path, Buffer.from(JSON.stringify(answer)), FILES);
  }

  /** Removes the answers that were used here, once they are of no more use, and what is old. */
  clear(): void {
    for (const path of this.#used) tryRemove(path, FILES);
    this.#used.clear();
    for (const path of this.#all()) {
      const stats = FILES.statSync(path, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > LONGEST) tryRemove(path, FILES);
    }
  }

  #all(): string[] {
    try {
      return FILES.readdirSync(this.#folder).map((name) => join(this.#folder, name));
    } catch {
      return [];
    }
  }

  #pathOf(model: string, { system, user, schema, mostTokens }: Ask): string {
    const hash = createHash('sha256').update(JSON.stringify([model, system, user, schema, mostTokens]));
    const path = join(this.#folder, `${hash.digest('hex')}.json`);
    this.#used.add(path);
    return path;
  }
}
