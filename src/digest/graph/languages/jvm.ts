import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Groups, Modules } from '../modules.ts';
import { finds, spread } from '../scan.ts';
import { nearest } from '../suffixes.ts';

const STATEMENT =
  /^[ \t]*(?:(\/\*)|package[ \t]+(?:object[ \t]+)?([\w.]+)|import[ \t]+(?:static[ \t]+)?([\w.]+)(?:\{([^{}]*)\})?)/gm;
const PACKAGE = 'package ';

/** `package a.b` for the file's own; a name with its package; a wildcard is told by the package alone. */
function* read(text: string): Generator<string> {
  for (const [, , own, name = '', list] of finds(text, STATEMENT)) {
    if (own !== undefined) yield PACKAGE + own;
    else for (const one of spread(name, list)) yield one.replace(/\.[_*]?$/, '');
  }
}

function resolver({ paths, imports }: Sources): Resolve {
  const modules = new Modules(paths, {
    endings: ['.java', '.kt', '.kts', '.scala', '.sc', '.groovy', '.gradle'],
  });
  const packages = new Groups();
  const classes = new Groups();
  for (const path of paths) {
    const own = (imports.get(path) ?? []).filter((spec) => spec.startsWith(PACKAGE));
    if (own.length === 0) continue;
    // In Scala, a package may be declared in several steps.
    const name = own.map((spec) => spec.slice(PACKAGE.length)).join('.');
    packages.put(name, path);
    const key = modules.keyOf(path);
    classes.put(`${name}.${key.slice(key.lastIndexOf('/') + 1)}`, path);
  }

  /** A class by its name, or by that of one it is in. */
  const classOf = (parts: readonly string[], from: string): readonly string[] => {
    for (let length = parts.length; length > 1; length--) {
      const name = parts.slice(0, length);
      const files = classes.at(name.join('.'));
      if (files.length > 0) return nearest(from, files);
      const found = modules.endingWith(name.join('/'), from);
      if (found.length > 0) return found;
    }
    return [];
  };

  return (spec, from) => {
    if (spec.startsWith(PACKAGE)) return [];
    const found = classOf(spec.split('.'), from);
    if (found.length > 0) return found;
    // All of a package, or a function in one of its files.
    const all = packages.at(spec);
    return all.length > 0 ? all : packages.at(spec.slice(0, Math.max(spec.lastIndexOf('.'), 0)));
  };
}

export const jvm: ImportLanguage = { names: ['Java', 'Kotlin', 'Scala', 'Groovy', 'Gradle'], read, resolver };
