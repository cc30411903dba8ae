import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, follow, upwards, within } from '../paths.ts';
import { finds } from '../scan.ts';

const DIRECTIVE = /^[ \t]*(?:(\/\*)|(?:import|export|part(?:[ \t]+of)?)[ \t]+["']([^"'\n]+)["'])/gm;
const PACKAGE = /^package:(\w+)\/(.*)$/;

function* read(text: string): Generator<string> {
  for (const found of finds(text, DIRECTIVE)) yield found[2] ?? '';
}

/** What a package lets others import lies in its `lib`. */
function resolver({ paths, packages }: Sources): Resolve {
  const modules = new Modules(paths, { endings: [] });
  return (spec, from) => {
    const [, name, rest] = PACKAGE.exec(spec) ?? [];
    if (name === undefined || rest === undefined) {
      const path = follow(folderOf(from), spec);
      return path === undefined ? [] : modules.at(path);
    }
    const folder = packages.get(name);
    if (folder !== undefined) return modules.at(within(folder, `lib/${rest}`));
    const named = modules.endingWith(`${name}/lib/${rest}`, from);
    if (named.length > 0) return named;
    for (const above of upwards(folderOf(from))) {
      const found = modules.at(within(above, `lib/${rest}`));
      if (found.length > 0) return found;
    }
    return [];
  };
}

export const dart: ImportLanguage = { names: ['Dart'], read, resolver };
