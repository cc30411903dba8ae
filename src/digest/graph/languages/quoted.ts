import type { ImportLanguage } from '../language.ts';
import { Modules, type Spelling } from '../modules.ts';
import { folderOf, follow } from '../paths.ts';
import { finds } from '../scan.ts';

/**
 * A language that imports files by their paths.
 *
 * @param pattern its second group is a path
 */
function quoted(names: readonly string[], pattern: RegExp, spelling: Spelling): ImportLanguage {
  return {
    names,
    *read(text) {
      for (const found of finds(text, pattern)) yield found[2] ?? '';
    },
    resolver({ paths }) {
      const modules = new Modules(paths, spelling);
      return (spec, from) => {
        const beside = follow(folderOf(from), spec);
        const found = beside === undefined ? [] : modules.at(beside);
        return found.length > 0 ? found : modules.endingWith(spec.replace(/^(?:\.{0,2}\/)+/, ''), from);
      };
    },
  };
}

/** Scripts name the folder by variables and commands: what comes after these is the path. */
export const shell = quoted(
  ['Shell'],
  /^[ \t]*(?:(#)|(?:\[\[?[^\n\]]*\]\]?[ \t]*&&[ \t]*)?(?:source|\.)[ \t]+(?:\S[^\n]*[})"]\/|["']?\$\w+\/|["'])?([\w.][\w./@+-]*))/gm,
  { endings: ['.sh', '.bash'] },
);

export const zig = quoted(['Zig'], /(\/\/)|@import\("([^"\n]+\.zig)"\)/g, { endings: [] });

export const r = quoted(['R'], /(#)|\bsource\([ \t]*["']([^"'\n]+)["']/g, { endings: [] });

export const julia = quoted(['Julia'], /(#)|\binclude\([ \t]*"([^"\n]+)"/g, { endings: [] });
