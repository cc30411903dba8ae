import { type FileHandle, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pointerToken } from '../json/pointer.ts';
import { FactsGatherer } from './facts.ts';
import { openNew, Refusal, reasonOf, withFile } from './folders.ts';
import { keptIn, MANIFEST, manifestOf } from './manifest.ts';
import { decodeFile, extensionOf } from './media.ts';
import { newName } from './names.ts';
import type { Kept, NotKept, Origin, Part } from './types.ts';
import { makeView } from './view.ts';

/** A writer should wait while more bytes than this wait to be written. */
const MOST_WAITING = 1024 * 1024;

/** The most that is written at once, in bytes, so that other work isn't held up. */
const SLAB = 256 * 1024;

/** Fewer bytes than this are gathered before they wait. */
const SMALL = 8 * 1024;
const GATHERED = 64 * 1024;

/** A text with longer lines, in characters, gets a view. */
const LONG_LINE = 2000;

/** Why a result is not kept that takes more than the spool may. */
export const TOO_LARGE = 'it is larger than the spool may be';

const PART_NAME = /^[a-z\d]{1,32}$/;

/** Where a draft becomes a kept result. */
export interface Place {
  /** The most a result may take, in bytes. */
  readonly limit: number;
  now(): number;
  /** Makes a folder for one draft. */
  makeTemporary(): Promise<string>;
  removeTemporary(folder: string): Promise<void>;
  /** Moves a finished folder to where its handle finds it, and tells where that is. */
  keep(temporary: string, handle: string): Promise<string>;
}

export interface PartWriter {
  /** Takes the next bytes, which must not change afterwards. Never throws; after `close` or `drop` it does nothing. */
  write(bytes: Uint8Array): void;
  /** Says that all is written, and what it is: `media` is base64, of which the bytes are kept. */
  close(as: { readonly kind: Part['kind']; readonly mimeType?: string | undefined }): void;
  /** Takes the part back. */
  drop(): void;
}

/** A part that says the same as another. */
export interface Alias {
  /** The other part's name. */
  readonly of: string;
  /** Whether it is that part's JSON, or its text. */
  readonly kind: 'json' | 'text';
  /** Where it is an object, and the other part says the value of its one key: that key. */
  readonly key?: string | undefined;
}

/**
 * A result that is being kept. It is written to a folder of its own, which nobody finds before it is published. No
 * fault of the system's throws: what couldn't be written is not kept, and `publish` says why.
 */
export class Draft {
  /** What the result will be found by. */
  readonly handle: string = newName();
  readonly #place: Place;
  readonly #origin: Origin;
  readonly #parts = new Map<string, PartFile>();
  readonly #aliases = new Map<string, Alias & { readonly at: string }>();
  #folder: string | undefined;
  #written = 0;
  #waiting = 0;
  #relieved: (() => void)[] = [];
  #work: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #end: Promise<Kept | NotKept> | undefined;

  constructor(place: Place, origin: Origin) {
    this.#place = place;
    this.#origin = origin;
  }

  /** Starts a part. `at` is where it stands in the result, as a JSON pointer. Throws a `RangeError` for a bad name. */
  part(name: string, at: string): PartWriter {
    if (!PART_NAME.test(name) || this.#parts.has(name)) throw new RangeError(`No new part can be '${name}'.`);
    const part = new PartFile(name, at);
    this.#parts.set(name, part);
    return {
      write: (bytes) => this.#write(part, bytes),
      close: (as) => {
        if (!part.isEnded) part.as = as;
        part.isEnded = true;
      },
      drop: () => this.#drop(part),
    };
  }

  /** Has part `name` say the same as another, which shares its file with it; what was written of it goes. */
  alias(name: string, alias: Alias): void {
    const part = this.#parts.get(name);
    this.#aliases.set(name, { ...alias, at: part?.at ?? '' });
    if (part) this.#drop(part);
  }

  /** Settles when less than 1 MiB waits to be written. */
  drained(): Promise<void> {
    if (this.#waiting < MOST_WAITING || this.#failure) return Promise.resolve();
    return new Promise((resolve) => this.#relieved.push(resolve));
  }

  /** Makes all of it found by the handle at once, or nothing. Parts that were not closed are not kept. */
  publish(): Promise<Kept | NotKept> {
    this.#end ??= this.#publish();
    return this.#end;
  }

  /** Gives the draft up, unless it is published. */
  async discard(): Promise<void> {
    this.#end ??= this.#giveUp();
    await this.#end;
  }

  #write(part: PartFile, bytes: Uint8Array): void {
    if (this.#failure || this.#end || part.isEnded || bytes.length === 0) return;
    part.add(bytes);
    this.#waiting += bytes.length;
    if (!part.isScheduled) this.#do(() => this.#flush(part));
    part.isScheduled = true;
  }

  #drop(part: PartFile): void {
    part.isEnded = true;
    this.#parts.delete(part.name);
    this.#relieve(part.dropPending());
    this.#do(async () => {
      await part.close();
      this.#written -= part.size;
      if (this.#folder) await rm(join(this.#folder, part.file), { force: true });
    });
  }

  /** Does one thing after the other. After the first that fails, nothing is done. */
  #do(job: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#failure) return;
      try {
        await job();
      } catch (error) {
        this.#failure = { error };
        await this.#remove();
      }
    });
  }

  async #flush(part: PartFile): Promise<void> {
    for (let slab = part.takeSlab(); slab; slab = part.takeSlab()) {
      this.#written += slab.length;
      if (this.#written > this.#place.limit) throw new Refusal(TOO_LARGE);
      await part.write(await this.#open(), slab);
      this.#relieve(slab.length);
    }
    part.isScheduled = false;
  }

  #relieve(bytes: number): void {
    this.#waiting -= bytes;
    if (this.#waiting >= MOST_WAITING && !this.#failure) return;
    for (const resolve of this.#relieved.splice(0)) resolve();
  }

  async #open(): Promise<string> {
    this.#folder ??= await this.#place.makeTemporary();
    return this.#folder;
  }

  async #publish(): Promise<Kept | NotKept> {
    let kept: Kept | undefined;
    for (const part of this.#parts.values()) if (!part.as) this.#drop(part);
    this.#do(async () => {
      const temporary = await this.#open();
      const manifest = manifestOf(this.#place.now(), this.#origin, await this.#finish(temporary));
      await writeManifest(join(temporary, MANIFEST), JSON.stringify(manifest), manifest.at);
      kept = keptIn(await this.#place.keep(temporary, this.handle), manifest);
    });
    await this.#work;
    return kept ?? { reason: reasonOf(this.#failure?.error) };
  }

  async #finish(folder: string): Promise<Part[]> {
    const parts = new Map<string, Part>();
    for (const part of this.#parts.values()) {
      await part.close(folder);
      parts.set(part.name, await this.#finishPart(part, folder));
    }
    for (const [name, { of, at, kind, key }] of this.#aliases) {
      const part = parts.get(of);
      const path = key === undefined ? at : `${at}/${pointerToken(key)}`;
      if (part) parts.set(name, { ...part, name, at: path, kind, of, key });
    }
    return [...parts.values()];
  }

  /** Gives the part's files their names, and makes those that are not there yet. */
  async #finishPart({ name, at, file, as, facts }: PartFile, folder: string): Promise<Part> {
    const { kind, mimeType } = as ?? { kind: 'text' };
    const { longestLine, ascii, wtf8, checkpoints, ...counts } = facts.finish();
    const path = `${name}.${extensionOf(kind, mimeType)}`;
    const part = { name, at, kind, path, mimeType: mimeType?.slice(0, 100) };
    if (kind === 'media') {
      const { isExact, ...decoded } = await decodeFile(join(folder, file), join(folder, path));
      const encoded = isExact ? undefined : `${name}.base64.txt`;
      if (encoded) await rename(join(folder, file), join(folder, encoded));
      else await rm(join(folder, file));
      return { ...part, ...decoded, encoded, chars: 0, lines: 0 };
    }
    await rename(join(folder, file), join(folder, path));
    const view = longestLine > LONG_LINE && (await this.#makeView(name, kind, path, folder));
    return { ...part, ...view, ...counts, ascii, wtf8, checkpoints };
  }

  async #makeView(
    name: string,
    kind: 'text' | 'json',
    source: string,
    folder: string,
  ): Promise<{ view: string; map: string } | undefined> {
    const files = { view: `${name}.view.txt`, map: `${name}.map.tsv` };
    const paths = {
      source: join(folder, source),
      view: join(folder, files.view),
      map: join(folder, files.map),
    };
    const bytes = await makeView({ ...paths, kind }, this.#place.limit - this.#written);
    this.#written += bytes ?? 0;
    return bytes === undefined ? undefined : files;
  }

  async #giveUp(): Promise<NotKept> {
    for (const part of this.#parts.values()) this.#relieve(part.dropPending());
    await this.#work;
    await this.#remove();
    return { reason: 'it was given up' };
  }

  async #remove(): Promise<void> {
    for (const part of this.#parts.values()) {
      this.#relieve(part.dropPending());
      await part.close().catch(() => {});
    }
    if (this.#folder) await this.#place.removeTemporary(this.#folder);
    this.#folder = undefined;
  }
}

/** A part while it is written. */
class PartFile {
  readonly name: string;
  readonly at: string;
  /** Its file's name until it is known what it is. */
  readonly file: string;
  readonly facts = new FactsGatherer();
  /** Whether its writer has closed or dropped it. */
  isEnded = false;
  /** Whether what waits is going to be written, or being written. */
  isScheduled = false;
  /** What is written, in bytes. */
  size = 0;
  as: Parameters<PartWriter['close']>[0] | undefined;
  #pending: Uint8Array[] = [];
  #gathered = Buffer.alloc(0);
  #gatheredEnd = 0;
  #open: FileHandle | undefined;

  constructor(name: string, at: string) {
    this.name = name;
    this.at = at;
    this.file = `${name}.part`;
  }

  /** Has bytes wait. A text comes in many small pieces: these are copied together. */
  add(bytes: Uint8Array): void {
    if (bytes.length > this.#gathered.length - this.#gatheredEnd) {
      this.#endGathering();
      if (bytes.length < SMALL) this.#gathered = Buffer.allocUnsafe(GATHERED);
    }
    if (bytes.length < SMALL) {
      this.#gathered.set(bytes, this.#gatheredEnd);
      this.#gatheredEnd += bytes.length;
    } else {
      this.#endGathering();
      this.#pending.push(bytes);
    }
  }

  /** The next bytes to be written, at most 256 KiB. */
  takeSlab(): Uint8Array | undefined {
    if (this.#pending.length === 0) this.#endGathering();
    const first = this.#pending.shift();
    if (!first || first.length <= SLAB) return first;
    this.#pending.unshift(first.subarray(SLAB));
    return first.subarray(0, SLAB);
  }

  /** Forgets what waits to be written, and tells how much that was. */
  dropPending(): number {
    this.#endGathering();
    return this.#pending.splice(0).reduce((sum, { length }) => sum + length, 0);
  }

  #endGathering(): void {
    if (this.#gatheredEnd > 0) this.#pending.push(this.#gathered.subarray(0, this.#gatheredEnd));
    this.#gathered = this.#gathered.subarray(this.#gatheredEnd);
    this.#gatheredEnd = 0;
  }

  async write(folder: string, bytes: Uint8Array): Promise<void> {
    this.#open ??= await openNew(join(folder, this.file));
    this.facts.write(bytes);
    this.size += bytes.length;
    await this.#open.writeFile(bytes);
  }

  /** Closes the file; if `folder` is told, it is there then, even if nothing was written. */
  async close(folder?: string): Promise<void> {
    if (folder) this.#open ??= await openNew(join(folder, this.file));
    await this.#open?.close();
    this.#open = undefined;
  }
}

async function writeManifest(path: string, text: string, now: number): Promise<void> {
  await withFile(openNew(path), async (file) => {
    await file.writeFile(text);
    await file.utimes(now / 1000, now / 1000);
  });
}
