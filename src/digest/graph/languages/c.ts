import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Groups, Modules } from '../modules.ts';
import { folderOf, follow } from '../paths.ts';
import { finds } from '../scan.ts';
import { nearest } from '../suffixes.ts';

const INCLUDE = /^[ \t]*(?:(\/\*)|#[ \t]*(?:include|import)[ \t]*(?:"([^"\n]+)"|(<[^>\n]+)>))/gm;

/** A path; `<` stays before one that is looked for among libraries. */
function* read(text: string): Generator<string> {
  for (const found of finds(text, INCLUDE)) yield found[2] ?? found[3] ?? '';
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Modules(paths, { endings: [] });
  const sources = new Groups();
  for (const path of paths) if (SOURCE.test(path)) sources.put(stemOf(path), path);

  /** A header stands for the source of its name too, where there is one near it that doesn't include it itself. */
  const withSource = (header: string, from: string): readonly string[] => {
    const found = SOURCE.test(header) ? [] : nearest(header, sources.at(stemOf(header)));
    return [header, ...found.filter((source) => source !== from)];
  };

  const headers = (spec: string, from: string): readonly string[] => {
    if (spec.startsWith('<')) return spec.includes('/') ? modules.endingWith(spec.slice(1), from) : [];
    const beside = follow(folderOf(from), spec);
    const found = beside === undefined ? [] : modules.at(beside);
    return found.length > 0 ? found : modules.endingWith(spec.replace(/^(?:\.{1,2}\/)+/, ''), from);
  };

  return (spec, from) => headers(spec, from).flatMap((header) => withSource(header, from));
}

const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|m|mm|cu)$/;

/** A file's name without its ending. */
function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

export const c: ImportLanguage = {
  names: ['C', 'C++', 'Objective-C', 'Objective-C++', 'Cuda'],
  read,
  resolver,
};
