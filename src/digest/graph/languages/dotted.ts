import type { ImportLanguage } from '../language.ts';
import { Modules, type Spelling } from '../modules.ts';
import { finds } from '../scan.ts';

/**
 * A language whose modules are named like their paths.
 *
 * @param pattern its second group is a module's name
 * @param separator what stands between the parts of a name
 */
function dotted(
  names: readonly string[],
  pattern: RegExp,
  separator: string,
  spelling: Spelling,
): ImportLanguage {
  return {
    names,
    *read(text) {
      for (const found of finds(text, pattern)) yield found[2] ?? '';
    },
    resolver({ paths }) {
      const modules = new Modules(paths, spelling);
      return (spec, from) => modules.endingWith(spec.replaceAll(separator, '/'), from);
    },
  };
}

export const lua = dotted(
  ['Lua', 'Luau'],
  /(--\[\[)|--[^\n]*|\b(?:require|dofile|loadfile)\b[ \t(]*["']([^"'\n]+)["']/g,
  '.',
  { endings: ['.lua', '.luau'], index: 'init' },
);

export const haskell = dotted(
  ['Haskell', 'Literate Haskell'],
  /^(?:[ \t]*(\{-)|(?:>[ \t]*)?import[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:"[^"\n]*"[ \t]+)?([A-Z][\w.']*))/gm,
  '.',
  { endings: ['.hs', '.lhs', '.hsc'] },
);

export const perl = dotted(
  ['Perl', 'Raku'],
  /^(?:(=)[a-z]|[ \t]*(?:use|require|no)[ \t]+([A-Z][\w:]*))/gm,
  '::',
  { endings: ['.pm', '.pl', '.rakumod'] },
);
