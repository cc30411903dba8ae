import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, upwards, within } from '../paths.ts';
import { finds, namesIn } from '../scan.ts';
import { nearest } from '../suffixes.ts';

const STATEMENT =
  /("""|'''|#)|^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+c?import[ \t]*(?:\(([^()]*)|((?:[\w*,. \t]+\\\r?\n){0,100}[\w*,. \t]+))|c?import[ \t]+([\w,. \t]+))/gm;
/** `a.b` for `import a.b`; `a.b c` for `from a.b import c`, which may be a module or what is in one. */
function* read(text: string): Generator<string> {
  for (const [, , module, listed, inline, plain] of finds(text, STATEMENT)) {
    if (module === undefined) yield* namesIn(plain ?? '');
    else {
      for (const name of namesIn((listed ?? inline ?? '').replace(/#[^\n]*|\\/g, '')))
        yield name === '*' ? module : `${module} ${name}`;
    }
  }
}

function resolver({ paths, has }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ['.py', '.pyi', '.pyx', '.pxd'], index: '__init__' });
  const roots = rootsOf(paths, has);

  /** From folders above the file, or from others that hold a package of the name. */
  const absolute = (path: string, from: string): readonly string[] => {
    const above: string[] = [];
    const others: string[] = [];
    const known = roots.get(path.split('/', 1)[0] as string);
    if (!known || known.size > MOST_ROOTS) return [];
    for (const root of known) {
      const [file] = modules.named(within(root, path));
      if (file === undefined) continue;
      const outer = SOURCES.test(root) ? folderOf(root) : root;
      if (outer === '' || from.startsWith(`${outer}/`)) above.push(file);
      else if (path.includes('/') || file.endsWith('/__init__.py')) others.push(file);
    }
    return nearest(from, above.length > 0 ? above : others);
  };

  const relative = (path: string, up: number, from: string): readonly string[] => {
    let folder = folderOf(from);
    for (let i = 1; i < up; i++) folder = folderOf(folder);
    return modules.named(within(folder, path));
  };

  return (spec, from) => {
    const [module = '', name = ''] = spec.split(' ');
    const up = /^\.*/.exec(module)?.[0].length ?? 0;
    const path = module.slice(up).replaceAll('.', '/');
    for (const candidate of name === '' ? [path] : [within(path, name), path]) {
      const found = up > 0 ? relative(candidate, up, from) : absolute(candidate, from);
      if (found.length > 0) return found;
    }
    return [];
  };
}

/** A name that so many folders hold means none of them. */
const MOST_ROOTS = 500;

/** Folders that packages are kept in. */
const SOURCES = /(?:^|\/)(?:src|lib|python)$/;

/** The folders that hold a module or a package of a name and are no packages themselves, where modules are looked up. */
function rootsOf(paths: readonly string[], has: (path: string) => boolean): Map<string, Set<string>> {
  const roots = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const path of paths) {
    for (const at of upwards(path.replace(/\.\w+$/, ''))) {
      if (at === '' || seen.has(at)) break;
      seen.add(at);
      const folder = folderOf(at);
      if (has(within(folder, '__init__.py'))) continue;
      const name = at.slice(at.lastIndexOf('/') + 1);
      const known = roots.get(name);
      if (known) known.add(folder);
      else roots.set(name, new Set([folder]));
    }
  }
  return roots;
}

export const python: ImportLanguage = { names: ['Python', 'Cython'], read, resolver };
