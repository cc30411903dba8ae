import type { ImportLanguage, Resolve, Sources } from '../language.ts';
import { Modules } from '../modules.ts';
import { folderOf, follow, upwards, within } from '../paths.ts';
import { finds } from '../scan.ts';

/** Declarations come last: they stand beside what they describe. */
const ENDINGS = '.ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte .astro .d.ts .d.mts .d.cts'.split(' ');
/** An import for its effects, or the last line of one, which ends with what is imported from. */
const STATEMENT =
  /^(?:[ \t]*(\/\*|<!--)|[ \t]*import[ \t]*(["'])([^"'\n]+)\2|[\w$,{} *\t]*\bfrom[ \t]*(["'])([^"'\n]+)\4)/gm;
const CALL = /\b(?:require|import)[ \t]*\([ \t]*(["'`])([^"'`\n]+)\1/g;
/** Where a package begins, as a rule; or in a file that is named like the package. */
const ENTRIES = ['src/index', 'index', 'src/main', 'src/mod', 'mod', 'lib/index', 'main'];
const NAMED_ENTRIES = ['', 'src/', 'lib/'];
/** What stands for a folder of sources, or is the first letter of one: `@/x`, `~/x`, `#x/y`, `$lib/x`. */
const ALIAS = /^[@~#$](?:\/|(?=[\w-]+\/))/;

function* read(text: string): Generator<string> {
  for (const found of finds(text, STATEMENT)) yield found[3] ?? found[5] ?? '';
  for (const found of text.matchAll(CALL)) yield found[2] ?? '';
}

/** A package's name and the rest, in `@scope/name/rest`. */
function splitPackage(spec: string): [name: string, rest: string] {
  const slash = spec.indexOf('/', spec.startsWith('@') ? spec.indexOf('/') + 1 : 0);
  return slash < 0 ? [spec, ''] : [spec.slice(0, slash), spec.slice(slash + 1)];
}

function resolver({ paths, packages }: Sources): Resolve {
  const modules = new Modules(paths, { endings: ENDINGS, index: 'index' });
  const names = new Map([...packages].map(([name, folder]) => [folder, name]));

  const first = (candidates: readonly string[]): readonly string[] => {
    for (const candidate of candidates) {
      const found = modules.at(candidate);
      if (found.length > 0) return found;
    }
    return [];
  };

  const entry = (folder: string, name: string): readonly string[] => {
    const bare = name.slice(name.lastIndexOf('/') + 1);
    return first([...ENTRIES, ...NAMED_ENTRIES.map((at) => at + bare)].map((path) => within(folder, path)));
  };

  const beside = (spec: string, from: string): readonly string[] => {
    const path = follow(folderOf(from), spec);
    if (path === undefined) return [];
    const found = modules.at(path);
    const name = names.get(path);
    return found.length > 0 || name === undefined ? found : entry(path, name);
  };

  return (import_, from) => {
    const spec = import_.replace(/\?.*$/, '');
    if (spec.startsWith('.')) return beside(spec, from);
    if (spec.startsWith('/'))
      return first([...upwards(folderOf(from))].map((at) => within(at, spec.slice(1))));
    const [name, rest] = splitPackage(spec);
    const folder = packages.get(name);
    if (folder !== undefined) {
      if (rest === '') return entry(folder, name);
      return first([`src/${rest}`, rest, `lib/${rest}`].map((path) => within(folder, path)));
    }
    if (ALIAS.test(spec)) return modules.endingWith(spec.replace(ALIAS, ''), from);
    // Some projects name their own files from a folder above.
    if (!spec.includes('/') || spec.includes(':')) return [];
    return first([...upwards(folderOf(from))].flatMap((at) => [within(at, spec), within(at, `src/${spec}`)]));
  };
}

/** JavaScript, TypeScript, and components with scripts in them. */
export const script: ImportLanguage = {
  names: ['JavaScript', 'TypeScript', 'TSX', 'Vue', 'Svelte', 'Astro'],
  read,
  resolver,
};
