import { type FileHandle, open, rm } from 'node:fs/promises';
import { Indenter } from '../json/indent.ts';
import { openNew, reasonOf, withFile } from './folders.ts';
import { ViewLines } from './view-lines.ts';

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

/** The most a view and its map may take: so many bytes, or so many times the text's if that is more. */
const MOST = { bytes: 1024 * 1024, times: 16 };

/** The head line of a map. */
const MAP_HEAD = 'line\tbyte\n';

export interface ViewFiles {
  /** The text, JSON if it is told to be. */
  readonly source: string;
  readonly kind: 'text' | 'json';
  /** The new files: the text for line-based readers, and where its lines start in the source. */
  readonly view: string;
  readonly map: string;
}

/**
 * Writes a text such that who reads it line by line can: JSON indented, no line over 1,000 characters; and the map
 * that tells for each line which byte of the source it starts with. Gives how many bytes both take. `undefined`, and
 * no file, if that would be more than `room`, or 1 MiB and 16 times the text (brackets in brackets have hardly anything
 * but indentation), or the system refuses: a view is worth no failure.
 */
export async function makeView(files: ViewFiles, room: number): Promise<number | undefined> {
  let bytes: number | undefined;
  try {
    bytes = await withFile(open(files.source), (source) =>
      withFile(openNew(files.view), (view) =>
        withFile(openNew(files.map), (map) => layOut(source, files.kind, view, map, room)),
      ),
    );
  } catch (error) {
    reasonOf(error);
  }
  if (bytes === undefined) {
    for (const path of [files.view, files.map]) await rm(path, { force: true });
  }
  return bytes;
}

async function layOut(
  source: FileHandle,
  kind: 'text' | 'json',
  view: FileHandle,
  map: FileHandle,
  room: number,
): Promise<number | undefined> {
  const lines = new ViewLines(kind);
  const writer = kind === 'json' ? new Indenter(lines) : new LineSplitter(lines);
  const most = Math.min(room, Math.max(MOST.bytes, MOST.times * (await source.stat()).size));
  let bytes = MAP_HEAD.length;
  await map.writeFile(MAP_HEAD);
  const chunk = Buffer.alloc(CHUNK);
  for (let ended = false; !ended; ) {
    const { bytesRead } = await source.read(chunk);
    ended = bytesRead === 0;
    if (ended) lines.finish();
    else writer.write(chunk.subarray(0, bytesRead));
    const ready = lines.take();
    bytes += ready.view.length + ready.map.length;
    if (bytes > most) return undefined;
    await view.writeFile(ready.view);
    await map.writeFile(ready.map);
  }
  return bytes;
}

class LineSplitter {
  readonly #lines: ViewLines;
  #at = 0;

  constructor(lines: ViewLines) {
    this.#lines = lines;
  }

  write(bytes: Uint8Array): void {
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      this.#lines.copy(bytes, from, to, this.#at + from);
      this.#lines.end(1);
      from = to + 1;
    }
    this.#lines.copy(bytes, from, bytes.length, this.#at + from);
    this.#at += bytes.length;
  }
}
