import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, follow } from '../paths.ts';
import { finds, namesIn, spread } from '../scan.ts';

const STATEMENT =
  /^[ \t]*(?:(\/\*)|use[ \t]+(?:(?:function|const)[ \t]+)?([\w\\]+)(?:\{([^{}]*)\}|([^;{}\n]*)))|\b(?:require|include)(?:_once)?\b[^"';\n]{0,100}["']([^"'\n]+\.(?:php|inc|phtml))["']/gm;

/** `A\B` for a class, `./x.php` for a file. */
function* read(text: string): Generator<string> {
  for (const [, , name, list, more, file] of finds(text, STATEMENT)) {
    if (file !== undefined) yield `./${file}`;
    else if (name !== undefined) {
      yield* spread(name, list);
      // `use A\B, C\D;`
      if (more?.includes(',')) yield* namesIn(more.slice(more.indexOf(',')));
    }
  }
}

function resolver({ paths }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ['.php'], anyCase: true });
  return (spec, from) => {
    if (spec.startsWith('./')) {
      const beside = follow(folderOf(from), spec);
      const found = beside === undefined ? [] : modules.at(beside);
      return found.length > 0 ? found : modules.endingWith(spec.replace(/^(?:\.{0,2}\/)+/, ''), from);
    }
    // Folders leave out the first parts of a namespace, as a rule.
    const parts = spec.split('\\').filter((part) => part !== '');
    for (let start = 0; start === 0 || parts.length - start > 1; start++) {
      const found = modules.endingWith(parts.slice(start).join('/'), from);
      if (found.length > 0) return found;
    }
    return [];
  };
}

export const php: ImportLanguage = { names: ['PHP'], read, resolver };
