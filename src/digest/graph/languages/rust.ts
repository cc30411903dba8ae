import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, upwards, within } from '../paths.ts';
import { finds } from '../scan.ts';

const ITEM =
  /^[ \t]*(?:(\/\*)|(?:pub(?:\([^()\n]*\))?[ \t]+)?(?:mod[ \t]+(?:r#)?(\w+)[ \t]*;|extern[ \t]+crate[ \t]+(\w+)|use[ \t]+))/gm;

/** `mod x` for `mod x;`, otherwise a path: of a module, or of what is in one. */
function* read(text: string): Generator<string> {
  let end = 0;
  for (const { 0: whole, 2: module, 3: crate, index } of finds(text, ITEM)) {
    if (index < end) continue;
    if (module !== undefined) yield `mod ${module}`;
    else if (crate !== undefined) yield crate;
    else {
      const start = index + whole.length;
      end = text.indexOf(';', start);
      if (end < 0) return;
      const inner = whole.startsWith(' ') || whole.startsWith('\t');
      for (const path of pathsIn(text.slice(start, end))) {
        // What is above a module within the file is the file.
        if (!inner || !path.startsWith('super')) yield path;
        else if (path !== 'super') yield path.replace('super', 'self');
      }
    }
  }
}

const TOKEN = /\/\/[^\n]*|[{},*]|\bas\s+\w+|(?<=r#)\w+|\w+(?!#)/g;
/** Longer paths are cut: what they mean is told by less. */
const MOST_PARTS = 8;

/** The paths of a tree such as `a::{b, c::{self, D}}`, to the modules; what is in one is left out where it is no module by its name. */
function* pathsIn(tree: string): Generator<string> {
  const above: (readonly string[])[] = [];
  let base: readonly string[] = [];
  let path: string[] = [];
  for (const [token] of tree.matchAll(TOKEN)) {
    if (token === '{') {
      above.push(base);
      base = [...path];
    } else if (token === ',' || token === '}') {
      if (path.length > base.length) yield spelled(path);
      if (token === '}') base = above.pop() ?? [];
      path = [...base];
    } else if (!token.startsWith('//') && !token.startsWith('as ') && path.length < MOST_PARTS)
      path.push(token);
  }
  if (path.length > base.length) yield spelled(path);
}

function spelled(path: readonly string[]): string {
  const module = path.findIndex((part, i) => i > 0 && /^(?:self$|\*|[A-Z])/.test(part));
  return (module < 0 ? path : path.slice(0, module)).join('::');
}

function resolver({ paths, has, packages }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ['.rs'], index: 'mod' });
  const crates = cratesOf(paths);
  for (const [name, folder] of packages) crates.set(name.replaceAll('-', '_'), within(folder, 'src'));
  const roots = new Map<string, string>();

  /** The folder of the crate that a file belongs to. */
  const rootOf = (folder: string): string => {
    let root = roots.get(folder);
    if (root === undefined) {
      root =
        [...upwards(folder)].find((at) => has(within(at, 'lib.rs')) || has(within(at, 'main.rs'))) ?? folder;
      roots.set(folder, root);
    }
    return root;
  };

  /** The innermost module on a path below a folder, or what stands for the folder. */
  const innermost = (folder: string, parts: readonly string[]): readonly string[] => {
    for (let depth = parts.length; depth > 0; depth--) {
      const found = modules.named(within(folder, parts.slice(0, depth).join('/')));
      if (found.length > 0) return found;
    }
    for (const name of ['lib.rs', 'main.rs']) if (has(within(folder, name))) return [within(folder, name)];
    return modules.named(folder);
  };

  return (spec, from) => {
    const own = /(?:^|\/)(?:lib|main|mod)\.rs$/.test(from) ? folderOf(from) : from.slice(0, -'.rs'.length);
    if (spec.startsWith('mod ')) {
      const name = spec.slice('mod '.length);
      const found = modules.named(within(own, name));
      // The modules of a test or an example lie beside it.
      return found.length > 0 ? found : modules.named(within(folderOf(from), name));
    }
    const [first = '', ...rest] = spec.split('::');
    if (first === 'crate') return innermost(rootOf(folderOf(from)), rest);
    if (first === 'self') return innermost(own, rest);
    if (first === 'super') {
      let folder = folderOf(own);
      for (; rest[0] === 'super'; rest.shift()) folder = folderOf(folder);
      return innermost(folder, rest);
    }
    if (first !== '' && modules.named(within(own, first)).length > 0) return innermost(own, [first, ...rest]);
    const crate = crates.get(first);
    return crate === undefined ? [] : innermost(crate, rest);
  };
}

/** Crates by the names of their folders. */
function cratesOf(paths: readonly string[]): Map<string, string> {
  const crates = new Map<string, string>();
  for (const path of paths) {
    if (!path.endsWith('/src/lib.rs')) continue;
    const source = folderOf(path);
    const folder = folderOf(source);
    crates.set(folder.slice(folder.lastIndexOf('/') + 1).replaceAll('-', '_'), source);
  }
  return crates;
}

export const rust: ImportLanguage = { names: ['Rust'], read, resolver };
