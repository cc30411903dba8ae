import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, follow } from '../paths.ts';
import { finds } from '../scan.ts';

const CALL =
  /^(?:(=begin)\b|[ \t]*(?:(require_relative|load)|require|autoload[ \t(]+:\w+[ \t]*,)[ \t(]+["']([^"'\n]+)["'])/gm;

/** Where libraries are looked up, in tests too. */
const ROOTS = ['lib', 'spec', 'test'];

/** `./x` for what lies beside the file, `x` for what a library brings. */
function* read(text: string): Generator<string> {
  for (const [, , beside, path = ''] of finds(text, CALL))
    yield beside && !path.startsWith('.') ? `./${path}` : path;
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ['.rb'] });
  return (spec, from) => {
    if (spec.startsWith('.')) {
      const path = follow(folderOf(from), spec);
      return path === undefined ? [] : modules.at(path);
    }
    for (const root of ROOTS) {
      const found = modules.endingWith(`${root}/${spec}`, from);
      if (found.length > 0) return found;
    }
    return spec.includes('/') ? modules.endingWith(spec, from) : [];
  };
}

export const ruby: ImportLanguage = { names: ['Ruby', 'Crystal'], read, resolver };
