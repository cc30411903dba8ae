import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, follow } from '../paths.ts';
import { finds } from '../scan.ts';

const INCLUDE = /^[ \t]*(?:(\/\*)|#[ \t]*(?:include|import)[ \t]*(?:"([^"\n]+)"|(<[^>\n]+)>))/gm;

/** A path; `<` stays before one that is looked for among libraries. */
function* read(text: string): Generator<string> {
  for (const found of finds(text, INCLUDE)) yield found[2] ?? found[3] ?? '';
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Modules(paths, { endings: [] });
  return (spec, from) => {
    if (spec.startsWith('<')) return spec.includes('/') ? modules.endingWith(spec.slice(1), from) : [];
    const beside = follow(folderOf(from), spec);
    const found = beside === undefined ? [] : modules.at(beside);
    return found.length > 0 ? found : modules.endingWith(spec.replace(/^(?:\.{1,2}\/)+/, ''), from);
  };
}

export const c: ImportLanguage = {
  names: ['C', 'C++', 'Objective-C', 'Objective-C++', 'Cuda'],
  read,
  resolver,
};
