import type { Attributes, Changes, Entry, History, Source, SourceFacts } from '../src/digest/types.ts';

const NO_ATTRIBUTES: Attributes = {};

export interface MemoryFile {
  readonly path: string;
  readonly content: string | Buffer;
}

/** A source that is all in memory, for properties over very many or very large trees. */
export function memorySource(files: readonly MemoryFile[], facts: Partial<SourceFacts> = {}): Source {
  const contents = new Map(files.map(({ path, content }) => [path, Buffer.from(content as string)]));
  const entries = [...contents]
    .map(([path, content]): Entry => ({ path, kind: 'file', size: content.length }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytesOf = (path: string): Buffer => {
    const bytes = contents.get(path);
    if (!bytes) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return bytes;
  };
  return {
    facts: { kind: 'folder', name: 'memory', ...facts },
    kept: { kind: 'folder', address: 'memory' },
    contentId: () => undefined,
    list: async () => ({ entries, complete: true, warnings: [], attributesOf: () => NO_ATTRIBUTES }),
    prefetch: async () => {},
    survey: async () => true,
    read: async ({ path }, limit) => bytesOf(path).subarray(0, limit),
    stream: async function* ({ path }) {
      yield bytesOf(path);
    },
    history: async (): Promise<History | undefined> => undefined,
    changes: async (): Promise<Changes | undefined> => undefined,
    close: async () => {},
  };
}
